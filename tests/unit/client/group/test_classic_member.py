"""A classic member, event by event: eager and cooperative rebalances, losses, leaving."""

from typing import Any

import pytest

from ottla.client.errors import AuthorizationFailed, ConnectionFailed, RequestRefused
from ottla.client.group.assignors import chosen_assignors
from ottla.client.group.classic_member import ClassicMember
from ottla.client.group.member import CallKind, MemberSettings, Stage
from ottla.client.group.subscription_bytes import assignment_bytes, read_assignment, read_subscription
from ottla.client.retrying import Backoff
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from ottla.protocol.generated import join_group_response
from ottla.protocol.generated.heartbeat_request import HeartbeatRequest
from ottla.protocol.generated.heartbeat_response import HeartbeatResponse
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse
from ottla.sim.rng import SimRng


def orders(*numbers: int) -> frozenset[TopicPartition]:
    return frozenset(TopicPartition("orders", number) for number in numbers)


class ClassicMemberPlay:
    """One member and its coordinator."""

    def __init__(self, strategy: str = "range", **settings: Any) -> None:
        assignors = tuple(chosen_assignors(strategy.split(",")))
        self.strategy = strategy.split(",")[0]
        self.member = ClassicMember(MemberSettings("g", assignors=assignors, **settings), Backoff(100, 1000, SimRng(1)))
        self.now_ms = 0
        self.generation = 0

    def stage(self) -> Stage:
        return self.member.stage

    def next(self) -> Any:
        return self.member.next_request(self.now_ms)

    def respond(self, request: Any, response: Any) -> None:
        self.member.responded(request, response, self.now_ms)

    def join(self, *, leader: str = "other", code: int = 0, member_id: str = "me", **fields: Any) -> Any:
        request = self.next()
        assert isinstance(request, JoinGroupRequest)
        if not code:
            self.generation += 1
        self.respond(
            request,
            JoinGroupResponse(
                error_code=code,
                generation_id=self.generation,
                protocol_name=self.strategy,
                leader=leader,
                member_id=member_id,
                **fields,
            ),
        )
        return request

    def sync(self, *numbers: int, code: int = 0) -> Any:
        request = self.next()
        assert isinstance(request, SyncGroupRequest)
        self.respond(request, SyncGroupResponse(error_code=code, assignment=assignment_bytes(orders(*numbers))))
        return request

    def heartbeat(self, code: int = 0, after_ms: int = 3000) -> None:
        self.now_ms += after_ms
        request = self.next()
        assert isinstance(request, HeartbeatRequest)
        self.respond(request, HeartbeatResponse(error_code=code))

    def call(self) -> tuple[str, set[int]]:
        """The application does what it is asked for."""
        call = self.member.begin_call()
        assert call is not None
        self.member.call_done(self.now_ms)
        return call.kind.value, {partition.partition for partition in call.partitions}

    def joined(self, *numbers: int) -> "ClassicMemberPlay":
        self.member.subscribe(["orders"], 0)
        self.join()
        self.sync(*numbers)
        self.call()
        assert self.member.stage is Stage.STABLE
        return self


def test_a_member_joins_syncs_and_waits_for_the_application() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    assert play.stage() is Stage.JOINING
    play.join()
    assert play.stage() is Stage.SYNCING
    play.sync(0, 1)

    assert play.stage() is Stage.APPLYING
    assert play.member.owned == set()
    assert play.call() == ("assigned", {0, 1})
    assert play.stage() is Stage.STABLE
    assert play.member.owned == orders(0, 1)
    assert play.member.metadata == ("g", 1, "me", None)


def test_a_member_that_needs_an_id_joins_again_with_it() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    play.join(code=ErrorCode.MEMBER_ID_REQUIRED, member_id="given")

    assert play.next().member_id == "given"


