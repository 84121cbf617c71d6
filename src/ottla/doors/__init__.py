"""What the rest of Ottla may ask of the world: time, chance, disk, network, other threads. Protocols only.

The real implementations live in `ottla.runtime`, the simulated ones in `ottla.sim`.
"""
