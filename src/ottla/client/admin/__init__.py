"""The admin client: one file per family of calls, typed results."""
