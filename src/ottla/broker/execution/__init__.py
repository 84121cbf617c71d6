"""Work on the event loop and beside it: tasks, time slices, the worker thread."""
