"""Which processes are brokers, and which node they are."""

from pathlib import Path

import pytest

from ottla.cli.kafka.server_stop import Stopped, brokers, node_id_of

LISTING = """\
  101 /usr/bin/python3 /opt/ottla/bin/ottla serve /etc/ottla/server.properties
  102 /opt/ottla/bin/python -m ottla server-start -x
  103 vim ottla serve
  104 /usr/bin/python3 /opt/ottla/bin/ottla topic list
  105 bash -c ottla serve
  106 ottla start
  107 grep -m ottla serve
"""


def test_only_brokers_are_found() -> None:
    assert [each.pid for each in brokers(LISTING)] == [101, 102, 106]


def test_the_node_is_found_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "server.properties"
    file.write_text("node.id=7\n")

    assert node_id_of(Stopped(1, f"ottla serve {file}")) == 7


@pytest.mark.parametrize(
    ("words", "node_id"), [("--override node.id=3", 3), ("", None), ("/nowhere/a.properties", None)]
)
def test_the_command_line_counts_first(words: str, node_id: int | None) -> None:
    assert node_id_of(Stopped(1, f"ottla serve {words}")) == node_id
