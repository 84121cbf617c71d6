"""To come."""

from benchmarks.family import Family

FAMILY = Family("clients", lambda load: [], lambda node, load, put: None)
