"""The partitions of this node, brought in line with the metadata."""
