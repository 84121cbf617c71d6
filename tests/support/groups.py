"""A group coordinator on a log of bytes, with a clock that the test moves: tests read like a story.

Every decision is carried out as the host does it. An operation alone must not change hard state, and `check_invariants`
replays the bytes into a new shard and compares.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from ottla.coordination.shard import Decision, Now, RecordOrigin
from ottla.coordination.timers import KeyedTimers
from ottla.groups.client import Client
from ottla.groups.records import GroupRecord, GroupRecordCodec
from ottla.groups.settings import GroupSettings
from ottla.groups.shard import GroupShard
from ottla.groups.topics import TopicInfo, TopicTable
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import NO_TOPIC_ID
from ottla.protocol.generated import consumer_group_heartbeat_request as heartbeat_request
from ottla.protocol.generated import (
    join_group_request,
    leave_group_request,
    offset_commit_request,
    offset_delete_request,
    offset_fetch_request,
    sync_group_request,
    txn_offset_commit_request,
)
from ottla.protocol.generated.consumer_group_heartbeat_request import ConsumerGroupHeartbeatRequest
from ottla.protocol.generated.consumer_group_heartbeat_response import ConsumerGroupHeartbeatResponse
from ottla.protocol.generated.consumer_protocol_assignment import ConsumerProtocolAssignment
from ottla.protocol.generated.consumer_protocol_subscription import ConsumerProtocolSubscription
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest
from ottla.protocol.generated.offset_delete_request import OffsetDeleteRequest
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse
from ottla.protocol.generated.txn_offset_commit_request import TxnOffsetCommitRequest

R = TypeVar("R")
START_MS = 1_700_000_000_000
#: The wall clock is far from the monotonic one, so that nobody can mix them up and pass.
MONOTONIC_START_MS = 5_000


class CountingRng:
    """Ids that can be told apart in a failing test."""

    def __init__(self) -> None:
        self._count = 0

    def below(self, limit: int) -> int:
        return 0

    def random_bytes(self, count: int) -> bytes:
        return bytes(count)

    def uuid(self) -> bytes:
        self._count += 1
        return self._count.to_bytes(16, "big")


class LoggedRecord(NamedTuple):
    key: bytes | None
    value: bytes | None
    origin: RecordOrigin


class LoggedMarker(NamedTuple):
    producer_id: int
    committed: bool


def topic_id(name: str) -> bytes:
    return name.encode().rjust(16, b"-")[:16]


def a_topic(name: str, partition_count: int, racks: Iterable[Iterable[str]] = ()) -> TopicInfo:
    return TopicInfo(name, topic_id(name), partition_count, [frozenset(names) for names in racks])


def subscription(*topics: str, owned: Mapping[str, list[int]] | None = None, version: int = 1) -> bytes:
    from ottla.protocol.generated.consumer_protocol_subscription import OwnedPartitions

    message = ConsumerProtocolSubscription(
        topics=list(topics),
        owned_partitions=[OwnedPartitions(topic=name, partitions=found) for name, found in (owned or {}).items()],
    )
    data = bytearray(version.to_bytes(2, "big"))
    message.encode(data, version)
    return bytes(data)


def assigned_in(data: bytes) -> dict[str, list[int]]:
    assignment, _ = ConsumerProtocolAssignment.decode(data, 2, int.from_bytes(data[:2], "big"))
    return {entry.topic: entry.partitions for entry in assignment.assigned_partitions}


class Pending:
    """One parked request of a member: `response` is None until it is answered."""

    def __init__(self) -> None:
        self.response: Any = None


class Person:
    """What a client program knows of its own membership."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.member_id = ""
        self.instance_id: str | None = None
        self.generation = -1
        self.last: Pending = Pending()


