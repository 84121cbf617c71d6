"""The end of a world: what was left in the middle of its work goes without a word."""

import asyncio
import gc
import sys
from typing import Any

import pytest

from ottla.sim.process import SimProcess
from ottla.sim.world import SimWorld
from tests.support.virtual_time import time_passes


@pytest.fixture
def complaints(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", found.append)
    return found


async def interrupted(ended: list[str]) -> None:
    waiter = asyncio.ensure_future(time_passes(1000))
    try:
        await waiter
    finally:
        waiter.cancel()
        ended.append("finally")


async def unwilling() -> None:
    try:
        await time_passes(1000)
    finally:
        await time_passes(1)


def test_coroutines_of_a_killed_process_do_not_complain_about_the_closed_loop(complaints: list[Any]) -> None:
    ended: list[str] = []

    async def story(world: SimWorld) -> None:
        process = SimProcess("victim", world.loop)
        process.run(interrupted(ended))
        process.run(unwilling())
        await time_passes(1)
        process.kill()

    with SimWorld(1) as world:
        world.run(story(world))
        assert ended == [], "a killed process does nothing more"
    del world
    gc.collect()

    assert [str(complaint.exc_value) for complaint in complaints] == []


def test_nor_do_those_that_nobody_killed(complaints: list[Any], caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        asyncio.ensure_future(interrupted([]))  # noqa: RUF006 - left alone on purpose
        await time_passes(1)

    with SimWorld(1) as world:
        world.run(story())
    del world
    gc.collect()

    assert [str(complaint.exc_value) for complaint in complaints] == []
    assert caplog.records == []
