"""`ottla docs`: what a setting, an error code or a command is, without a browser."""

from typing import NamedTuple

import click

from ottla.cli.failures import not_found
from ottla.cli.results import Result
from ottla.cli.run import Run
from ottla.cli.tool import verb


class Entry(NamedTuple):
    name: str
    kind: str
    default: str | None
    text: str


@verb(connects=False)
@click.argument("word", metavar="WORD")
def docs(run: Run, word: str) -> Result:
    """Explain a setting, an error code or a command.

    \b
    ottla docs retention.ms
    ottla docs NOT_LEADER_OR_FOLLOWER
    ottla docs 6
    """
    found = [*_settings(word), *_errors(word), *_commands(word)]
    if not found:
        raise not_found("name", word, _known())
    return Result("docs", found, ("name", "kind", "default", "text"), text="\n\n".join(map(_paragraph, found)))


def _paragraph(entry: Entry) -> str:
    default = f", default {entry.default or 'empty'}" if entry.default is not None else ""
    return f"{entry.name} ({entry.kind}{default})\n  {entry.text}"


def _tables() -> dict[str, object]:
    from ottla.config.admin_options import AdminOptions
    from ottla.config.broker_options import BrokerOptions
    from ottla.config.consumer_options import ConsumerOptions
    from ottla.config.group_options import GroupOptions
    from ottla.config.producer_options import ProducerOptions
    from ottla.config.topic_options import TopicOptions

    return {
        "topic setting": TopicOptions.rows,
        "group setting": GroupOptions.rows,
        "broker setting": BrokerOptions.rows,
        "producer setting": ProducerOptions.rows,
        "consumer setting": ConsumerOptions.rows,
        "admin client setting": AdminOptions.rows,
    }


def _settings(word: str) -> list[Entry]:
    found: list[Entry] = []
    for kind, rows in _tables().items():
        row = rows.get(word.lower())  # type: ignore[attr-defined]
        if row is not None and row.doc not in [entry.text for entry in found]:
            found.append(Entry(row.name, kind, _default(row.default), row.doc))
    return found


def _default(value: object) -> str:
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _errors(word: str) -> list[Entry]:
    from ottla.model.error_codes import RETRIABLE, TEXTS, ErrorCode

    return [
        Entry(
            f"{code.name} {code.value}", "error, retriable" if code in RETRIABLE else "error", None, TEXTS.get(code, "")
        )
        for code in ErrorCode
        if word.upper() == code.name or word == str(code.value)
    ]


def _commands(word: str) -> list[Entry]:
    from ottla.cli.commands import COMMANDS

    return [Entry(f"ottla {word}", "command", None, COMMANDS[word].summary)] if word in COMMANDS else []


def _known() -> list[str]:
    from ottla.model.error_codes import ErrorCode

    return [*(name for rows in _tables().values() for name in rows), *(c.name for c in ErrorCode)]  # type: ignore[attr-defined]
