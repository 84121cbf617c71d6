"""Ottla: Kafka's little sister. An event-streaming platform in Python that speaks Apache Kafka's wire protocol."""

import os

__version__ = "0.1.0"

if os.environ.get("OTTLA_PURE"):
    from ottla.compiled import use_sources_only

    use_sources_only()
