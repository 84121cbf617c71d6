"""One server process: connections, dispatch, handlers, waiting requests, partitions, lifecycle."""
