"""Transactions: the shard that keeps transactional ids, decides commits and aborts, and says which markers are due."""
