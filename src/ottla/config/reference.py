"""The reference page of all settings, made from the option tables.

python -m ottla.config.reference           writes docs/reference/configs.md
python -m ottla.config.reference --check   fails when the page is not up to date
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ottla.config.admin_options import AdminOptions
from ottla.config.broker_options import BrokerOptions
from ottla.config.client_metrics_options import ClientMetricsOptions
from ottla.config.consumer_options import ConsumerOptions
from ottla.config.group_options import GroupOptions
from ottla.config.kinds import Update
from ottla.config.option import Option, OptionSet
from ottla.config.producer_options import ProducerOptions
from ottla.config.topic_options import TopicOptions

PAGE = Path("docs/reference/configs.md")
_INTRODUCTION = """# Settings

Names, types, defaults and ranges are those of Apache Kafka 4.3; rows marked **Ottla** are its own. *No effect yet*:
the setting is read, checked and shown, but nothing acts on it.
This page is made by `python -m ottla.config.reference`; change the option tables in `src/ottla/config`, not the page.
"""
_UPDATES = {
    Update.READ_ONLY: "at start",
    Update.PER_BROKER: "while running, per broker",
    Update.CLUSTER_WIDE: "while running",
}
_CLIENT = "Of `ottla.client`: as keywords with underscores instead of dots, or with their own names in a mapping."
_TABLES: tuple[tuple[str, str, type[OptionSet]], ...] = (
    ("Broker", "In `server.properties`; those that can change while running also with AlterConfigs.", BrokerOptions),
    ("Topic", "With CreateTopics or AlterConfigs; a broker setting gives the default.", TopicOptions),
    ("Group", "With AlterConfigs on a group; a broker setting gives the default.", GroupOptions),
    ("Client metrics", "With AlterConfigs on a client metrics subscription.", ClientMetricsOptions),
    ("Producer", _CLIENT, ProducerOptions),
    ("Consumer", _CLIENT, ConsumerOptions),
    ("Admin client", _CLIENT, AdminOptions),
)


def reference_text() -> str:
    return "\n".join([_INTRODUCTION, *(line for table in _TABLES for line in _section(*table))])


def _section(title: str, introduction: str, table: type[OptionSet]) -> Iterator[str]:
    yield f"## {title}\n\n{introduction}\n"
    with_update = table is BrokerOptions
    yield f"| name | type | default | allowed |{' change |' if with_update else ''} meaning |"
    yield "|---|---|---|---|" + ("---|" if with_update else "") + "---|"
    for row in table.rows.values():
        cells = [f"`{row.name}`", row.kind.name.lower(), _default(row), _allowed(row)]
        cells += [_UPDATES[row.update]] if with_update else []
        yield "| " + " | ".join([*cells, _meaning(row)]) + " |"
    yield ""


def _default(row: Option[Any]) -> str:
    text = row.default_text
    return "–" if text is None else f"`{text}`" if text else "empty"


def _allowed(row: Option[Any]) -> str:
    return row.check.description.replace("|", "\\|") if row.check is not None else ""


def _meaning(row: Option[Any]) -> str:
    notes = ["**Ottla.**"] if row.own else ["Internal."] if row.internal else []
    if row.synonyms:
        notes.append(
            ("Related: " if row.name in BrokerOptions.rows else "Default from ")
            + ", ".join(f"`{name}`" for name in row.synonyms)
            + "."
        )
    if not row.effect:
        notes.append("*No effect yet.*")
    return " ".join([row.doc.replace("|", "\\|"), *notes])


def main(arguments: Sequence[str]) -> int:
    text = reference_text()
    if "--check" in arguments:
        fresh = PAGE.exists() and PAGE.read_text(encoding="utf-8") == text
        if not fresh:
            print(f"{PAGE} is not up to date: run python -m ottla.config.reference", file=sys.stderr)
        return 0 if fresh else 1
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
