"""Who has a port."""

import os
from pathlib import Path

from ottla.cli.ports import port_owner

HEAD = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
LINE = "   0: 0100007F:{port:04X} 00000000:0000 {state} 00000000:00000000 00:00000000 00000000  0  0 {inode} 1 0 100\n"


def a_proc(tmp_path: Path, *, port: int, state: str = "0A", inode: int = 77) -> Path:
    """A /proc in which process 42 holds socket 77."""
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "tcp").write_text(HEAD + LINE.format(port=port, state=state, inode=inode))
    (tmp_path / "42" / "fd").mkdir(parents=True)
    (tmp_path / "42" / "comm").write_text("java\n")
    os.symlink("/dev/null", tmp_path / "42" / "fd" / "0")
    os.symlink("socket:[77]", tmp_path / "42" / "fd" / "5")
    return tmp_path


def test_the_program_that_listens_is_named(tmp_path: Path) -> None:
    assert port_owner(9092, a_proc(tmp_path, port=9092)) == "java (pid 42)"


def test_another_port_has_no_owner(tmp_path: Path) -> None:
    assert port_owner(9093, a_proc(tmp_path, port=9092)) is None


def test_a_connection_is_no_listener(tmp_path: Path) -> None:
    assert port_owner(9092, a_proc(tmp_path, port=9092, state="01")) is None


def test_an_owner_that_cannot_be_seen_is_not_named(tmp_path: Path) -> None:
    assert port_owner(9092, a_proc(tmp_path, port=9092, inode=99)) is None


def test_a_system_without_proc_gives_no_owner(tmp_path: Path) -> None:
    assert port_owner(9092, tmp_path / "none") is None
