"""Server-side assignors: pure functions from subscriptions to a target assignment."""
