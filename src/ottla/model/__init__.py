"""Names and values that every part of Ottla shares: topic partitions, error codes, exceptions, name rules, hashes."""
