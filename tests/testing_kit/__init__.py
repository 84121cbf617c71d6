"""The testing kit as its users see it."""
