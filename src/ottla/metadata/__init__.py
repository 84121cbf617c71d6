"""Ottla: metadata."""
