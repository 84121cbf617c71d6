"""Ottla: runtime."""
