"""An in-memory Disk for unit tests: the simulated disk, whose faults are there when a test wants them."""

from ottla.sim.disk import SimDisk
from ottla.sim.disk_faults import DiskFaults, Operation, SimulatedCrash
from ottla.sim.disk_image import DiskImage
from ottla.sim.rng import SimRng

MemoryDisk = SimDisk

__all__ = ["DiskFaults", "DiskImage", "MemoryDisk", "Operation", "SimDisk", "SimRng", "SimulatedCrash"]
