"""Planted bugs: one file each, named after its row in docs/simulation.md.

A mutation replaces one named function of the product (`TARGET`) by what `planted(original)` gives and so brings a
historic bug back. `SCENARIO` is a schedule of faults that the product survives and the bug does not; `FINDINGS` are the
names under which the simulation reports it. `pytest --plant R14` runs any test with the bug in place.
"""
