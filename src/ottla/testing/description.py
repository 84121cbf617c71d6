"""What a broker holds, as text for the report of a failed test: topics, offsets, groups."""

import asyncio

from ottla.client.errors import ClientError
from ottla.testing.client_calls import ClientCalls

#: A test has failed already: its report must not take long.
_TIMEOUT_S = 3.0


async def describe(calls: ClientCalls) -> str:
    lines: list[str] = []
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            for name in await calls.topics():
                rows = await calls.offsets(name)
                ranges = " ".join(f"{number}:{row.earliest}..{row.latest}" for number, row in sorted(rows.items()))
                lines.append(f"topic {name}: {ranges}")
            groups = await calls.admin.list_groups()
            lines += [await _group(calls, listing.group_id) for listing in groups]
    except (TimeoutError, ClientError) as error:
        lines.append(f"the broker could not be asked: {type(error).__name__} {error}")
    return "\n".join(lines) or "no topics, no groups"


async def _group(calls: ClientCalls, group_id: str) -> str:
    found = (await calls.admin.describe_groups([group_id]))[group_id]
    committed = await calls.committed(group_id)
    offsets = " ".join(f"{each.topic}-{each.partition}:{offset}" for each, offset in sorted(committed.items()))
    return f"group {group_id}: {found.state}, {len(found.members)} members, committed {offsets or 'nothing'}"
