"""Ottla's own commands for a running cluster, one file each."""
