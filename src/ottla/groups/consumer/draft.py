"""A consumer group as it will be when the records of the running operation are applied.

Operations never change hard state, but a heartbeat takes several steps, each on the result of the one before. The draft
is a copy, made at the first record, to which the records are applied at once.
"""

from ottla.groups.operation import GroupOperation
from ottla.groups.records import GroupRecord
from ottla.groups.state.classic_group import ClassicGroup
from ottla.groups.state.consumer_group import ConsumerGroup
from ottla.protocol.message import Message


class Draft:
    __slots__ = ("_is_copy", "group", "operation", "upgraded")

    def __init__(self, operation: GroupOperation, group: ConsumerGroup | None, group_id: str) -> None:
        self.operation = operation
        self.group = group or ConsumerGroup(group_id)
        self._is_copy = group is None
        #: The classic group that becomes this group with the records of the operation.
        self.upgraded: ClassicGroup | None = None

    def write(self, record: GroupRecord) -> None:
        if not self._is_copy:
            self.group = self.group.copy()
            self._is_copy = True
        self.group.apply(record)
        self.operation.decision.records.append(record)

    def put(self, key: Message, value: Message | None) -> None:
        self.write(GroupRecord(key, value))
