"""To come."""

from benchmarks.family import Family

FAMILY = Family("compaction", lambda load: [], lambda node, load, put: None)
