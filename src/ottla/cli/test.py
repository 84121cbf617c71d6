"""`ottla test -- CMD`: runs a command with a throw-away broker."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ottla.cli.exit_codes import EXIT_CONFIG

EXIT_NOT_FOUND = 127
EXIT_NOT_RUNNABLE = 126


@click.command(context_settings={"ignore_unknown_options": True})
@click.option("--topic", "topics", multiple=True, metavar="NAME[:PARTITIONS]", help="Create a topic; repeatable.")
@click.option("--override", "overrides", multiple=True, metavar="KEY=VALUE", help="Set one setting; repeatable.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def test(topics: tuple[str, ...], overrides: tuple[str, ...], command: tuple[str, ...]) -> int:
    """Run COMMAND with a broker that exists while it runs.

    Its address is in KAFKA_BOOTSTRAP_SERVERS. Data is in memory. The exit code is that of the command:

      ottla test -- npm test
    """
    from ottla.testing.broker import Broker
    from ottla.testing.errors import StartFailed

    wanted = dict(_topic(text) for text in topics)
    settings = dict(_setting(text) for text in overrides)
    try:
        broker = Broker(topics=wanted, config=settings)
    except StartFailed as error:
        print(f"error: the broker did not start: {error}", file=sys.stderr)
        return EXIT_CONFIG
    with broker:
        return _run(command, {**os.environ, "KAFKA_BOOTSTRAP_SERVERS": broker.bootstrap})


def _run(command: tuple[str, ...], environment: dict[str, str]) -> int:
    """Exit codes as a shell gives them."""
    with _interrupts_left_to_the_command():
        try:
            code = subprocess.run(command, env=environment, check=False).returncode
        except FileNotFoundError:
            print(f"error: {command[0]}: not found", file=sys.stderr)
            return EXIT_NOT_FOUND
        except OSError as error:
            print(f"error: {command[0]}: {error.strerror}", file=sys.stderr)
            return EXIT_NOT_RUNNABLE
    return code if code >= 0 else 128 - code


@contextmanager
def _interrupts_left_to_the_command() -> Iterator[None]:
    """Ctrl-C reaches the whole group of processes: the command decides what it means, and the broker stops after it."""
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _topic(text: str) -> tuple[str, int]:
    name, colon, count = text.partition(":")
    if not name or (colon and not (count.isdecimal() and int(count) > 0)):
        raise click.UsageError(f"--topic {text}: give NAME or NAME:PARTITIONS")
    return name, int(count) if colon else 1


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise click.UsageError(f"--override {text}: give KEY=VALUE")
    return name, value
