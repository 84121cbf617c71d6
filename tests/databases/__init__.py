"""Pipelines with real databases: `make test-databases`, outside of `make test`."""