class GroupTest:
    """One shard. The short methods speak of the group `group_id`; members are called by short names."""

    def __init__(self, *, topics: Iterable[TopicInfo] = (), group_id: str = "g", **settings: Any) -> None:
        self.group_id = group_id
        self.settings = GroupSettings(**{"initial_rebalance_delay_ms": 0, **settings})
        self.topics = TopicTable(topics)
        self.codec = GroupRecordCodec()
        self.rng = CountingRng()
        self.log: list[LoggedRecord | LoggedMarker] = []
        self.now_ms = 0
        self.wall_jump_ms = 0
        self.people: dict[str, Person] = {}
        self.pending: dict[int, Pending] = {}
        self.on_answer: Callable[[Pending], None] | None = None
        self.on_turn: Callable[[Decision[Any]], None] | None = None
        self._tickets = 0
        self._start()

    # -- what the host does

    def _start(self) -> None:
        self.shard = self._loaded()
        self.timers = KeyedTimers()
        self.run(self.shard.on_loaded)

    def _loaded(self) -> GroupShard:
        shard = GroupShard(self.settings, self.topics, self.rng)
        for entry in self.log:
            if isinstance(entry, LoggedMarker):
                shard.apply_marker(entry.producer_id, 0, committed=entry.committed)
            else:
                record = self.codec.decode(entry.key, entry.value)
                assert record is not None
                shard.apply(record, entry.origin)
        return shard

    @property
    def now(self) -> Now:
        return Now(START_MS + self.now_ms + self.wall_jump_ms, MONOTONIC_START_MS + self.now_ms)

    def run(self, operation: Callable[[Now], Decision[R]]) -> R:
        # Comparing the whole state around each operation is dear when there are thousands of groups.
        before = repr(self.shard.hard_state()) if len(self.log) < 500 else ""
        decision = operation(self.now)
        assert not before or repr(self.shard.hard_state()) == before, "an operation changed hard state"
        if self.on_turn is not None and decision.records:
            self.on_turn(decision)
        self._carry_out(decision)
        return decision.response  # type: ignore[return-value]

    def _park(self, operation: Callable[[Now, int], Decision[Any]]) -> Pending:
        self._tickets += 1
        ticket = self._tickets
        pending = self.pending[ticket] = Pending()
        response = self.run(lambda now: operation(now, ticket))
        if response is not None:
            del self.pending[ticket]
            pending.response = response
        self._run_due()
        return pending

    def _carry_out(self, decision: Decision[Any]) -> None:
        for record in decision.records:
            self._append(record, decision)
        for order in decision.timers:
            self.timers.carry_out(order, self.now.monotonic_ms)
        for answer in decision.answers:
            pending = self.pending.pop(answer.ticket)
            assert pending.response is None
            pending.response = answer.response
            if self.on_answer is not None:
                self.on_answer(pending)

    def _append(self, record: GroupRecord, decision: Decision[Any]) -> None:
        key, value = self.codec.encode(record)
        producer = decision.producer
        origin = RecordOrigin(
            len(self.log),
            self.now.wall_ms,
            producer.producer_id if producer else -1,
            producer.producer_epoch if producer else -1,
            producer is not None,
        )
        self.log.append(LoggedRecord(key, value, origin))
        self.shard.apply(record, origin)

    def time_passes(self, duration_ms: int) -> None:
        """Timers run at the moment they are due, one after the other."""
        end_ms = self.now_ms + duration_ms
        while True:
            deadline_ms = self.timers.next_deadline_ms()
            if deadline_ms is None or deadline_ms - MONOTONIC_START_MS > end_ms:
                break
            self.now_ms = max(self.now_ms, deadline_ms - MONOTONIC_START_MS)
            self._run_due()
        self.now_ms = end_ms

    def _run_due(self) -> None:
        while operation := self.timers.take_due(self.now.monotonic_ms):
            self.run(operation)

    def restart(self) -> None:
        """The coordinator moves: what was parked is lost, the log is read again."""
        self.pending.clear()
        self.shard.on_unloaded()
        self._start()

    def transaction_ends(self, producer_id: int, *, committed: bool) -> None:
        self.log.append(LoggedMarker(producer_id, committed))
        self.shard.apply_marker(producer_id, 0, committed=committed)

    def topics_become(self, *topics: TopicInfo) -> None:
        self.topics = TopicTable(topics)
        self.shard.topics_changed(self.topics)

    def check_invariants(self) -> None:
        assert repr(self._loaded().hard_state()) == repr(self.shard.hard_state())

    # -- classic members

    def person(self, name: str) -> Person:
        return self.people.setdefault(name, Person(name))

    def join(
        self,
        name: str,
        *,
        version: int = 9,
        protocols: Iterable[tuple[str, bytes]] = (("range", b"\0\1\0\0\0\0"),),
        instance_id: str | None = None,
        session_timeout_ms: int = 10_000,
        rebalance_timeout_ms: int = 60_000,
        protocol_type: str = "consumer",
        as_new: bool = False,
    ) -> Pending:
        """Sends JoinGroup, twice when the coordinator asks to come again with the id it gave."""
        person = self.person(name)
        person.instance_id = instance_id
        if as_new:
            person.member_id = ""
        request = JoinGroupRequest(
            group_id=self.group_id,
            session_timeout_ms=session_timeout_ms,
            rebalance_timeout_ms=rebalance_timeout_ms,
            member_id=person.member_id,
            group_instance_id=instance_id,
            protocol_type=protocol_type,
            protocols=[join_group_request.Protocols(name=each, metadata=metadata) for each, metadata in protocols],
        )
        pending = self.ask_to_join(request, version, name)
        if pending.response is not None and pending.response.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            request.member_id = pending.response.member_id
            pending = self.ask_to_join(request, version, name)
        person.last = pending
        return pending

    def ask_to_join(self, request: JoinGroupRequest, version: int, name: str) -> Pending:
        client = Client(name, f"/{name}")
        return self._park(
            lambda now, ticket: self.shard.join_group(request, version=version, client=client, ticket=ticket, now=now)
        )

    def joined(self, name: str) -> JoinGroupResponse:
        """The answer to the member's last JoinGroup, which must have come; the member takes note of it."""
        person = self.person(name)
        response = person.last.response
        assert isinstance(response, JoinGroupResponse), f"{name} still waits"
        if response.error_code == ErrorCode.NONE:
            person.member_id, person.generation = response.member_id, response.generation_id
        return response

    def sync(self, name: str, assignments: Mapping[str, bytes] | None = None, *, version: int = 5) -> Pending:
        """`assignments` by the short names of members: what a leader sends."""
        person = self.person(name)
        request = SyncGroupRequest(
            group_id=self.group_id,
            generation_id=person.generation,
            member_id=person.member_id,
            group_instance_id=person.instance_id,
            protocol_type="consumer",
            protocol_name="range",
            assignments=[
                sync_group_request.Assignments(member_id=self.person(other).member_id, assignment=data)
                for other, data in (assignments or {}).items()
            ],
        )
        person.last = self._park(
            lambda now, ticket: self.shard.sync_group(request, version=version, ticket=ticket, now=now)
        )
        return person.last

    def synced(self, name: str) -> SyncGroupResponse:
        response = self.person(name).last.response
        assert isinstance(response, SyncGroupResponse), f"{name} still waits"
        return response

    def has_stable_group(self, *names: str, **more: Any) -> None:
        """The members join one after another, the first leads, all have their assignment (their own name)."""
        present: list[str] = []
        for name in names:
            self.join(name, **more)
            for other in present:
                self.join(other, **more)
            present.append(name)
            self.settle(*present)

    def settle(self, *names: str) -> None:
        """Everybody who waits has joined; the leader assigns, all get their bytes."""
        for name in names:
            self.joined(name)
        leader = next(name for name in names if self.joined(name).leader == self.person(name).member_id)
        for name in [*(each for each in names if each != leader), leader]:
            self.sync(name, {each: each.encode() for each in names} if name == leader else None)
        for name in names:
            assert self.synced(name).error_code == ErrorCode.NONE

    def heartbeat(self, name: str, *, generation: int | None = None) -> ErrorCode:
        person = self.person(name)
        request = HeartbeatRequest(
            group_id=self.group_id,
            generation_id=person.generation if generation is None else generation,
            member_id=person.member_id,
            group_instance_id=person.instance_id,
        )
        return ErrorCode(self.run(lambda now: self.shard.heartbeat(request, now=now)).error_code)

    def leave(self, *names: str) -> list[ErrorCode]:
        request = LeaveGroupRequest(
            group_id=self.group_id,
            members=[
                leave_group_request.Members(
                    member_id=self.person(name).member_id, group_instance_id=self.person(name).instance_id
                )
                for name in names
            ],
        )
        response = self.run(lambda now: self.shard.leave_group(request, version=5, now=now))
        self._run_due()
        return [ErrorCode(member.error_code) for member in response.members]

    # -- consumer members

    def beat(
        self,
        name: str,
        *topics: str,
        epoch: int | None = None,
        owned: Mapping[str, Iterable[int]] | None = None,
        version: int = 1,
        **fields: Any,
    ) -> ConsumerGroupHeartbeatResponse:
        """ConsumerGroupHeartbeat. With topics the member joins (epoch 0) unless another epoch is given."""
        person = self.person(name)
        person.instance_id = fields.get("instance_id", person.instance_id)
        is_joining = epoch == 0 or (epoch is None and person.generation <= 0)
        if is_joining:
            fields = {"rebalance_timeout_ms": 60_000, "topic_partitions": [], **fields}
            if "subscribed_topic_regex" not in fields:
                fields.setdefault("subscribed_topic_names", list(topics))
        elif topics:
            fields.setdefault("subscribed_topic_names", list(topics))
        if owned is not None:
            fields["topic_partitions"] = [
                heartbeat_request.TopicPartitions(topic_id=topic_id(topic), partitions=list(partitions))
                for topic, partitions in owned.items()
            ]
        fields.setdefault("instance_id", person.instance_id)
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group_id,
            member_id=fields.pop("member_id", name),
            member_epoch=(0 if is_joining else person.generation) if epoch is None else epoch,
            **fields,
        )
        client = Client(name, f"/{name}")
        response = self.run(
            lambda now: self.shard.consumer_group_heartbeat(request, version=version, client=client, now=now)
        )
        self._run_due()
        if response.error_code == ErrorCode.NONE:
            person.generation = response.member_epoch
            person.member_id = response.member_id or ""
        return response

    def steps_down(self, name: str, *, epoch: int = -1) -> ErrorCode:
        """A consumer member leaves; with -2 a static one that will be back."""
        response = self.beat(name, epoch=epoch)
        self.person(name).generation = -1
        return ErrorCode(response.error_code)

    def consumer_group(self) -> Any:
        return self.shard.describe_consumer_group(self.group_id).response

    def assigned(self, name: str) -> dict[str, list[int]]:
        """What the coordinator says the member has."""
        return self._partitions(name, "assignment")

    def target(self, name: str) -> dict[str, list[int]]:
        return self._partitions(name, "target_assignment")

    def _partitions(self, name: str, which: str) -> dict[str, list[int]]:
        member_id = self.person(name).member_id or name
        member = next(member for member in self.consumer_group().members if member.member_id == member_id)
        return {entry.topic_name: entry.partitions for entry in getattr(member, which).topic_partitions}

    # -- offsets

    def commit(
        self,
        name: str | None,
        offset: int,
        *,
        topic: str = "orders",
        partition: int = 0,
        version: int = 9,
        metadata: str | None = "",
        retention_ms: int = -1,
        generation: int | None = None,
    ) -> ErrorCode:
        """Without a name: a tool, or a consumer without membership."""
        person = self.person(name) if name else Person("")
        info = self.topics.by_name(topic)
        request = OffsetCommitRequest(
            group_id=self.group_id,
            generation_id_or_member_epoch=person.generation if generation is None else generation,
            member_id=person.member_id,
            group_instance_id=person.instance_id,
            retention_time_ms=retention_ms,
            topics=[
                offset_commit_request.Topics(
                    name=topic,
                    topic_id=info.topic_id if info else NO_TOPIC_ID,
                    partitions=[
                        offset_commit_request.Partitions(
                            partition_index=partition, committed_offset=offset, committed_metadata=metadata
                        )
                    ],
                )
            ],
        )
        response = self.run(lambda now: self.shard.commit_offsets(request, version=version, now=now))
        return ErrorCode(response.topics[0].partitions[0].error_code)

    def commit_in_transaction(
        self, offset: int, *, producer_id: int = 7, topic: str = "orders", partition: int = 0, **fields: Any
    ) -> ErrorCode:
        request = TxnOffsetCommitRequest(
            transactional_id="t",
            group_id=self.group_id,
            producer_id=producer_id,
            producer_epoch=0,
            topics=[
                txn_offset_commit_request.Topics(
                    name=topic,
                    partitions=[
                        txn_offset_commit_request.Partitions(partition_index=partition, committed_offset=offset)
                    ],
                )
            ],
            **fields,
        )
        response = self.run(lambda now: self.shard.commit_transactional_offsets(request, now=now))
        return ErrorCode(response.topics[0].partitions[0].error_code)

    def fetch(self, topic: str = "orders", partition: int = 0, **more: Any) -> Any:
        """The partition's entry in the answer to OffsetFetch."""
        response = self.fetch_group({topic: [partition]}, **more)
        return response.topics[0].partitions[0]

    def fetch_group(
        self, topics: Mapping[str, list[int]] | None, *, require_stable: bool = False, **fields: Any
    ) -> Any:
        request = offset_fetch_request.Groups(
            group_id=self.group_id,
            topics=None
            if topics is None
            else [
                offset_fetch_request.GroupsTopics(name=name, partition_indexes=partitions)
                for name, partitions in topics.items()
            ],
            **fields,
        )
        return self.shard.fetch_offsets(request, require_stable=require_stable).response

    def committed(self, topic: str = "orders", partition: int = 0) -> int:
        return int(self.fetch(topic, partition).committed_offset)

    def delete_offsets(self, topic: str = "orders", partition: int = 0) -> tuple[ErrorCode, list[ErrorCode]]:
        request = OffsetDeleteRequest(
            group_id=self.group_id,
            topics=[
                offset_delete_request.Topics(
                    name=topic, partitions=[offset_delete_request.Partitions(partition_index=partition)]
                )
            ],
        )
        response = self.run(lambda now: self.shard.delete_offsets(request, now=now))
        codes = [ErrorCode(each.error_code) for found in response.topics for each in found.partitions]
        return ErrorCode(response.error_code), codes

    # -- tools

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
