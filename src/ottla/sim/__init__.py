"""Ottla: sim."""
