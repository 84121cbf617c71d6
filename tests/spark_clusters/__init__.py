"""format("ottla") where Spark is not local, and with the oldest PySpark: `make test-spark-clusters`."""
