"""Shards that cannot be loaded: their clients are refused, not put off for ever."""

import asyncio
import errno
from types import SimpleNamespace
from typing import Any

import pytest

from ottla.broker.coordinators.coordinators import Coordinators, Hosting
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog
from tests.support.clocks import HandClock


class HostThatFails:
    name = "__consumer_offsets-3"

    def __init__(self, trouble: Exception) -> None:
        self._trouble = trouble
        self.is_unloaded = False

    async def load(self) -> None:
        raise self._trouble

    def unload(self) -> None:
        self.is_unloaded = True


class CoordinatorsStage:
    def __init__(self, trouble: Exception) -> None:
        self.told: list[tuple[tuple[str, int], Exception]] = []
        self.reported: list[dict[str, Any]] = []
        self.host = HostThatFails(trouble)
        unused: Any = None
        faults: Any = SimpleNamespace(log_failed=self._log_failed)
        hosting = Hosting(unused, unused, HandClock(), unused, faults, unused)
        self._coordinators = Coordinators(hosting, "__consumer_offsets", unused, unused)
        hosts: Any = {3: self.host}
        self._coordinators._hosts = hosts

    def _log_failed(self, place: tuple[str, int], error: Exception) -> ErrorCode:
        self.told.append((place, error))
        return ErrorCode.CORRUPT_MESSAGE

    def load(self) -> None:
        async def story() -> None:
            asyncio.get_running_loop().set_exception_handler(lambda loop, context: self.reported.append(context))
            host: Any = self.host
            await self._coordinators._load(host)

        asyncio.run(story())


@pytest.mark.parametrize("trouble", [OSError(errno.EIO, "broken"), CorruptLog("here", 1, "damaged")], ids=str)
def test_a_log_that_cannot_be_read_is_told_to_whoever_looks_after_disks(trouble: Exception) -> None:
    stage = CoordinatorsStage(trouble)

    stage.load()

    assert stage.host.is_unloaded
    assert stage.told == [(("__consumer_offsets", 3), trouble)]
    assert stage.reported == []


def test_a_bug_while_a_shard_is_loaded_is_reported() -> None:
    stage = CoordinatorsStage(ValueError("a bug"))

    stage.load()

    assert stage.host.is_unloaded
    assert ["__consumer_offsets-3 cannot be loaded" in each["message"] for each in stage.reported] == [True]
