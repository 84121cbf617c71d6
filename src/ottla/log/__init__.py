"""Ottla: log."""
