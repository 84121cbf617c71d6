"""The compiled twins of hot functions (ADR 0022). Everything else about the package is in pyproject.toml."""

import os
from pathlib import Path

from setuptools import Extension, setup

SOURCES = sorted(Path("src").rglob("_*.pyx"))

setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=[
        # Optional: without a compiler, or on a system that lacks what a twin calls, Python does its work.
        Extension(
            ".".join(source.with_suffix("").parts[1:]), [str(source)], extra_compile_args=["-O2", "-g0"], optional=True
        )
        for source in SOURCES
    ],
)
