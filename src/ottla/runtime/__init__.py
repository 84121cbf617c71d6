"""The real world: the only package with sockets, threads, files and clocks. Implements the doors."""
