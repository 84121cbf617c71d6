"""Appending what clients produce, and the responses that wait for it."""
