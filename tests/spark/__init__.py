"""format("ottla") with a real Spark. One session and one broker for all; small data."""
