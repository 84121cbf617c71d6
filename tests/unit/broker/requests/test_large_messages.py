"""Large responses are encoded beside the event loop."""

import asyncio
from types import SimpleNamespace
from typing import Any

from ottla.broker.execution.tasks import Tasks
from ottla.broker.execution.time_slices import Failed
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.large_messages import LargeMessages
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.testing.inline_executor import InlineExecutor
from tests.support.memory_disk import MemoryDisk


class TooLarge(HeartbeatResponse):
    def encode(self, out: bytearray, version: int) -> None:
        raise MemoryError("no room for the response")


def test_a_response_that_takes_too_much_memory_fails_instead_of_never_coming() -> None:
    async def resolved() -> Any:
        unused: Any = None
        tasks = Tasks()
        messages = LargeMessages(InlineExecutor(MemoryDisk()), unused, tasks, unused)
        context: Any = SimpleNamespace(correlation_id=1, api_key=ApiKey.HEARTBEAT, version=4)
        deferred = Deferred()
        messages.resolve(deferred, TooLarge(), context)
        await tasks.finish(grace_s=10)
        assert deferred.is_done
        return deferred.response

    response = asyncio.run(resolved())

    assert isinstance(response, Failed)
    assert isinstance(response.error, MemoryError)
