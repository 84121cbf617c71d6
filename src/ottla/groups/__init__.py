"""Ottla: groups."""
