"""The pure parts of `ottla.spark`."""
