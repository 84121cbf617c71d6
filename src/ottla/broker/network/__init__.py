"""The broker's side of its sockets: connections, their limits, their memory."""
