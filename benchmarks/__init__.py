"""Speed and memory of Ottla beside Apache Kafka, in one run: `python -m benchmarks.run`."""
