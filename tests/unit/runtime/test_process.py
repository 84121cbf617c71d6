"""How much memory there is for this process."""

import os
from pathlib import Path

import pytest

from ottla.runtime.process import memory_bytes, this_machine

MIB = 1 << 20
ALL = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("group", "files", "wanted"),
    [
        ("0::/", {}, ALL),
        ("0::/", {"memory.max": "max"}, ALL),
        ("0::/", {"memory.max": f"{8 * MIB}\n"}, 8 * MIB),
        ("0::/system.slice/ottla.service", {"system.slice/ottla.service/memory.max": f"{9 * MIB}"}, 9 * MIB),
        ("0::/a/b", {"a/b/memory.max": f"{9 * MIB}", "a/memory.max": f"{7 * MIB}"}, 7 * MIB),
        ("5:cpu:/x\n4:memory:/x", {"memory/x/memory.limit_in_bytes": f"{6 * MIB}"}, 6 * MIB),
        ("4:memory:/x", {"memory/memory.limit_in_bytes": "9223372036854771712"}, ALL),
    ],
)
def test_the_limit_of_a_container_or_service_counts(
    tmp_path: Path, group: str, files: dict[str, str], wanted: int
) -> None:
    own = tmp_path / "own"
    own.write_text(f"{group}\n")
    groups = tmp_path / "groups"
    for name, text in files.items():
        (groups / name).parent.mkdir(parents=True, exist_ok=True)
        (groups / name).write_text(text)

    assert memory_bytes(groups, own) == wanted


def test_a_system_without_groups_has_its_memory() -> None:
    assert memory_bytes(Path("/nowhere"), Path("/nowhere/own")) == ALL


def test_this_machine_has_memory_and_files() -> None:
    machine = this_machine()

    assert 64 * MIB < machine.memory_bytes <= ALL
    assert machine.open_files >= 256
