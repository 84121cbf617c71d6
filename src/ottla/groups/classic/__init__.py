"""Classic groups: members join, a leader among them assigns, the coordinator only counts and hands around bytes."""
