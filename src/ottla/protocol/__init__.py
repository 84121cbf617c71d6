"""Kafka's wire protocol: bytes to values and back, no I/O. The codec of every message is generated from `schemas/`."""
