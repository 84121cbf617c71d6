"""The documentation of the client: its examples run, its table has all public names, and each of them is documented."""

import asyncio
import doctest
import importlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ottla
import ottla.client
from ottla.testing import Broker

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "client.md"


@pytest.fixture(scope="module")
def servers() -> Iterator[str]:
    with Broker() as broker:
        yield broker.bootstrap


def table() -> dict[str, list[str]]:
    rows = PAGE.read_text().partition("## Public names")[2].splitlines()
    return {
        cells[1].strip(): re.findall(r"`(\w+)`", cells[2])
        for line in rows
        if line.startswith("|") and "`" in line and (cells := line.split("|"))
    }


def test_the_public_names_are_those_of_the_table() -> None:
    named = [name for label, names in table().items() if label != "for" for name in names]

    assert sorted(named) == sorted(ottla.client.__all__)


def test_the_main_names_are_on_the_package() -> None:
    assert [name for name in table()["everybody"] if getattr(ottla, name) is not getattr(ottla.client, name)] == []


def test_what_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Sender'"):
        ottla.client.Sender  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    program = (
        "import sys, ottla, ottla.client; "
        "print([m for m in sys.modules if m in ('asyncio', 'ssl', 'pyarrow', 'lz4') or m.startswith('ottla.protocol')])"
    )

    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("name", ottla.client.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert getattr(ottla.client, name).__doc__


@pytest.mark.parametrize("name", [name for names in table().values() for name in names])
def test_every_name_of_the_table_has_an_example_that_runs(name: str) -> None:
    assert ">>>" in (getattr(ottla.client, name).__doc__ or "")


def examples() -> list[doctest.DocTest]:
    finder = doctest.DocTestFinder(exclude_empty=True)
    modules = {getattr(ottla.client, name).__module__ for name in ottla.client.__all__}
    found = [test for module in sorted(modules) for test in finder.find(importlib.import_module(module))]
    return [test for test in found if test.examples]


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_the_example_runs(example: doctest.DocTest, servers: str) -> None:
    example.globs.update({name: getattr(ottla.client, name) for name in ottla.client.__all__})
    example.globs.update(asyncio=asyncio, servers=servers)
    failures: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)

    runner.run(example, out=failures.append)

    assert runner.summarize(verbose=False).failed == 0, "".join(failures)


def page_examples(*pages: Path) -> list[str]:
    return [source for page in pages for source in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)]


@pytest.mark.parametrize("source", page_examples(PAGE), ids=range(len(page_examples(PAGE))))
def test_the_example_of_the_page_runs(source: str, servers: str, capsys: pytest.CaptureFixture[str]) -> None:
    run_example(source, servers)

    assert "Traceback" not in capsys.readouterr().err


def test_the_quick_start_needs_no_other_client(capsys: pytest.CaptureFixture[str]) -> None:
    with Broker() as broker:
        for source in page_examples(ROOT / "docs" / "getting-started.md", ROOT / "README.md"):
            run_example(source, broker.bootstrap)

    lines = [line for line in capsys.readouterr().out.splitlines() if "event" in line]
    plain, with_asyncio = lines[:3], lines[3:]
    assert plain == ["0 event 0", "1 event 1", "2 event 2"]
    assert with_asyncio == ["0 b'event 0'", "1 b'event 1'", "2 b'event 2'", "3 b'one more event'"]


def run_example(source: str, servers: str) -> None:
    run: Callable[..., None] = exec
    run(source.replace("localhost:9092", servers), {"__name__": "__example__"})
