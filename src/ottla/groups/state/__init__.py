"""What a group shard knows: groups of both kinds, their members, committed offsets. It changes in `apply`."""
