"""Options of the whole suite."""

import signal
from collections.abc import Iterator

import pytest

from ottla.compiled import stale_modules
from tests.support.allowed_skips import AllowedSkips
from tests.support.planting import mutation_names, plant


def pytest_report_header() -> list[str]:
    stale = stale_modules()
    return [f"older than their sources, so all runs as Python (make .venv/.base): {', '.join(stale)}"] if stale else []


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--plant", metavar="BUG", help="run with a known bug in the product, such as R14: the suite must fail"
    )


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # A shell starts what runs in the background so, and the processes of the tests would inherit it.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # With xdist the process that starts the workers sees all reports.
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(AllowedSkips())


@pytest.fixture(scope="session", autouse=True)
def planted_bug(request: pytest.FixtureRequest) -> Iterator[None]:
    name = request.config.getoption("--plant")
    if name is None:
        yield
        return
    if name not in mutation_names():
        raise pytest.UsageError(f"--plant {name}: known are {', '.join(mutation_names())}")
    with plant(name):
        yield
