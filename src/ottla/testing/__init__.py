"""The public test kit. Nothing yet."""
