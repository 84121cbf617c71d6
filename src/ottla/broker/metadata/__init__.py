"""The cluster metadata as this node sees it, and what follows its changes."""
