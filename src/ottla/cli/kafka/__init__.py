"""The tools with the names and flags of Kafka's scripts, one file each."""
