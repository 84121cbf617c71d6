"""Consumer groups and committed offsets as one shard: its state is the replay of a `__consumer_offsets` partition."""
