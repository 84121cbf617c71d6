"""Compiles the modules that `ottla.compiled` names (ADR 0027). All else about the package is in pyproject.toml."""

import os
import runpy
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

MODULES = runpy.run_path("src/ottla/compiled.py")["MODULES"]

#: What Cython adds to functions and classes so that they can be inspected and pickled is a third of the C.
DIRECTIVES = {
    "language_level": 3,
    "binding": False,
    "auto_pickle": False,
    "emit_code_comments": False,
    # Annotations are for mypy; a .pxd beside the source has the types of C. Bounds are checked, and a negative index is
    # an IndexError.
    "annotation_typing": False,
    "wraparound": False,
}
#: `make sanitize` has others.
FLAGS = os.environ.get("OTTLA_CFLAGS", "-O2 -g0").split()


def extension(module: str) -> Extension:
    path = Path("src", *module.split("."))
    source = next(name for name in (path.with_suffix(".pyx"), path.with_suffix(".py")) if name.exists())
    return Extension(module, [str(source)], extra_compile_args=FLAGS)


extensions = cythonize(
    [extension(module) for module in MODULES],
    include_path=["src"],
    build_dir="build/cython",
    compiler_directives=DIRECTIVES,
    quiet=True,
)
for built in extensions:
    # Without a compiler, or on a system that lacks what a module calls, Python does its work. Set here because
    # `cythonize` does not keep it.
    built.optional = True

setup(options={"build_ext": {"parallel": True}}, ext_modules=extensions)
