"""Ottla: replication."""
