"""Other people's clients against one real broker."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import java_programs
from tests.support.broker_process import BrokerProcess
from tests.support.java_programs import JavaPrograms
from tests.support.member_process import STEADY_SESSION_MS, Members


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    directory: Path = tmp_path_factory.mktemp("broker")
    process = BrokerProcess(directory, num_partitions="4", **SHORT_SESSIONS).start()
    yield process
    assert process.is_running(), process.output()
    assert process.stop() == 0, process.output()


#: Groups may have sessions that tests can wait for.
SHORT_SESSIONS = {
    "group_min_session_timeout_ms": "1000",
    "group_consumer_min_session_timeout_ms": "1000",
    "group_consumer_session_timeout_ms": str(STEADY_SESSION_MS),
    "group_consumer_min_heartbeat_interval_ms": "100",
    "group_consumer_heartbeat_interval_ms": "300",
}


@pytest.fixture(scope="session")
def address(broker: BrokerProcess) -> str:
    return broker.address


@pytest.fixture(scope="session")
def compiled_java(tmp_path_factory: pytest.TempPathFactory) -> JavaPrograms | None:
    return None if java_programs.missing() else JavaPrograms(tmp_path_factory.mktemp("java"))


@pytest.fixture(scope="session")
def java(compiled_java: JavaPrograms | None) -> JavaPrograms:
    if compiled_java is None:
        pytest.skip(java_programs.missing() or "")
    return compiled_java


@pytest.fixture
def form_group(
    address: str, tmp_path: Path, compiled_java: JavaPrograms | None
) -> Iterator[Callable[[str, str], Members]]:
    formed: list[Members] = []

    def form(group: str, topic: str, at: str = address) -> Members:
        members = Members(at, group, topic, tmp_path, compiled_java)
        formed.append(members)
        return members

    yield form
    for members in formed:
        members.kill_all()
