"""Ottla: transactions."""
