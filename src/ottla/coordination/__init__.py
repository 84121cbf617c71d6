"""The frame that all shards share: an operation gives a Decision, records are applied, timers have keys."""
