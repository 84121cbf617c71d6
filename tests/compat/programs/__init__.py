"""Small programs around other people's clients, each run as a process of its own so that it can be killed."""
