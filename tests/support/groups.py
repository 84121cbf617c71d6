"""A group coordinator for tests that read like a story: everything that members and tools ask of it."""

from typing import Any

from ottla.model.error_codes import ErrorCode
from tests.support.classic_requests import ClassicRequests
from tests.support.consumer_requests import ConsumerRequests
from tests.support.offset_requests import OffsetRequests


class GroupTest(ClassicRequests, ConsumerRequests, OffsetRequests):
    """One shard. The short methods speak of the group `group_id`; members are called by short names."""

    def describe(self, *, version: int = 6) -> Any:
        return self.shard.describe_group(self.group_id, version=version).response

    @property
    def state(self) -> str:
        """As tools show it, of either kind of group."""
        found = self.shard.list_groups().response or []
        return next((group.group_state for group in found if group.group_id == self.group_id), "Dead")

    def delete(self) -> ErrorCode:
        response = self.run(lambda now: self.shard.delete_groups([self.group_id], now=now))
        return ErrorCode(response.results[0].error_code)
