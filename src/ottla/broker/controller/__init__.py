"""How this node asks the controller, and the metadata log that the controller writes."""
