"""To come."""

from benchmarks.family import Family

FAMILY = Family("groups", lambda load: [], lambda node, load, put: None)
