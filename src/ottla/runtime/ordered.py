"""Waiting for several things at once, in an order that does not depend on memory addresses.

`asyncio.wait`, `as_completed` and `TaskGroup` hold their tasks in a set, so the order of their callbacks differs from
process to process; a simulated run would not repeat.
"""

import asyncio
from typing import Any


async def first_done(*futures: "asyncio.Future[Any]") -> None:
    """Waits until one of them is done, with a result or without. It raises nothing of theirs and cancels none."""
    first = asyncio.get_running_loop().create_future()

    def notify(_: object) -> None:
        if not first.done():
            first.set_result(None)

    for future in futures:
        future.add_done_callback(notify)
    try:
        await first
    finally:
        for future in futures:
            future.remove_done_callback(notify)
