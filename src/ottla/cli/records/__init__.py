"""Records on the command line: as JSON lines, as formatted text, chosen by place and by expression."""
