"""Ottla: config."""
