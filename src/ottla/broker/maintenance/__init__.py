"""What a node does in the background: retention, compaction, moves, checkpoints."""
