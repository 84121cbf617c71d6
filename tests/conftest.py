"""Options of the whole suite."""

from collections.abc import Iterator

import pytest

from tests.support.stale_builds import avoid_stale_builds

#: Before anything imports the product.
STALE_MODULES = avoid_stale_builds()

from tests.support.planting import mutation_names, plant  # noqa: E402


def pytest_report_header() -> list[str]:
    if not STALE_MODULES:
        return []
    return [f"older than their sources, so all runs as Python (make .venv/.base): {', '.join(STALE_MODULES)}"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--plant", metavar="BUG", help="run with a known bug in the product, such as R14: the suite must fail"
    )


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
