"""Misbehaving peers in the log: one line, on one line."""

import logging

import pytest

from ottla.broker.network.refusals import RefusalLog, printable
from tests.support.clocks import HandClock


def test_a_peer_is_mentioned_once_in_ten_seconds(caplog: pytest.LogCaptureFixture) -> None:
    clock = HandClock()
    refusals = RefusalLog(clock)
    logger = logging.getLogger("test")

    for _ in range(50):
        refusals.log(logger, "10.0.0.1:5", "bad frame")
    clock.wall_ms += 10_001
    refusals.log(logger, "10.0.0.1:6", "bad frame")

    assert [record.getMessage() for record in caplog.records] == [
        "connection of 10.0.0.1:5 closed: bad frame",
        "connection of 10.0.0.1:6 closed: bad frame (49 more like it before)",
    ]


@pytest.mark.parametrize("text", ["a\nb", "a\x1b[31mb", "a\u2028b", "a\r"])
def test_what_a_peer_sends_stays_on_one_line(text: str) -> None:
    assert printable(text).isprintable()
    assert len(printable(text).splitlines()) == 1


def test_long_texts_are_cut() -> None:
    assert len(printable("x" * 5000)) == 201
