"""Time, chance, network, disk and threads come in through the doors only, and nothing depends on hash order of tasks.

Read from the source: what cannot be imported or called by mistake cannot make a simulated run differ from its twin.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "ottla"

BELOW_RUNTIME = (
    "doors",
    "model",
    "protocol",
    "records",
    "config",
    "log",
    "metadata",
    "coordination",
    "raft",
    "controller",
    "groups",
    "transactions",
    "replication",
    "security",
)
ABOVE_RUNTIME = ("broker", "client")

FORBIDDEN_MODULES = {"time", "random", "secrets", "socket", "threading", "select", "selectors", "uuid", "subprocess"}
FORBIDDEN_NAMES = {"open", "input"}
#: Attributes by the name they are reached through. `*` stands for anything: loop.time() is called on many names.
FORBIDDEN_ATTRIBUTES = {
    ("os", "urandom"),
    ("os", "getrandom"),
    ("os", "open"),
    ("os", "read"),
    ("os", "write"),
    ("os", "listdir"),
    ("os", "stat"),
    ("uuid", "uuid4"),
    ("uuid", "uuid1"),
    ("loop", "time"),
    ("loop", "run_in_executor"),
    ("asyncio", "to_thread"),
    ("asyncio", "open_connection"),
    ("asyncio", "start_server"),
    # These three hold tasks in a set: the order of callbacks would follow memory addresses.
    ("asyncio", "TaskGroup"),
    ("asyncio", "wait"),
    ("asyncio", "as_completed"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
}

#: The process around a broker is not simulated: signals, limits, the real doors.
PROCESS_MODULES = {"broker/server.py"}
#: The generator runs at development time; what it writes imports nothing but the protocol package.
DEVELOPMENT_FOLDERS = {"protocol/generator", "protocol/generated"}


def modules(folders: tuple[str, ...]) -> list[Path]:
    found = []
    for folder in folders:
        for path in sorted((SOURCE / folder).rglob("*.py")):
            name = path.relative_to(SOURCE).as_posix()
            if name not in PROCESS_MODULES and not any(name.startswith(skip) for skip in DEVELOPMENT_FOLDERS):
                found.append(path)
    return found


def problems(source: str, *, may_use_asyncio: bool) -> Iterator[str]:
    forbidden = FORBIDDEN_MODULES if may_use_asyncio else FORBIDDEN_MODULES | {"asyncio"}
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            yield from (f"{line}: import {alias.name}" for alias in node.names if alias.name.split(".")[0] in forbidden)
        elif isinstance(node, ast.ImportFrom):
            if (node.module or "").split(".")[0] in forbidden:
                yield f"{line}: from {node.module} import"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_NAMES:
            yield f"{line}: {node.func.id}()"
        elif isinstance(node, ast.Attribute) and (_owner(node), node.attr) in FORBIDDEN_ATTRIBUTES:
            yield f"{line}: {_owner(node)}.{node.attr}"


def _owner(node: ast.Attribute) -> str:
    value = node.value
    if isinstance(value, ast.Call):
        value = value.func
    if isinstance(value, ast.Name):
        name = value.id
    elif isinstance(value, ast.Attribute):
        name = value.attr
    else:
        return ""
    return "loop" if name in ("get_running_loop", "get_event_loop", "_loop") else name


@pytest.mark.parametrize("path", modules(BELOW_RUNTIME), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_below_runtime_the_world_comes_through_doors(path: Path) -> None:
    assert list(problems(path.read_text(), may_use_asyncio=False)) == []


@pytest.mark.parametrize("path", modules(ABOVE_RUNTIME), ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_broker_and_client_use_asyncio_and_doors(path: Path) -> None:
    assert list(problems(path.read_text(), may_use_asyncio=True)) == []


@pytest.mark.parametrize(
    "line",
    [
        "import time",
        "from random import choice",
        "import os; os.urandom(3)",
        "open('x')",
        "import asyncio; asyncio.get_running_loop().time()",
        "self._loop.time()",
        "loop.time()",
        "asyncio.wait(tasks)",
        "import threading",
        "from uuid import uuid4",
        "import socket",
    ],
)
def test_the_test_finds(line: str) -> None:
    assert list(problems(line, may_use_asyncio=True))


def test_the_test_leaves_doors_alone() -> None:
    source = "disk.open('x'); self.clock.monotonic_ms(); loop.call_later(1, f); asyncio.gather(a, b)"

    assert list(problems(source, may_use_asyncio=True)) == []
