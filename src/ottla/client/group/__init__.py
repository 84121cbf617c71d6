"""Membership in a consumer group: both protocols, the assignors of classic groups, and the task that runs them."""
