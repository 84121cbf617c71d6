"""What a log knows of its producers: sequences, open transactions, snapshots, and the replay that rebuilds both."""
