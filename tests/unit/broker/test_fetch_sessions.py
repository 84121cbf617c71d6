"""Incremental fetch sessions: epochs, news, room."""

import pytest

from ottla.broker.fetch_sessions import EVICT_AFTER_MS, FetchSessions, WantedPartition
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.topic import NO_TOPIC_ID
from ottla.sim.rng import SimRng


def wanted(partition: int, offset: int = 0, topic: str = "orders") -> WantedPartition:
    return WantedPartition(topic, NO_TOPIC_ID, partition, offset, 1000, -1, -1)


@pytest.fixture
def sessions() -> FetchSessions:
    return FetchSessions(2, SimRng(7))


def test_a_session_is_resumed_with_rising_epochs(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0)], uses_topic_ids=False, now_ms=0)
    assert session is not None

    for epoch in (1, 2, 3):
        assert sessions.resume(session.session_id, epoch, uses_topic_ids=False, now_ms=0) is session


def test_an_unknown_session_is_refused(sessions: FetchSessions) -> None:
    with pytest.raises(Refused) as refusal:
        sessions.resume(5, 1, uses_topic_ids=False, now_ms=0)

    assert refusal.value.code is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_repeated_epoch_is_refused(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0)], uses_topic_ids=False, now_ms=0)
    assert session is not None
    sessions.resume(session.session_id, 1, uses_topic_ids=False, now_ms=0)

    with pytest.raises(Refused) as refusal:
        sessions.resume(session.session_id, 1, uses_topic_ids=False, now_ms=0)

    assert refusal.value.code is ErrorCode.INVALID_FETCH_SESSION_EPOCH


def test_a_session_does_not_change_between_names_and_ids(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0)], uses_topic_ids=False, now_ms=0)
    assert session is not None

    with pytest.raises(Refused) as refusal:
        sessions.resume(session.session_id, 1, uses_topic_ids=True, now_ms=0)

    assert refusal.value.code is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR


def test_partitions_are_added_changed_and_forgotten(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0), wanted(1)], uses_topic_ids=False, now_ms=0)
    assert session is not None

    session.update([wanted(1, offset=9), wanted(2)], [("orders", 0)])

    assert session.wanted() == [wanted(1, offset=9), wanted(2)]


def test_only_news_is_told(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0)], uses_topic_ids=False, now_ms=0)
    assert session is not None

    assert session.is_news(wanted(0), 0, 0, 5, 0)
    assert not session.is_news(wanted(0), 0, 0, 5, 0)
    assert session.is_news(wanted(0), 0, 0, 6, 0)
    assert session.is_news(wanted(0), 0, 10, 6, 0)
    assert session.is_news(wanted(0), 0, 0, 6, 1)


def test_the_end_of_an_error_is_news(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0)], uses_topic_ids=False, now_ms=0)
    assert session is not None
    session.is_news(wanted(0), 0, 0, 5, 0)

    assert session.is_news(wanted(0), 3, 0, 5, 0)
    assert session.is_news(wanted(0), 0, 0, 5, 0)


def test_partitions_with_data_go_to_the_end_of_the_line(sessions: FetchSessions) -> None:
    session = sessions.open([wanted(0), wanted(1)], uses_topic_ids=False, now_ms=0)
    assert session is not None

    session.is_news(wanted(0), 0, 100, 5, 0)

    assert [one.partition for one in session.wanted()] == [1, 0]


def test_a_full_cache_gives_no_session_to_a_smaller_reader(sessions: FetchSessions) -> None:
    for _ in range(2):
        sessions.open([wanted(0), wanted(1)], uses_topic_ids=False, now_ms=0)

    assert sessions.open([wanted(0)], uses_topic_ids=False, now_ms=1) is None
    assert sessions.open([wanted(0), wanted(1), wanted(2)], uses_topic_ids=False, now_ms=1) is not None


def test_an_unused_session_makes_room(sessions: FetchSessions) -> None:
    for _ in range(2):
        sessions.open([wanted(0), wanted(1)], uses_topic_ids=False, now_ms=0)

    assert sessions.open([wanted(0)], uses_topic_ids=False, now_ms=EVICT_AFTER_MS + 1) is not None
    assert len(sessions) == 2
