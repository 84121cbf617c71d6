"""Incremental fetch sessions: epochs, news, room."""

import pytest

from ottla.broker.fetch.sessions import EVICT_AFTER_MS, PARTITION_BYTES, FetchSession, FetchSessions
from ottla.broker.fetch.wanted import WantedPartition
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import finished
from ottla.protocol.generated.fetch_request import ForgottenTopicsData, Partitions, Topics
from ottla.sim.rng import SimRng


def wanted(*partitions: int, offset: int = 0, topic: str = "orders") -> Topics:
    return Topics(topic=topic, partitions=[Partitions(partition=each, fetch_offset=offset) for each in partitions])


def forgotten(*partitions: int, topic: str = "orders") -> ForgottenTopicsData:
    return ForgottenTopicsData(topic=topic, partitions=list(partitions))


def only_one(session: FetchSession | None) -> tuple[FetchSession, WantedPartition]:
    assert session is not None
    (partition,) = session.wanted()
    return session, partition


@pytest.fixture
def sessions() -> FetchSessions:
    return FetchSessions(2, 10 * PARTITION_BYTES, SimRng(7))


def opened(
    sessions: FetchSessions, *topics: Topics, owner: object = "a connection", now_ms: int = 0
) -> FetchSession | None:
    count = sum(len(topic.partitions) for topic in topics)
    session = sessions.open(count, owner, uses_topic_ids=False, now_ms=now_ms)
    if session is not None:
        finished(sessions.update(session, topics, (), 100))
    return session


def resumed(sessions: FetchSessions, session_id: int, epoch: int, owner: object = "a connection") -> FetchSession:
    return sessions.resume(session_id, epoch, owner, uses_topic_ids=False, now_ms=0)


def test_a_session_is_resumed_with_rising_epochs(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0))
    assert session is not None

    for epoch in (1, 2, 3):
        assert resumed(sessions, session.session_id, epoch) is session


def test_an_unknown_session_is_refused(sessions: FetchSessions) -> None:
    with pytest.raises(Refused) as refusal:
        resumed(sessions, 5, 1)

    assert refusal.value.code is ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_repeated_epoch_is_refused(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0))
    assert session is not None
    resumed(sessions, session.session_id, 1)

    with pytest.raises(Refused) as refusal:
        resumed(sessions, session.session_id, 1)

    assert refusal.value.code is ErrorCode.INVALID_FETCH_SESSION_EPOCH


def test_a_session_does_not_change_between_names_and_ids(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0))
    assert session is not None

    with pytest.raises(Refused) as refusal:
        sessions.resume(session.session_id, 1, "a connection", uses_topic_ids=True, now_ms=0)

    assert refusal.value.code is ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR


def test_partitions_are_added_changed_and_forgotten(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0, 1))
    assert session is not None

    finished(sessions.update(session, [wanted(1, offset=9), wanted(2)], [forgotten(0)], 100))

    assert [(one.asked.partition, one.asked.fetch_offset) for one in session.wanted()] == [(1, 9), (2, 0)]


def test_only_news_is_told(sessions: FetchSessions) -> None:
    session, partition = only_one(opened(sessions, wanted(0)))

    assert session.is_news(partition, False, False, 5, 0)
    assert not session.is_news(partition, False, False, 5, 0)
    assert session.is_news(partition, False, False, 6, 0)
    assert session.is_news(partition, False, True, 6, 0)
    assert session.is_news(partition, False, False, 6, 1)


def test_what_was_told_is_known_when_a_partition_is_wanted_from_another_offset(sessions: FetchSessions) -> None:
    session, partition = only_one(opened(sessions, wanted(0)))
    assert session.is_news(partition, False, True, 5, 0)

    finished(sessions.update(session, [wanted(0, offset=5)], (), 100))

    session, partition = only_one(session)
    assert partition.asked.fetch_offset == 5
    assert not session.is_news(partition, False, False, 5, 0)


def test_the_end_of_an_error_is_news(sessions: FetchSessions) -> None:
    session, partition = only_one(opened(sessions, wanted(0)))
    session.is_news(partition, False, False, 5, 0)

    assert session.is_news(partition, True, False, 5, 0)
    assert session.is_news(partition, False, False, 5, 0)


