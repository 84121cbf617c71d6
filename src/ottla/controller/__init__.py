"""The controller shard: brokers, topics, partitions, placement, elections, reassignment, configs, features."""
