"""What the witness of a group takes for a fault, and what it does not."""

import pytest

from ottla.model.topic import TopicPartition
from ottla.sim.checkers.groups import GroupWitness, MemberIdentity
from ottla.sim.history import History

PARTITION = TopicPartition("orders", 0)
ANNA, BERT = MemberIdentity("anna", None), MemberIdentity("bert", None)
SESSION_S = 3.0


class Clock:
    now_s = 0.0

    def time(self) -> float:
        return self.now_s


class WitnessStage:
    def __init__(self, *, may_restart: bool) -> None:
        self.history = History()
        self.clock = Clock()
        self.witness = GroupWitness(
            "group",
            self.history,
            self.clock,  # type: ignore[arg-type]  # only its time is asked
            session_timeout_ms=int(SESSION_S * 1000),
            may_restart=may_restart,
        )

    def granted(self, member: MemberIdentity, epoch: int, at_s: float) -> None:
        """Asked and answered within a moment."""
        self.clock.now_s = at_s + 0.001
        self.witness.granted(member, epoch, [PARTITION], at_s)

    def commits(self, member: MemberIdentity, epoch: int) -> None:
        attempt = self.witness.commit_begins(member, epoch, {PARTITION: 5})
        self.witness.commit_ends(attempt, [PARTITION])

    @property
    def found(self) -> list[str]:
        return [finding.kind for finding in self.history.findings]


@pytest.fixture
def migrating() -> WitnessStage:
    return WitnessStage(may_restart=True)


@pytest.mark.parametrize("may_restart", [False, True])
def test_two_owners_in_one_epoch_are_found(may_restart: bool) -> None:
    stage = WitnessStage(may_restart=may_restart)
    stage.granted(ANNA, 4, 1.0)
    stage.granted(BERT, 4, 1.5)

    assert stage.found[0] == "two-owners"


@pytest.mark.parametrize("may_restart", [False, True])
def test_a_commit_of_a_member_that_was_replaced_is_found(may_restart: bool) -> None:
    stage = WitnessStage(may_restart=may_restart)
    stage.granted(ANNA, 4, 1.0)
    stage.granted(BERT, 5, 1.5)
    stage.commits(ANNA, 4)

    assert stage.found == ["late-member-not-fenced"]


def test_epochs_may_begin_anew_when_all_sessions_have_ended(migrating: WitnessStage) -> None:
    migrating.granted(ANNA, 20, 1.0)
    migrating.granted(BERT, 1, 1.1 + SESSION_S)
    migrating.commits(BERT, 1)

    assert migrating.found == []


def test_epochs_may_begin_anew_when_all_have_left(migrating: WitnessStage) -> None:
    migrating.granted(ANNA, 20, 1.0)
    migrating.witness.leaves(ANNA)
    migrating.granted(BERT, 1, 1.5)

    assert migrating.found == []


def test_epochs_may_not_begin_anew_beside_a_member_that_was_just_heard(migrating: WitnessStage) -> None:
    migrating.granted(ANNA, 20, 1.0)
    migrating.witness.heard(ANNA, 20, 3.0)
    migrating.granted(BERT, 1, 1.1 + SESSION_S)

    assert migrating.found == ["two-owners"]


def test_a_member_that_comes_back_to_lower_epochs_owns_what_it_is_given(migrating: WitnessStage) -> None:
    migrating.granted(ANNA, 20, 1.0)
    migrating.granted(ANNA, 2, 5.0)
    migrating.granted(BERT, 3, 5.5)
    migrating.commits(BERT, 3)

    assert migrating.found == []


def test_a_commit_from_before_the_epochs_began_anew_is_found(migrating: WitnessStage) -> None:
    migrating.granted(ANNA, 20, 1.0)
    migrating.granted(BERT, 1, 1.1 + SESSION_S)
    migrating.commits(ANNA, 20)

    assert migrating.found == ["late-member-not-fenced"]


def test_without_migration_an_epoch_is_never_given_out_again() -> None:
    stage = WitnessStage(may_restart=False)
    stage.granted(ANNA, 1, 1.0)
    stage.granted(BERT, 1, 1.1 + SESSION_S)

    assert stage.found == ["two-owners"]
