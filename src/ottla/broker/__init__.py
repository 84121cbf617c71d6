"""Ottla: broker."""
