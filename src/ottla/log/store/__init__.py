"""All logs of a node: its log directories, their identity, checkpoints and failures, moves and removals."""
