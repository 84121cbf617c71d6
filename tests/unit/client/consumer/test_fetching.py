"""Which fetches are sent, under which session, and what their responses change."""

from typing import Any

from ottla.client.consumer.assignment import Assignment
from ottla.client.consumer.fetch_buffer import FetchBuffer
from ottla.client.consumer.fetch_plan import FetchLimits, FetchPlan, PlannedFetch, plan_fetches
from ottla.client.consumer.fetch_response import FetchEffects, FetchResponseReader, ReadingRules, failed_fetch
from ottla.client.consumer.fetch_session import FINAL_EPOCH, FetchSession, Wanted
from ottla.client.consumer.positions import NO_NODE, PartitionState, Position, Readiness
from ottla.client.consumer.reset_policy import EARLIEST
from ottla.client.errors import AuthorizationFailed, ConnectionFailed
from ottla.client.metadata import NOTHING_KNOWN, Node
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.fetch_response import (
    CurrentLeader,
    FetchResponse,
    NodeEndpoints,
    Partitions,
    Responses,
)
from ottla.records.batch import patch_offset_and_epoch
from ottla.records.builder import build_batch
from ottla.records.record import Record

ID = bytes([1] * 16)
LIMITS = FetchLimits(max_bytes=10_000, partition_max_bytes=1_000)
ZERO, ONE, TWO = (TopicPartition("orders", number) for number in range(3))


def wanted(offset: int = 0, topic_id: bytes = ID) -> Wanted:
    return Wanted(topic_id, offset, 1000, 3)


# sessions


def test_a_session_names_partitions_once_and_then_what_changes() -> None:
    session = FetchSession()

    first = session.request({ZERO: wanted(), ONE: wanted()}, uses_topic_ids=True)
    assert (first.session_id, first.epoch, set(first.wanted)) == (0, 0, {ZERO, ONE})
    session.responded(55, ErrorCode.NONE)

    second = session.request({ZERO: wanted(9), ONE: wanted()}, uses_topic_ids=True)
    assert (second.session_id, second.epoch, dict(second.wanted), second.forgotten) == (55, 1, {ZERO: wanted(9)}, [])
    session.responded(55, ErrorCode.NONE)

    third = session.request({ONE: wanted(), TWO: wanted()}, uses_topic_ids=True)
    assert (third.epoch, set(third.wanted), third.forgotten) == (2, {TWO}, [(ZERO, ID)])


def test_a_session_that_the_broker_has_dropped_starts_anew() -> None:
    session = FetchSession()
    session.request({ZERO: wanted()}, uses_topic_ids=True)
    session.responded(55, ErrorCode.NONE)
    session.request({ZERO: wanted()}, uses_topic_ids=True)

    session.responded(0, ErrorCode.FETCH_SESSION_ID_NOT_FOUND)

    again = session.request({ZERO: wanted()}, uses_topic_ids=True)
    assert (again.session_id, again.epoch, set(again.wanted)) == (0, 0, {ZERO})


def test_after_a_lost_response_everything_is_named_again_and_the_old_session_closed() -> None:
    session = FetchSession()
    session.request({ZERO: wanted()}, uses_topic_ids=True)
    session.responded(55, ErrorCode.NONE)

    session.failed()

    again = session.request({ZERO: wanted()}, uses_topic_ids=True)
    assert (again.session_id, again.epoch, set(again.wanted)) == (55, 0, {ZERO})
    assert session.final_request().epoch == FINAL_EPOCH


def test_a_broker_without_room_gives_no_session() -> None:
    session = FetchSession()
    session.request({ZERO: wanted()}, uses_topic_ids=True)

    session.responded(0, ErrorCode.NONE)

    assert not session.is_open
    assert session.request({ZERO: wanted()}, uses_topic_ids=True).epoch == 0


