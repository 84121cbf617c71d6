"""Ottla: broker.handlers."""
