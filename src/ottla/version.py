"""The version of Ottla, where all parts can import it from."""

VERSION = "0.1.0"