def test_partitions_with_data_go_to_the_end_of_the_line(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0, 1))
    assert session is not None

    session.is_news(session.wanted()[0], False, True, 5, 0)

    assert [one.asked.partition for one in session.wanted()] == [1, 0]


def test_a_partition_that_was_forgotten_meanwhile_does_not_come_back(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0, 1, 2))
    assert session is not None
    first = session.wanted()[0]

    finished(sessions.update(session, (), [forgotten(0)], 100))
    session.is_news(first, False, True, 5, 0)

    assert [one.asked.partition for one in session.wanted()] == [1, 2]


def test_a_full_cache_gives_no_session_to_a_smaller_reader(sessions: FetchSessions) -> None:
    for _ in range(2):
        opened(sessions, wanted(0, 1))

    assert opened(sessions, wanted(0), now_ms=1) is None
    assert opened(sessions, wanted(0, 1, 2), now_ms=1) is not None


def test_an_unused_session_makes_room(sessions: FetchSessions) -> None:
    for _ in range(2):
        opened(sessions, wanted(0, 1))

    assert opened(sessions, wanted(0), now_ms=EVICT_AFTER_MS + 1) is not None
    assert len(sessions) == 2


def test_a_session_ends_with_its_connection(sessions: FetchSessions) -> None:
    lost = opened(sessions, wanted(0), owner="lost")
    kept = opened(sessions, wanted(0), owner="kept")
    assert lost is not None
    assert kept is not None

    sessions.close_of("lost")
    sessions.close_of("lost")

    with pytest.raises(Refused):
        resumed(sessions, lost.session_id, 1)
    assert resumed(sessions, kept.session_id, 1) is kept
    sessions.close(kept.session_id)
    assert sessions.size_bytes == 0


def test_a_session_belongs_to_the_connection_that_used_it_last(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0), owner="first")
    assert session is not None
    resumed(sessions, session.session_id, 1, owner="second")

    sessions.close_of("first")
    assert len(sessions) == 1

    sessions.close_of("second")
    assert len(sessions) == 0


def test_sessions_together_are_limited_in_memory(sessions: FetchSessions) -> None:
    large = opened(sessions, wanted(*range(8), topic=""))
    assert large is not None

    assert opened(sessions, wanted(*range(3), topic="")) is None
    assert opened(sessions, wanted(0, 1, topic="")) is not None
    assert sessions.size_bytes == 10 * PARTITION_BYTES

    sessions.close(large.session_id)
    assert sessions.size_bytes == 2 * PARTITION_BYTES


def test_unused_sessions_make_room_in_memory(sessions: FetchSessions) -> None:
    opened(sessions, wanted(*range(8), topic=""))

    assert opened(sessions, wanted(0, 1, 2, topic=""), now_ms=EVICT_AFTER_MS + 1) is not None
    assert sessions.size_bytes == 3 * PARTITION_BYTES


def test_a_session_that_grows_beyond_the_memory_is_closed(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0))
    assert session is not None

    with pytest.raises(Refused) as refusal:
        finished(sessions.update(session, [wanted(*range(1, 11))], (), 100))

    assert refusal.value.code is ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    assert (len(sessions), sessions.size_bytes) == (0, 0)


def test_a_session_has_no_more_partitions_than_a_request_may_name(sessions: FetchSessions) -> None:
    session = opened(sessions, wanted(0, 1))
    assert session is not None

    finished(sessions.update(session, [wanted(2)], [forgotten(0)], 2))
    with pytest.raises(Refused):
        finished(sessions.update(session, [wanted(3)], (), 2))

    assert len(sessions) == 0


def test_names_count_once_for_each_topic(sessions: FetchSessions) -> None:
    name = "x" * 1000
    session = opened(sessions, wanted(0, 1, topic=name), wanted(0, topic="y"))
    assert session is not None

    assert session.size_bytes == sessions.size_bytes == 3 * PARTITION_BYTES + 1001
    finished(sessions.update(session, (), [forgotten(0, 1, topic=name), forgotten(0, topic="y")], 100))
    assert sessions.size_bytes == 0
