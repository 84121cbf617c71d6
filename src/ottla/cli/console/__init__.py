"""Lines to records and records to lines, as Kafka's console tools have them."""
