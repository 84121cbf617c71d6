"""What is in the files of a log, as lines of text: no command line, no output here."""
