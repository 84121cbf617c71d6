"""Record batches (magic 2): header view, build, iterate, compression, checksum, control records. No I/O."""
