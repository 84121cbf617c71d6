"""Where queries are in their topics: read from Spark's checkpoints, which name the offsets of every committed batch.

<checkpoint>/<sink>/offsets/N     version, metadata, then one line of JSON for each stream of the query
<checkpoint>/<sink>/commits/N     written when batch N is done
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ottla.model.topic import TopicPartition

_LINES_BEFORE_SOURCES: Final = 2


def committed_position(folder: Path) -> dict[TopicPartition, int] | None:
    """Of the last batch that is done; None before the first."""
    batch = last_batch(folder)
    if batch is None:
        return None
    try:
        lines = (folder / "offsets" / str(batch)).read_text().splitlines()
    except FileNotFoundError:
        return None
    return position_of(lines[_LINES_BEFORE_SOURCES:])


def last_batch(folder: Path) -> int | None:
    try:
        names = [path.name for path in (folder / "commits").iterdir()]
    except FileNotFoundError:
        return None
    return max((int(name) for name in names if name.isdecimal()), default=None)


def position_of(sources: Iterable[str]) -> dict[TopicPartition, int]:
    """From offsets as JSON; streams that are no topics have none."""
    found: dict[TopicPartition, int] = {}
    for text in sources:
        try:
            parsed: Any = json.loads(text)
        except ValueError:
            continue
        if not isinstance(parsed, dict):
            continue
        for topic, numbers in parsed.items():
            if isinstance(numbers, dict):
                found |= {TopicPartition(topic, int(n)): int(offset) for n, offset in numbers.items()}
    return found


def lowest(positions: Iterable[Mapping[TopicPartition, int]]) -> dict[TopicPartition, int]:
    """The position of a pipeline: what every query that reads a partition has behind it."""
    result: dict[TopicPartition, int] = {}
    for position in positions:
        for partition, offset in position.items():
            result[partition] = min(offset, result.get(partition, offset))
    return result