def test_names_and_ids_are_not_mixed_in_a_session_and_a_new_id_is_another_topic() -> None:
    session = FetchSession()
    session.request({ZERO: wanted()}, uses_topic_ids=True)
    session.responded(55, ErrorCode.NONE)

    renamed = session.request({ZERO: wanted(topic_id=bytes([2] * 16))}, uses_topic_ids=True)
    assert renamed.forgotten == [(ZERO, ID)]
    by_name = session.request({ZERO: wanted(topic_id=bytes(16))}, uses_topic_ids=False)
    assert (by_name.session_id, by_name.epoch) == (0, 0)


# plans


def ready(assignment: Assignment, partition: TopicPartition, leader: int = 1, offset: int = 0) -> PartitionState:
    found = assignment.get(partition)
    assert found is not None
    found.leader_is(leader, 3)
    found.topic_id = ID
    found.reset_found(Position(offset, 3))
    return found


def assigned(*leaders: int) -> tuple[Assignment, list[PartitionState]]:
    assignment = Assignment(EARLIEST, uses_committed=False)
    partitions = [TopicPartition("orders", number) for number in range(len(leaders))]
    assignment.replace(partitions, NOTHING_KNOWN)
    return assignment, [ready(assignment, *each) for each in zip(partitions, leaders, strict=True)]


def plan(
    assignment: Assignment, *, in_flight: dict[int, int] | None = None, held: int = 0, now_ms: int = 0, only: Any = None
) -> FetchPlan:
    return plan_fetches(assignment, LIMITS, in_flight_bytes=in_flight or {}, held_bytes=held, only=only, now_ms=now_ms)


def test_each_node_gets_one_fetch_for_its_partitions() -> None:
    assignment, _ = assigned(1, 2, 1)

    fetches = {fetch.node_id: set(fetch.wanted) for fetch in plan(assignment).fetches}
    assert fetches == {1: {ZERO, TWO}, 2: {ONE}}
    assert [fetch.node_id for fetch in plan(assignment, in_flight={1: 10}).fetches] == [2]


def test_paused_unready_and_leaderless_partitions_are_left_out() -> None:
    assignment, states = assigned(1, 1, 1)
    states[0].is_paused = True
    states[1].needs_reset()
    states[2].leader_id = NO_NODE

    assert plan(assignment).fetches == []


def test_a_node_waits_while_one_of_its_partitions_has_much_buffered() -> None:
    assignment, states = assigned(1, 1)
    states[0].buffered_bytes = 501

    assert plan(assignment).fetches == []
    assert [set(fetch.wanted) for fetch in plan(assignment, only={ONE}).fetches] == [{ONE}]
    states[0].buffered_bytes = 500
    assert [set(fetch.wanted) for fetch in plan(assignment).fetches] == [{ZERO, ONE}]


def test_buffered_and_requested_bytes_stay_within_the_limit() -> None:
    assignment, _ = assigned(1, 2)

    both = plan(assignment).fetches
    assert [fetch.max_bytes for fetch in both] == [2500, 2500]
    assert plan(assignment, held=9_500).lacks_room
    assert plan(assignment, held=9_500).fetches == []
    assert [fetch.max_bytes for fetch in plan(assignment, held=7_000).fetches] == [2500]


def test_one_fetch_is_always_allowed_when_nothing_is_buffered() -> None:
    assignment, _ = assigned(1)
    tiny = FetchLimits(max_bytes=0, partition_max_bytes=0)

    fetches = plan_fetches(assignment, tiny, in_flight_bytes={}, held_bytes=0, only=None, now_ms=0).fetches

    assert [fetch.max_bytes for fetch in fetches] == [1]


def test_partitions_that_back_off_are_fetched_later() -> None:
    assignment, states = assigned(1)
    states[0].failed(ConnectionFailed("gone"), 100)

    assert plan(assignment, now_ms=99) == FetchPlan([], lacks_room=False, again_ms=100)
    assert len(plan(assignment, now_ms=100).fetches) == 1


# responses


def batch(offset: int, count: int) -> bytes:
    data = build_batch([Record(0, 0, None, b"v")] * count)
    patch_offset_and_epoch(data, 0, offset, 3)
    return bytes(data)


