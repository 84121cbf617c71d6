"""The option tables against the stored facts of Apache Kafka 4.3: names, types, defaults, ranges, update modes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ottla.client.options import UNSUPPORTED
from ottla.config.admin_options import AdminOptions
from ottla.config.broker_options import BrokerOptions
from ottla.config.consumer_options import ConsumerOptions
from ottla.config.group_options import GroupOptions
from ottla.config.kinds import Update
from ottla.config.option import Option, OptionSet
from ottla.config.producer_options import ProducerOptions
from ottla.config.topic_options import TopicOptions

FACTS = Path(__file__).parents[2] / "data" / "kafka-configs.txt"
CLIENTS: dict[str, type[OptionSet]] = {
    "producer": ProducerOptions,
    "consumer": ConsumerOptions,
    "admin": AdminOptions,
}
TABLES: dict[str, type[OptionSet]] = {
    "broker": BrokerOptions,
    "topic": TopicOptions,
    "group": GroupOptions,
    **CLIENTS,
}
#: Where Ottla has another default, on purpose: a node starts without them, and never keeps data in /tmp.
OWN_DEFAULTS = {"node.id": "1", "process.roles": "broker,controller", "controller.listener.names": "CONTROLLER"}
OWN_DEFAULTS["log.dir"] = "null"
#: Certificates are PEM; serializers and assignors have names of our own; no server is required by the type.
OWN_CLIENT_DEFAULTS = {
    "bootstrap.servers": "",
    "ssl.keystore.type": "PEM",
    "ssl.truststore.type": "PEM",
    "partition.assignment.strategy": "range,cooperative-sticky",
    **{f"{part}.{kind}": "bytes" for part in ("key", "value") for kind in ("serializer", "deserializer")},
}


class Fact(NamedTuple):
    table: str
    name: str
    kind: str
    default: str
    importance: str
    rest: tuple[str, ...]


def facts() -> Iterator[Fact]:
    table = ""
    for line in FACTS.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            table = line[3:]
        elif " | " in line and not line.startswith("#"):
            name, kind, default, importance, *rest = [part.strip() for part in line.split("|")]
            yield Fact(table, name, kind, default, importance, tuple(rest))


def is_unsupported(fact: Fact) -> bool:
    """A client refuses such a setting and says what to do instead."""
    return fact.table in CLIENTS and any(
        fact.name == pattern or (pattern.endswith("*") and fact.name.startswith(pattern[:-1]))
        for pattern in UNSUPPORTED
    )


ALL = [fact for fact in facts() if not is_unsupported(fact)]


def row_of(fact: Fact) -> Option[Any]:
    return TABLES[fact.table].rows[fact.name]


def test_the_facts_are_complete() -> None:
    counts = {table: sum(fact.table == table for fact in facts()) for table in TABLES}

    assert counts == {"broker": 360, "topic": 34, "group": 17, "producer": 113, "consumer": 116, "admin": 91}


@pytest.mark.parametrize("table", TABLES)
def test_ottla_has_every_name_and_no_stranger(table: str) -> None:
    kafka = {fact.name for fact in ALL if fact.table == table}

    assert kafka == {name for name, row in TABLES[table].rows.items() if not row.own}


def test_types_and_importance_are_kafkas() -> None:
    assert {(f.table, f.name): (f.kind, f.importance) for f in ALL} == {
        (f.table, f.name): (row_of(f).kind.name.lower(), row_of(f).importance.value) for f in ALL
    }


def test_defaults_are_kafkas() -> None:
    wrong = []
    for fact in ALL:
        own = OWN_DEFAULTS if fact.table == "broker" else OWN_CLIENT_DEFAULTS if fact.table in CLIENTS else {}
        expected = own.get(fact.name, fact.default)
        expected = "" if expected in ('""', "[]") else expected
        text = row_of(fact).default_text
        if (text if text is not None else "null") != expected:
            wrong.append((fact.name, expected, text))

    assert wrong == []


def test_ranges_are_kafkas() -> None:
    other = ("read-only", "per-broker", "cluster-wide", "internal", "")
    wrong = []
    for fact in ALL:
        allowed = [part for part in fact.rest if part not in other and not part.startswith("synonyms ")]
        check = row_of(fact).check
        if (check.description if check else "") != (allowed[0] if allowed else ""):
            wrong.append((fact.name, allowed, check))

    assert wrong == []


def test_update_modes_and_internal_marks_are_kafkas() -> None:
    for fact in ALL:
        row = row_of(fact)
        assert row.internal == ("internal" in fact.rest), fact.name
        if fact.table == "broker":
            assert row.update is Update(fact.rest[0]), fact.name


def test_broker_settings_that_give_a_topics_default_are_kafkas() -> None:
    lines = [line.split(" <- ") for line in FACTS.read_text(encoding="utf-8").splitlines() if " <- " in line]
    kafka = {name: tuple(origins.split(", ")) for name, origins in lines if not name.startswith("#")}

    assert len(kafka) == 28
    assert kafka == {name: row.synonyms for name, row in TopicOptions.rows.items() if row.synonyms and not row.own}


def test_every_row_has_one_sentence_of_documentation_and_its_name_as_attribute() -> None:
    for table in TABLES.values():
        for row in table.rows.values():
            assert row.doc.endswith("."), row.name
            assert len(row.doc) <= 110, row.name
            assert row.attribute == row.name.replace(".", "_").replace("-", "_")


def test_every_default_passes_its_own_check() -> None:
    for table in TABLES.values():
        table({name: row.default_text for name, row in table.rows.items() if row.default_text})
