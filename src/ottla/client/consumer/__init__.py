"""The consumer: positions, fetching, commits, and what users see of it."""
