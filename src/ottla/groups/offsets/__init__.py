"""Committed offsets: commit, fetch, delete, expiry, and those that wait for the end of a transaction."""
