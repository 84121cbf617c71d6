"""The parts of a PartitionLog: checks before an append, reads, segment rolls, flushes, retention, truncation."""
