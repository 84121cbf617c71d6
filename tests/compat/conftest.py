"""Other people's clients against one real broker."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.client import Admin
from tests.support import java_programs
from tests.support.broker_process import BrokerProcess
from tests.support.java_programs import JavaPrograms
from tests.support.kafka_process import TARGETS, Target, start_target
from tests.support.member_process import SHORT_SESSIONS, FormGroup, forming


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    directory: Path = tmp_path_factory.mktemp("broker")
    process = BrokerProcess(directory, num_partitions="4", **SHORT_SESSIONS).start()
    yield process
    assert process.is_running(), process.output()
    assert process.stop() == 0, process.output()


@pytest.fixture(scope="session")
def address(broker: BrokerProcess) -> str:
    return broker.address


@pytest.fixture(scope="module", params=TARGETS)
def target(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """Our broker, then Apache Kafka, with the TARGET_SETTINGS of the module."""
    settings = getattr(request.module, "TARGET_SETTINGS", {})
    started = start_target(request.param, tmp_path_factory.mktemp(request.param), **settings)
    yield started
    started.kill()


@pytest.fixture(scope="module")
def admin(target: Target) -> Iterator[Admin]:
    with Admin(bootstrap_servers=target.address) as client:
        yield client


@pytest.fixture(scope="session")
def compiled_java(tmp_path_factory: pytest.TempPathFactory) -> JavaPrograms | None:
    return None if java_programs.missing() else JavaPrograms(tmp_path_factory.mktemp("java"))


@pytest.fixture(scope="session")
def java(compiled_java: JavaPrograms | None) -> JavaPrograms:
    if compiled_java is None:
        pytest.skip(java_programs.missing() or "")
    return compiled_java


@pytest.fixture
def form_group(address: str, tmp_path: Path, compiled_java: JavaPrograms | None) -> Iterator[FormGroup]:
    with forming(address, tmp_path, compiled_java) as form:
        yield form
