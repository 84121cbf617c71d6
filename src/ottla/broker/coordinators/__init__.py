"""The group and transaction coordinators of this node, and the markers of transactions."""
