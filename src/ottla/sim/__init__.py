"""Deterministic simulation: virtual time, simulated network and disk, faults from a seed, workloads, checkers."""
