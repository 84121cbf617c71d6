"""The pytest plug-in: fixtures `kafka`, `akafka`, `kafka_server` and `kafka_url`. Found by its entry point.

Loaded by every pytest of an environment with Ottla: it imports next to nothing until a fixture is used.
"""

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from ottla.testing.broker import AsyncBroker, Broker

_BROKERS = ("kafka", "akafka", "kafka_server")
_MARKER = (
    "kafka(topics={}, config={}, isolation='thread', nodes=1): what the broker of the fixtures `kafka` and `akafka` has"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("kafka").addoption(
        "--kafka-bootstrap",
        metavar="HOST:PORT",
        help="run tests with the fixtures of ottla.testing against this Kafka; what it cannot do is skipped",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture
def kafka(request: pytest.FixtureRequest) -> "Iterator[Broker]":
    """A broker for this test alone: ottla.testing.Broker."""
    marker = request.node.get_closest_marker("kafka")
    with _broker(request, **(marker.kwargs if marker is not None else {})) as broker:
        yield broker


@pytest.fixture
def akafka(kafka: "Broker") -> "AsyncBroker":
    """The broker of this test with coroutines: `await akafka.send(...)`. For any asyncio plug-in."""
    from ottla.testing.broker import AsyncBroker

    return AsyncBroker(kafka)


@pytest.fixture(scope="session")
def kafka_server(request: pytest.FixtureRequest) -> "Iterator[Broker]":
    """One broker for all tests: they must use topics and groups of different names."""
    with _broker(request) as broker:
        yield broker


@pytest.fixture(scope="session")
def kafka_url(kafka_server: "Broker") -> str:
    """`host:port` of the broker for all tests."""
    return kafka_server.bootstrap


def _broker(request: pytest.FixtureRequest, **options: Any) -> "Broker":
    from ottla.testing.broker import Broker

    bootstrap = request.config.getoption("--kafka-bootstrap")
    return Broker(**options, bootstrap=bootstrap, refuse=_skip if bootstrap else None)


def _skip(reason: str) -> NoReturn:
    pytest.skip(reason)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" and report.failed:
        fixtures = getattr(item, "funcargs", {})
        broker = next((fixtures[name] for name in _BROKERS if name in fixtures), None)
        if broker is not None:
            report.sections.append(("kafka broker", broker.describe()))
    return report
