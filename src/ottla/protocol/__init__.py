"""Ottla: protocol."""
