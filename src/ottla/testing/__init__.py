"""Ottla: testing."""
