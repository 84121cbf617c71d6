"""Each checker finds the anomaly it is there for, and is silent about a good history."""

import pytest

from ottla.model.topic import TopicPartition
from ottla.sim.checkers import check_history
from ottla.sim.history import Acked, History, Read, Sent

HERE = TopicPartition("orders", 0)
ELSEWHERE = TopicPartition("orders", 1)


def a_history(*values: bytes) -> History:
    """An idempotent producer's values, sent, acked, read and in the log."""
    history = History()
    history.final[HERE] = []
    for number, value in enumerate(values):
        history.sent[value] = Sent("p", HERE, number, True)
        history.acked.append(Acked("p", HERE, number, (value,), True))
        history.reads.append(Read("c", HERE, number, value))
        history.final[HERE].append(Read("final", HERE, number, value))
    return history


def kinds(history: History) -> list[str]:
    return sorted({finding.kind for finding in check_history(history)})


def test_a_good_history_has_no_findings() -> None:
    assert kinds(a_history(b"a", b"b", b"c")) == []


def test_a_sent_value_without_ack_may_be_there_or_not() -> None:
    history = a_history(b"a")
    history.sent[b"unknown"] = Sent("p", HERE, 1, True)
    assert kinds(history) == []

    history.final[HERE].append(Read("final", HERE, 1, b"unknown"))
    assert kinds(history) == []


def test_an_acked_value_that_is_not_there_is_lost() -> None:
    history = a_history(b"a", b"b")
    history.final[HERE].pop()
    history.reads.pop()

    assert kinds(history) == ["lost-write"]


def test_an_ack_with_the_wrong_offset_is_found() -> None:
    history = a_history(b"a", b"b")
    history.acked[1] = history.acked[1]._replace(base_offset=0)

    assert kinds(history) == ["ack-offset-differs-from-log"]


def test_two_values_at_one_offset_are_found() -> None:
    history = a_history(b"a", b"b")
    history.sent[b"other"] = Sent("q", HERE, 0, False)
    history.reads.append(Read("d", HERE, 1, b"other"))

    assert kinds(history) == ["inconsistent-offsets"]


def test_a_record_that_was_read_and_is_gone_is_found() -> None:
    history = a_history(b"a", b"b")
    history.acked.pop()
    history.final[HERE].pop()

    assert kinds(history) == ["read-vanished"]


@pytest.mark.parametrize(("idempotent", "found"), [(True, ["duplicate", "nonmonotonic-send"]), (False, [])])
def test_duplicates_are_found_where_the_producer_is_idempotent(idempotent: bool, found: list[str]) -> None:
    history = a_history(b"a", b"b")
    for value in (b"a", b"b"):
        history.sent[value] = history.sent[value]._replace(is_idempotent=idempotent)
    history.final[HERE].append(Read("final", HERE, 2, b"a"))
    history.acked.clear()

    assert kinds(history) == found


def test_values_out_of_order_are_found() -> None:
    history = a_history(b"a", b"b")
    history.sent[b"a"] = history.sent[b"a"]._replace(number=5)

    assert kinds(history) == ["nonmonotonic-send"]


def test_a_gap_between_offsets_is_found() -> None:
    history = a_history(b"a", b"b", b"c")
    del history.final[HERE][1], history.reads[1], history.acked[1]

    assert kinds(history) == ["offset-gap"]


def test_a_value_that_nobody_sent_is_found() -> None:
    history = a_history(b"a")
    history.final[HERE].append(Read("final", HERE, 1, b"ghost"))

    assert kinds(history) == ["phantom"]


def test_a_value_in_the_wrong_partition_is_found() -> None:
    history = a_history(b"a")
    history.final[ELSEWHERE] = [Read("final", ELSEWHERE, 0, b"a")]

    assert kinds(history) == ["wrong-place"]


def test_findings_of_the_run_are_reported() -> None:
    history = a_history(b"a")
    history.found("liveness", "a producer waits for ever")

    assert kinds(history) == ["liveness"]
