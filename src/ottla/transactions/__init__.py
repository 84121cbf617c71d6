"""Transactions: the shard of transactional ids, which decides commits and aborts and orders the markers due."""
