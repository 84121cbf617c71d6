"""Ottla: records."""
