"""To come."""

from benchmarks.family import Family

FAMILY = Family("transactions", lambda load: [], lambda node, load, put: None)
