"""How open files are shared out."""

import logging

import pytest

from ottla.broker.storage.descriptor_budget import budget_of
from ottla.config.broker_options import BrokerOptions


@pytest.mark.parametrize("open_files", [64, 128, 256, 512, 1024, 4096, 65_536, 1_048_576])
@pytest.mark.parametrize("settings", [{}, {"max.connections": "100"}, {"max.connections": "2000000"}], ids=str)
def test_the_shares_are_no_more_than_there_are(open_files: int, settings: dict[str, str]) -> None:
    budget = budget_of(BrokerOptions(settings), open_files)

    assert budget.connections + budget.segment_files + budget.spare <= open_files
    assert budget.segment_files >= open_files // 4
    assert budget.connections >= 1
    assert budget.flushed_at_once >= 4


def test_a_small_limit_is_named_at_the_start(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        budget_of(BrokerOptions({}), 512).warn_if_small(600)

    assert "only 512 files can be open" in caplog.text
    assert "192 segment files for 600 partitions" in caplog.text


def test_nothing_is_said_where_there_are_enough(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        budget_of(BrokerOptions({}), 65_536).warn_if_small(10_000)

    assert caplog.text == ""