def test_the_leader_assigns_by_the_counts_of_all_topics_that_members_want() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    mine = play.next().protocols[0].metadata
    theirs = ClassicMemberPlay()
    theirs.member.subscribe(["bills", "orders"], 0)
    metadata = theirs.next().protocols[0].metadata
    members = [join_group_response.Members("me", None, mine), join_group_response.Members("you", None, metadata)]
    play.join(leader="me", members=members)

    assert play.member.waits_for_counts
    assert play.next() is None
    assert play.member.topics_to_know == {"orders", "bills"}
    play.member.counts_known({"orders": 2, "bills": 1}, 0)
    request = play.sync(0)

    assigned = {row.member_id: read_assignment(row.assignment) for row in request.assignments}
    assert assigned == {"me": [TopicPartition("orders", 0)], "you": [("bills", 0), ("orders", 1)]}
    play.call()
    play.member.counts_known({"orders": 2, "bills": 1}, 0)
    assert play.stage() is Stage.STABLE
    play.member.counts_known({"orders": 3, "bills": 1}, 0)
    assert play.stage() is Stage.PREPARING


def test_the_leader_joins_again_when_a_replica_comes_to_a_rack_of_the_group_and_not_when_one_is_away() -> None:
    play = ClassicMemberPlay(rack="x")
    play.member.subscribe(["orders"], 0)
    members = [join_group_response.Members("me", None, play.next().protocols[0].metadata)]
    play.join(leader="me", members=members)
    (zero,) = orders(0)
    play.member.counts_known({"orders": 1}, 0, {zero: frozenset("yz")})
    play.sync(0)
    play.call()

    play.member.counts_known({"orders": 1}, 0, {zero: frozenset("y")})
    assert play.stage() is Stage.STABLE
    play.member.counts_known({"orders": 1}, 0, {zero: frozenset("xy")})
    assert play.stage() is Stage.PREPARING


def test_an_eager_member_gives_up_everything_before_it_joins_again() -> None:
    play = ClassicMemberPlay().joined(0, 1)

    play.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)

    assert play.stage() is Stage.PREPARING
    assert play.member.may_commit
    play.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)  # it stays alive until the application has done its part
    assert play.call() == ("revoked", {0, 1})
    play.join()
    assert not play.member.may_commit
    play.sync(1)
    assert play.call() == ("assigned", {1})
    assert play.stage() is Stage.STABLE


def test_a_cooperative_member_keeps_what_it_has_and_gives_up_what_it_lost() -> None:
    play = ClassicMemberPlay("cooperative-sticky").joined(0, 1)

    play.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    request = play.join()
    seen = read_subscription("cooperative-sticky", "me", None, request.protocols[0].metadata)
    assert set(seen.owned) == orders(0, 1)
    assert seen.generation == 1
    play.sync(0, 2)

    assert play.call() == ("revoked", {1})
    assert play.call() == ("assigned", {2})
    assert play.member.owned == orders(0, 2)
    play.join()  # so that somebody else can have it
    play.sync(0, 2)
    assert play.call() == ("assigned", set())
    assert play.stage() is Stage.STABLE


def test_a_sticky_member_tells_the_leader_what_it_had() -> None:
    play = ClassicMemberPlay("sticky").joined(0, 1)
    play.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    play.call()

    seen = read_subscription("sticky", "me", None, play.next().protocols[0].metadata)

    assert set(seen.owned) == orders(0, 1)
    assert seen.generation == 1


@pytest.mark.parametrize("code", [ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.ILLEGAL_GENERATION])
def test_a_member_that_was_removed_loses_its_partitions_and_joins_again(code: int) -> None:
    play = ClassicMemberPlay("cooperative-sticky").joined(0)

    play.heartbeat(code)

    assert not play.member.may_commit
    assert play.call() == ("lost", {0})
    play.now_ms += 1000
    request = play.next()
    assert isinstance(request, JoinGroupRequest)
    assert request.member_id == ("" if code == ErrorCode.UNKNOWN_MEMBER_ID else "me")


