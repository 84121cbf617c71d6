"""The compiled twins of hot functions (ADR 0022). Everything else about the package is in pyproject.toml."""

from pathlib import Path

from setuptools import Extension, setup

#: Made from the .pyx beside them by `make generate`. The largest first, so that compilers side by side end together.
SOURCES = sorted(
    (source.with_suffix(".c") for source in Path("src").rglob("_*.pyx")),
    key=lambda source: (-source.stat().st_size, source),
)

setup(
    options={"build_ext": {"parallel": True}},
    ext_modules=[
        # Optional: without a compiler, or on a system that lacks what a twin calls, Python does its work.
        Extension(
            ".".join(source.with_suffix("").parts[1:]), [str(source)], extra_compile_args=["-O2", "-g0"], optional=True
        )
        for source in SOURCES
    ],
)
