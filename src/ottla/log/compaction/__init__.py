"""Log compaction: which log is cleaned, the cleaning in a helper process, the swap of the result."""
