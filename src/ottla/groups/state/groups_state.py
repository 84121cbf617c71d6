"""What a group shard knows: its groups, the committed offsets, and the settings and topics it was given."""

from collections.abc import Iterator
from typing import TypeAlias

from ottla.doors.rng import Rng
from ottla.groups.settings import GroupSettings
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.groups.state.offset_store import OffsetStore
from ottla.groups.topics import Topics
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused

Group: TypeAlias = ClassicGroup | ConsumerGroup


class ConsumerSoft:
    """What is known of a consumer group beside the log."""

    __slots__ = ("asked_to_join", "assigned_at_ms", "topics_version")

    def __init__(self) -> None:
        #: Monotonic time of the last target assignment; None after a load: then the next one is not delayed.
        self.assigned_at_ms: int | None = None
        #: The topics with which the group was last compared.
        self.topics_version = -1
        #: Classic members that have to join again and have not.
        self.asked_to_join: dict[str, None] = {}


class GroupsState:
    """Owned by the shard, lives from load to unload.

    A classic group that was never written to the log (a member is about to join, or there are only offsets) is soft;
    everything else here changes in `apply` only.
    """

    __slots__ = ("_soft", "groups", "offsets", "rng", "settings", "topics", "topics_version")

    def __init__(self, settings: GroupSettings, topics: Topics, rng: Rng) -> None:
        self.settings = settings
        self.topics = topics
        self.topics_version = 0
        self.rng = rng
        self.groups: dict[str, Group] = {}
        self.offsets = OffsetStore()
        self._soft: dict[str, ConsumerSoft] = {}

    def soft(self, group_id: str) -> ConsumerSoft:
        found = self._soft.get(group_id)
        if found is None:
            found = self._soft[group_id] = ConsumerSoft()
        return found

    def forget_soft(self, group_id: str) -> None:
        self._soft.pop(group_id, None)

    def find(self, group_id: str) -> Group | None:
        """The group, also one of which only offsets are known: a simple consumer made it by committing."""
        group = self.groups.get(group_id)
        if group is None and self.offsets.knows(group_id):
            group = self.groups[group_id] = ClassicGroup(group_id)
        return group

    def check_room(self) -> None:
        """Raises Refused when there are too many groups for a new one. Groups that only have offsets count too."""
        limit = self.settings.max_groups
        if max(len(self.groups), self.offsets.group_count) >= limit:
            message = f"This partition of __consumer_offsets has {limit} groups already (ottla.groups.max)."
            raise Refused(ErrorCode.GROUP_MAX_SIZE_REACHED, message)

    def all_groups(self) -> Iterator[Group]:
        for group_id in self.offsets.group_ids():
            self.find(group_id)
        return iter(list(self.groups.values()))
