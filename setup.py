"""The compiled twins of hot functions (ADR 0022). Everything else about the package is in pyproject.toml."""

import os
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

#: The largest first: the compilers that run side by side then end at the same time.
SOURCES = sorted(Path("src").rglob("_*.pyx"), key=lambda source: (-source.stat().st_size, source))

#: What Cython adds to functions and classes so that they can be inspected and pickled takes a third of the C.
DIRECTIVES = {"language_level": 3, "binding": False, "auto_pickle": False}


class BuildTwins(build_ext):
    """Makes all C files first, and then uses all processors for each step."""

    def run(self) -> None:
        from Cython.Build import cythonize

        processors = os.cpu_count() or 1
        made = cythonize(
            self.extensions,
            nthreads=processors if sys.platform == "linux" else 0,
            compiler_directives=DIRECTIVES,
            quiet=True,
        )
        in_c = {extension.name: extension.sources for extension in made}
        for extension in self.extensions:
            extension.sources = in_c[extension.name]
        self.parallel = processors
        super().run()


setup(
    cmdclass={"build_ext": BuildTwins},
    ext_modules=[
        # Optional: without a compiler, or on a system that lacks what a twin calls, Python does its work. More than -O1
        # takes longer to compile and gains nothing: the time goes into calls of Python's and the system's functions.
        Extension(
            ".".join(source.with_suffix("").parts[1:]), [str(source)], extra_compile_args=["-O1", "-g0"], optional=True
        )
        for source in SOURCES
    ],
)
