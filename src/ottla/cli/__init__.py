"""Ottla: cli."""
