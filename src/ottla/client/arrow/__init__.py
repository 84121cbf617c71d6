"""Records as Arrow columns: ranges of partitions and whole topics. Needs the extra `ottla[arrow]`."""
