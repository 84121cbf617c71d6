"""Opening a partition's directory: what is trusted, checked, truncated and rebuilt."""
