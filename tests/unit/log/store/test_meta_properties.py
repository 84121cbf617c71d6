"""meta.properties: Java's format, ids, and directories of somebody else."""

import pytest

from ottla.log.files.small_files import read_whole, write_atomically
from ottla.log.store.meta_properties import (
    MetaProperties,
    mismatch,
    new_directory_id,
    parse_properties,
    read_meta_properties,
    write_meta_properties,
)
from ottla.model.errors import InvalidConfig
from ottla.model.topic import id_from_text, id_text
from tests.support.memory_disk import MemoryDisk, SimRng

DIRECTORY_ID = id_from_text("Vjb7k3RybfPMoDh_uuCiHg")


@pytest.fixture
def disk() -> MemoryDisk:
    disk = MemoryDisk()
    disk.make_directories("/data")
    return disk


def test_what_kafka_writes_is_read(disk: MemoryDisk) -> None:
    text = (
        "#\n#Sun Nov 15 22:23:45 UTC 2026\nnode.id=1\ndirectory.id=Vjb7k3RybfPMoDh_uuCiHg\nversion=1\ncluster.id=MkU3\n"
    )
    write_atomically(disk, "/data/meta.properties", text.encode())

    assert read_meta_properties(disk, "/data") == MetaProperties(1, "MkU3", 1, DIRECTORY_ID)


@pytest.mark.parametrize("version", [0, 1])
def test_both_versions_round_trip(disk: MemoryDisk, version: int) -> None:
    written = MetaProperties(version, "a=b:c #!\\ ü€𝄞", 7, DIRECTORY_ID)

    write_meta_properties(disk, "/data", written)

    assert read_meta_properties(disk, "/data") == written
    assert (b"broker.id=7" in read_whole(disk, "/data/meta.properties")) == (version == 0)


def test_a_new_directory_has_none(disk: MemoryDisk) -> None:
    assert read_meta_properties(disk, "/data") is None


def test_an_old_file_without_version_is_version_0(disk: MemoryDisk) -> None:
    write_atomically(disk, "/data/meta.properties", b"broker.id=4\n")

    assert read_meta_properties(disk, "/data") == MetaProperties(0, None, 4, None)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a=1", {"a": "1"}),
        ("a : 1\r\nb 2\rc", {"a": "1", "b": "2", "c": ""}),
        ("  # no\n ! no\n\n  a=1", {"a": "1"}),
        ("a=one \\\n   two", {"a": "one two"}),
        ("a\\=b\\ c=1", {"a=b c": "1"}),
        ("a=\\u00fc\\t\\x", {"a": "ü\tx"}),
        ("a=b\\\\\nc=d", {"a": "b\\", "c": "d"}),
        ("a=1\na=2", {"a": "2"}),
        ("a==b", {"a": "=b"}),
        ("a=1\\", {"a": "1"}),
    ],
)
def test_java_properties_are_understood(text: str, values: dict[str, str]) -> None:
    assert parse_properties(text) == values


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"version=7", "version=7"),
        (b"version=x", "version='x'"),
        (b"version=1\ncluster.id=c\nnode.id=one", "node.id='one'"),
        (b"version=1\ncluster.id=c\nnode.id=1\ndirectory.id=short", "directory.id='short'"),
        (b"version=1\nnode.id=1", "no cluster.id"),
        (b"version=1\ncluster.id=c", "no node.id"),
        (b"version=1\ncluster.id=c\nnode.id=-1", "no node.id"),
        (b"", "neither a cluster.id nor a broker.id"),
        (bytes(100), "neither a cluster.id nor a broker.id"),
        (b"\xff\xfegarbage", "neither a cluster.id nor a broker.id"),
        (b"# only a comment\n", "neither a cluster.id nor a broker.id"),
    ],
)
def test_a_file_that_cannot_be_understood_names_itself(disk: MemoryDisk, content: bytes, reason: str) -> None:
    write_atomically(disk, "/data/meta.properties", content)

    with pytest.raises(InvalidConfig, match=f"/data/meta.properties: .*{reason}"):
        read_meta_properties(disk, "/data")


def test_a_directory_of_another_cluster_or_node_is_refused_with_both_names() -> None:
    properties = MetaProperties(1, "mine", 1, DIRECTORY_ID)

    assert mismatch("/data", properties, cluster_id="mine", node_id=1) is None
    foreign = mismatch("/data", properties, cluster_id="other", node_id=1)
    assert foreign is not None
    assert "mine" in foreign
    assert "other" in foreign
    assert "node.id=2" in (mismatch("/data", properties, cluster_id="mine", node_id=2) or "")


def test_directory_ids_are_never_reserved_ones_or_like_flags() -> None:
    class Awkward(SimRng):
        def __init__(self) -> None:
            super().__init__(1)
            self.draws = [bytes(16), bytes(15) + b"\x63", b"\xfb" + bytes(15), DIRECTORY_ID]

        def uuid(self) -> bytes:
            return self.draws.pop(0)

    assert id_text(b"\xfb" + bytes(15)).startswith("-")
    assert new_directory_id(Awkward()) == DIRECTORY_ID
