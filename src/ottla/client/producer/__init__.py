"""The producer: accumulator, sender, transactions."""
