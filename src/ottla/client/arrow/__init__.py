"""Records as Arrow columns: ranges of partitions and whole topics read, tables sent. Needs the extra `ottla[arrow]`."""
