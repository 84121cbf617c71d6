"""`ottla`: finds the command and loads only its file, so that every command starts fast."""

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ottla import __version__
from ottla.cli.early_addresses import guess
from ottla.cli.exit_codes import EXIT_INTERRUPTED, EXIT_USAGE
from ottla.runtime.early_sockets import EarlySockets
from ottla.runtime.interrupts import repeat_lost_interrupts

if TYPE_CHECKING:
    import click

#: Set by the script of `ottla completion`: the words come from there.
_COMPLETE = "_OTTLA_COMPLETE"


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code. Everything but data goes to stderr."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:
        # Scripts ask for it often: printed before anything is loaded.
        print(f"ottla {__version__}")
        return 0
    if arguments is None:
        # The process is ours.
        repeat_lost_interrupts()
    try:
        # Before anything heavy is loaded: see early_sockets.
        with EarlySockets(guess(words, os.environ)) as early:
            return _run(words, early)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _run(words: list[str], early: EarlySockets) -> int:
    import click

    from ottla.cli.commands import root

    if not words and _COMPLETE not in os.environ:
        print(click.Context(root, info_name="ottla", **root.context_settings).get_help(), file=sys.stderr)
        return EXIT_USAGE
    try:
        if _COMPLETE in os.environ:
            root.main(words, prog_name="ottla", obj=early)
        # Not `main`: click would end with 1 when the reader of a help page went away.
        with root.make_context("ottla", words, obj=early) as context:
            code = int(root.invoke(context) or 0)
        sys.stdout.flush()
        return code
    except click.Abort:
        return EXIT_INTERRUPTED
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        return _explain(error)
    except BrokenPipeError:
        return _without_reader()


def _without_reader() -> int:
    """The reader of our output went away (`ottla … | head`): no reason to complain.

    What is still buffered goes nowhere, so that the interpreter does not fail when it ends.
    """
    from ottla.cli.run import drop_output

    drop_output()
    return 0


def _explain(error: "click.ClickException") -> int:
    """One line, and a hint if there is one; JSON where the output is JSON."""
    from ottla.cli.explaining import explain

    return explain(error)
