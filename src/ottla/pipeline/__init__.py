"""`ottla pipeline`: pipelines on Spark, each described by one YAML file. See docs/pipelines.md."""
