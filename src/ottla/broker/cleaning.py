"""Drives compaction: choose the dirtiest log, rewrite it in a helper process, swap the result in."""
