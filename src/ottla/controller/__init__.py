"""Ottla: controller."""
