"""One file per API of Kafka: translate, ask, answer."""
