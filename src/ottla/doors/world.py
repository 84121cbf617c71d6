"""All doors together: what a node is given of the world."""

from typing import NamedTuple

from ottla.doors.clock import Clock
from ottla.doors.disk import Disk
from ottla.doors.executor import Executor
from ottla.doors.machine import Machine
from ottla.doors.network import Network
from ottla.doors.rng import Rng


class World(NamedTuple):
    clock: Clock
    rng: Rng
    disk: Disk
    network: Network
    executor: Executor
    machine: Machine = Machine()
