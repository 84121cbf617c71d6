"""Ottla: security."""
