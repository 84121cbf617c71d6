"""`version`: what is installed, and whether its compiled code runs."""

import platform

import click

from ottla import __version__
from ottla.compiled import MODULES, compiled_modules, stale_modules


@click.command()
def version() -> None:
    """Print the version of Ottla and of Python, and whether compiled code runs.

    Hot code is compiled when Ottla is installed, where a C compiler is found. Without it, or with OTTLA_PURE=1 in the
    environment, the same source runs as Python: everything works, more slowly.
    """
    click.echo(f"ottla {__version__}")
    click.echo(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}")
    click.echo(f"compiled code: {_compiled_text()}")


def _compiled_text() -> str:
    compiled = compiled_modules()
    if len(compiled) == len(MODULES):
        return f"yes ({len(compiled)} modules)"
    if stale_modules():
        return "no (it is older than the sources in this checkout: `make .venv/.base` builds it)"
    if not compiled:
        return "no (there was no C compiler at install time, or OTTLA_PURE is set)"
    missing = ", ".join(module for module in MODULES if module not in compiled)
    return f"in part ({len(compiled)} of {len(MODULES)} modules; without {missing})"
