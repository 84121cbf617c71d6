"""Ottla: Kafka's little sister. An event-streaming platform in Python that speaks Apache Kafka's wire protocol."""

__version__ = "0.1.0"
