"""Measurements of producers and consumers, with the lines of Kafka's performance tools."""
