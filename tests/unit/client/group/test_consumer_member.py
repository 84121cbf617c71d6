"""A member of a KIP-848 group, event by event."""

from typing import Any

from ottla.client.errors import ConnectionFailed, RequestRefused
from ottla.client.group.consumer_member import ConsumerMember
from ottla.client.group.member import MemberSettings, Stage
from ottla.client.retrying import Backoff
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.protocol.generated.consumer_group_heartbeat_response import (
    Assignment,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)
from ottla.sim.rng import SimRng

ORDERS, BILLS = bytes([1] * 16), bytes([2] * 16)
NAMES = {ORDERS: "orders", BILLS: "bills"}


class ConsumerMemberPlay:
    def __init__(self, **settings: Any) -> None:
        self.member = ConsumerMember(MemberSettings("g", **settings), Backoff(100, 1000, SimRng(1)), "me")
        self.now_ms = 0
        self.member.subscribe(["orders"], 0)

    def beat(self, epoch: int = 1, assigned: dict[bytes, list[int]] | None = None, code: int = 0) -> Any:
        request = self.member.next_request(self.now_ms)
        assert request is not None
        rows = None if assigned is None else [TopicPartitions(*row) for row in assigned.items()]
        response = ConsumerGroupHeartbeatResponse(
            error_code=code,
            member_epoch=epoch,
            heartbeat_interval_ms=5000,
            assignment=None if rows is None else Assignment(rows),
        )
        self.member.responded(request, response, self.now_ms)
        self.member.names_known(NAMES, self.now_ms)
        return request

    def call(self) -> tuple[str, set[int]]:
        call = self.member.begin_call()
        assert call is not None
        self.member.call_done(self.now_ms)
        return call.kind.value, {partition.partition for partition in call.partitions}

    def joined(self, *numbers: int) -> "ConsumerMemberPlay":
        self.beat(1, {ORDERS: list(numbers)})
        self.call()
        self.beat(1)
        assert self.member.next_request(self.now_ms) is None
        return self


def owned(request: Any) -> dict[bytes, list[int]] | None:
    if request.topic_partitions is None:
        return None
    return {row.topic_id: row.partitions for row in request.topic_partitions}


def test_the_first_heartbeat_says_everything_and_the_next_what_changed() -> None:
    play = ConsumerMemberPlay(server_assignor="range", rack="north")

    first = play.beat(1, {ORDERS: [0, 1]})
    assert (first.member_epoch, first.subscribed_topic_names, owned(first)) == (0, ["orders"], {})
    assert (first.server_assignor, first.rack_id, first.rebalance_timeout_ms) == ("range", "north", 300_000)
    assert play.member.stage is Stage.APPLYING
    assert play.call() == ("assigned", {0, 1})
    second = play.beat(1)
    assert (second.member_epoch, second.subscribed_topic_names, owned(second)) == (1, None, {ORDERS: [0, 1]})
    assert play.member.next_request(4999) is None
    play.now_ms = 5000
    third = play.beat(1)
    assert (third.rebalance_timeout_ms, owned(third)) == (-1, None)


def test_partitions_are_given_up_before_others_are_taken_and_that_is_reported_at_once() -> None:
    play = ConsumerMemberPlay().joined(0, 1)
    play.now_ms = 5000

    play.beat(2, {ORDERS: [1, 2]})

    assert play.call() == ("revoked", {0})
    assert owned(play.beat(2)) == {ORDERS: [1]}
    assert play.call() == ("assigned", {2})
    assert owned(play.beat(2)) == {ORDERS: [1, 2]}


def test_an_unchanged_assignment_calls_nobody() -> None:
    play = ConsumerMemberPlay().joined(0)
    play.now_ms = 5000

    play.beat(3, {ORDERS: [0]})

    assert play.member.call is None
    assert play.member.metadata.generation_id == 3


def test_a_topic_without_a_name_is_taken_when_it_has_one() -> None:
    play = ConsumerMemberPlay().joined(0)
    unknown = bytes([9] * 16)
    play.now_ms = 5000
    play.beat(2, {ORDERS: [0], unknown: [5]})
    assert play.member.unknown_ids == [unknown]
    assert play.member.call is None

    play.member.names_known({unknown: "late"}, play.now_ms)

    call = play.member.begin_call()
    assert call is not None
    assert call.partitions == {TopicPartition("late", 5)}


def test_after_a_lost_response_everything_is_said_again() -> None:
    play = ConsumerMemberPlay().joined(0)
    play.now_ms = 5000
    request = play.member.next_request(play.now_ms)
    assert request is not None
    play.member.failed(request, ConnectionFailed("gone"), play.now_ms)

    assert play.member.next_request(play.now_ms) is None
    play.now_ms += 1000
    again = play.beat(1)
    assert (again.member_epoch, again.subscribed_topic_names, owned(again)) == (1, ["orders"], {ORDERS: [0]})


def test_a_fenced_member_loses_its_partitions_and_joins_again_as_the_same() -> None:
    play = ConsumerMemberPlay().joined(0)
    play.now_ms = 5000

    play.beat(code=ErrorCode.FENCED_MEMBER_EPOCH)

    assert not play.member.may_commit
    assert play.member.next_request(play.now_ms + 60_000) is None  # the application comes first
    assert play.call() == ("lost", {0})
    play.now_ms += 1000
    again = play.beat(5, {ORDERS: [0]})
    assert (again.member_id, again.member_epoch, owned(again)) == ("me", 0, {})
    assert play.call() == ("assigned", {0})


def test_a_pattern_is_sent_to_the_broker_and_taken_back() -> None:
    play = ConsumerMemberPlay().joined(0)
    play.member.subscribe([], play.now_ms, pattern="orders-.*")

    request = play.beat(2)
    assert (request.subscribed_topic_names, request.subscribed_topic_regex) == ([], "orders-.*")
    play.member.subscribe(["orders"], play.now_ms)
    request = play.beat(2)
    assert (request.subscribed_topic_names, request.subscribed_topic_regex) == (["orders"], "")


def test_leaving_has_an_epoch_of_its_own() -> None:
    dynamic, static = (
        ConsumerMemberPlay().joined(0).member.leave_request(),
        ConsumerMemberPlay(instance_id="i").joined(0).member.leave_request(),
    )

    assert dynamic is not None
    assert static is not None
    assert (dynamic.member_epoch, static.member_epoch) == (-1, -2)


def test_a_member_whose_instance_id_was_taken_over_is_finished() -> None:
    play = ConsumerMemberPlay(instance_id="i").joined(0)
    play.now_ms = 5000

    play.beat(code=ErrorCode.FENCED_INSTANCE_ID)

    assert isinstance(play.member.fatal, RequestRefused)
    assert play.call() == ("lost", {0})
    assert play.member.next_request(10**6) is None


def test_an_application_that_does_not_poll_is_out_until_it_does() -> None:
    play = ConsumerMemberPlay().joined(0)

    play.member.poll_expired(0)
    play.member.left()

    assert play.member.next_request(10**6) is None
    assert play.call() == ("lost", {0})
    play.member.polled(0)
    assert play.beat().member_epoch == 0
