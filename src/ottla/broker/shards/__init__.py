"""Runs a shard on a partition of this node: load, append, apply, commit."""
