"""Turns `schemas/*.txt` into `generated/*.py`: straight-line source, one reader and writer per distinct shape."""
