"""A setting that claims to have an effect is read somewhere."""

import re
from pathlib import Path

import pytest

import ottla
from ottla.config.broker_options import BrokerOptions
from ottla.config.group_options import GroupOptions
from ottla.config.option import OptionSet
from ottla.config.topic_options import TopicOptions

#: Bounds of what a group may ask for: their names are put together from parts.
_BOUNDS = re.compile(r"group\.consumer\.(min|max)\.(session|heartbeat|assignment)\.")


def _readers() -> str:
    """All source apart from the tables themselves."""
    package = Path(ottla.__file__).parent
    files = [path for path in package.rglob("*.py") if "generated" not in path.parts]
    tables = [path for path in files if path.parent.name == "config" and path.name.endswith("_options.py")]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if path not in tables)


@pytest.mark.parametrize("table", [BrokerOptions, TopicOptions, GroupOptions])
def test_every_setting_with_an_effect_has_a_reader(table: type[OptionSet]) -> None:
    words = frozenset(re.findall(r"[\w.]+", _readers()))
    attributes = frozenset(word.rpartition(".")[2] for word in words)
    defaults = {name for other in (TopicOptions, GroupOptions) for row in other.rows.values() for name in row.synonyms}

    unread = [
        name
        for name, row in table.rows.items()
        if row.effect
        and row.attribute not in attributes
        and name not in words
        and not (table is BrokerOptions and (name in defaults or _BOUNDS.match(name)))
    ]

    assert unread == []
