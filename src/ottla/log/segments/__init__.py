"""The segments of a log: `.log` files with their offset, time and transaction indexes, and the cache of open files."""
