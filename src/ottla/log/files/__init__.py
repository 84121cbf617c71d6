"""Small files in a log directory or a partition's directory: replaced safely, and what an error of the disk means."""