def test_a_call_that_is_under_way_is_not_taken_back() -> None:
    play = ClassicMemberPlay().joined(0)
    play.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    running = play.member.begin_call()
    assert running is not None
    assert running.kind is CallKind.REVOKED

    play.heartbeat(ErrorCode.UNKNOWN_MEMBER_ID)

    assert play.member.call == running
    play.member.call_done(play.now_ms)
    assert play.member.owned == set()
    assert play.member.call is None
    assert play.stage() is Stage.JOINING


def test_an_assignment_that_the_application_has_not_seen_is_replaced() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    play.join()
    play.sync(0, 1)

    play.heartbeat(ErrorCode.REBALANCE_IN_PROGRESS)
    play.join()
    play.sync(1)

    assert play.call() == ("assigned", {1})
    assert play.member.call is None


def test_a_rebalance_during_the_sync_has_it_join_again() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    play.join()
    play.sync(code=ErrorCode.REBALANCE_IN_PROGRESS)

    assert isinstance(play.next(), JoinGroupRequest)


def test_failures_are_repeated_with_back_off() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    request = play.next()
    play.member.failed(request, ConnectionFailed("gone"), 0)

    assert play.next() is None
    assert play.member.due_ms is not None
    play.now_ms = play.member.due_ms
    assert isinstance(play.next(), JoinGroupRequest)
    assert play.member.error is None


def test_a_missing_right_is_an_error_for_the_caller() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    play.join(code=ErrorCode.GROUP_AUTHORIZATION_FAILED)

    assert isinstance(play.member.error, AuthorizationFailed)
    assert play.stage() is Stage.JOINING


def test_a_member_whose_instance_id_was_taken_over_is_finished() -> None:
    play = ClassicMemberPlay(instance_id="i").joined(0)

    play.heartbeat(ErrorCode.FENCED_INSTANCE_ID)

    assert isinstance(play.member.fatal, RequestRefused)
    assert play.stage() is Stage.FAILED
    assert play.call() == ("lost", {0})
    assert play.next() is None


def test_a_changed_subscription_has_it_join_again() -> None:
    play = ClassicMemberPlay().joined(0)

    play.member.subscribe(["orders", "bills"], 0)

    assert play.call() == ("revoked", {0})
    seen = read_subscription("range", "me", None, play.next().protocols[0].metadata)
    assert seen.topics == {"orders", "bills"}


def test_a_subscription_that_changes_during_a_rebalance_takes_effect_after_it() -> None:
    play = ClassicMemberPlay()
    play.member.subscribe(["orders"], 0)
    play.join()
    play.member.subscribe(["bills"], 0)
    play.sync(0)

    assert isinstance(play.next(), JoinGroupRequest)


def test_an_application_that_does_not_poll_is_out_until_it_does() -> None:
    play = ClassicMemberPlay().joined(0)

    play.member.poll_expired(0)
    leave = play.member.leave_request()
    play.member.left()

    assert leave is not None
    assert leave.members[0].member_id == "me"
    assert play.next() is None
    assert play.stage() is Stage.EXPIRED
    assert play.call() == ("lost", {0})
    play.member.polled(0)
    request = play.next()
    assert isinstance(request, JoinGroupRequest)
    assert request.member_id == ""


def test_a_static_member_does_not_leave() -> None:
    play = ClassicMemberPlay(instance_id="i").joined(0)

    assert play.member.leave_request() is None


def test_the_strategies_are_named_as_in_kafka() -> None:
    names = [
        assignor.name
        for assignor in chosen_assignors(["org.apache.kafka.clients.consumer.StickyAssignor", "roundrobin", "sticky"])
    ]

    assert names == ["sticky", "roundrobin"]
    with pytest.raises(InvalidConfig, match="nearest: must be one or more of range"):
        chosen_assignors(["nearest"])
    assert isinstance(ClassicMemberPlay("range,cooperative-sticky").joined(0).member, ClassicMember)
