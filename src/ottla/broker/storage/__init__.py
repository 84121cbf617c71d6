"""The disks of this node: flushing, faults, open files, the clock of retention."""