class Exchange:
    """A fetch of one partition, and its responses."""

    def __init__(self, node_id: int = 1) -> None:
        self.assignment, (self.state,) = assigned(1)
        self.buffer = FetchBuffer()
        rules = ReadingRules(
            is_committed_only=False, checks_crc=True, preferred_for_ms=1000, pause_ms=lambda failures: 50 * failures
        )
        self.reader = FetchResponseReader(self.buffer, rules)
        self.node_id = node_id
        self.send()

    def send(self) -> None:
        row = Wanted(ID, self.state.fetch_offset, 1000, 3)
        self.fetch = PlannedFetch(self.node_id, {ZERO: row}, {ZERO: self.state}, 1000)
        self.versions = {ZERO: self.state.version}

    def respond(self, code: int = 0, **fields: Any) -> FetchEffects:
        row = Partitions(0, code, **{"high_watermark": 100, **fields})
        response = FetchResponse(responses=[Responses(ID, "", [row])], node_endpoints=[NodeEndpoints(2, "b", 9093)])
        return self.reader.read(self.fetch, self.versions, response, 0)


def test_records_go_to_the_buffer_and_the_next_fetch_goes_on_behind_them() -> None:
    exchange = Exchange()

    assert exchange.respond(records=memoryview(batch(0, 5))).has_records

    assert exchange.state.fetch_offset == 5
    assert exchange.state.position == Position(0, 3)
    assert exchange.state.high_watermark == 100
    assert exchange.buffer.has_records()


def test_a_response_to_a_partition_that_has_jumped_is_ignored() -> None:
    exchange = Exchange()
    exchange.state.seek(Position(50))

    assert not exchange.respond(records=memoryview(batch(0, 5))).has_records
    assert exchange.state.fetch_offset == 50


def test_a_named_leader_is_passed_on_and_the_partition_backs_off() -> None:
    exchange = Exchange()

    effects = exchange.respond(ErrorCode.NOT_LEADER_OR_FOLLOWER, current_leader=CurrentLeader(2, 9))

    assert effects.wants_metadata
    assert [(leader.leader_id, leader.leader_epoch) for leader in effects.new_leaders] == [(2, 9)]
    assert effects.nodes == [Node(2, "b", 9093)]
    assert exchange.state.not_before_ms == 50
    assert effects.errors == []


def test_a_preferred_replica_is_taken_and_given_up_after_an_error() -> None:
    exchange = Exchange()
    exchange.respond(preferred_read_replica=2)
    assert exchange.state.read_node(0) == 2

    exchange.node_id = 2
    exchange.send()
    exchange.respond(ErrorCode.OFFSET_OUT_OF_RANGE)

    assert exchange.state.read_node(0) == 1
    assert exchange.state.readiness is Readiness.READY


def test_out_of_range_at_the_leader_resets() -> None:
    exchange = Exchange()

    effects = exchange.respond(ErrorCode.OFFSET_OUT_OF_RANGE)

    assert effects.has_jumped
    assert exchange.state.readiness is Readiness.NEEDS_RESET


def test_out_of_range_behind_buffered_records_only_drops_them() -> None:
    exchange = Exchange()
    exchange.respond(records=memoryview(batch(0, 5)))
    exchange.send()

    exchange.respond(ErrorCode.OFFSET_OUT_OF_RANGE)

    assert exchange.state.readiness is Readiness.READY
    assert exchange.state.fetch_offset == 0
    assert len(exchange.buffer) == 0


def test_a_missing_right_is_the_callers_and_an_unknown_error_is_not() -> None:
    exchange = Exchange()

    assert [type(error) for error in exchange.respond(ErrorCode.TOPIC_AUTHORIZATION_FAILED).errors] == [
        AuthorizationFailed
    ]
    exchange.send()
    assert exchange.respond(ErrorCode.UNKNOWN_SERVER_ERROR).errors == []


def test_a_fetch_that_fails_as_a_whole_is_repeated_at_the_leader() -> None:
    exchange = Exchange(node_id=2)
    exchange.state.prefer(2, 1000)

    failed_fetch(exchange.fetch, exchange.versions, ConnectionFailed("gone"), 70)

    assert exchange.state.read_node(0) == 1
    assert exchange.state.not_before_ms == 70
