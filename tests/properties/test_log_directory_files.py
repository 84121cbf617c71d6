"""The small files of a log directory: any content is either understood or refused by name."""

from hypothesis import given
from hypothesis import strategies as st

from ottla.log.files.small_files import write_atomically
from ottla.log.store.checkpoints import Checkpoint, parse_checkpoint, read_checkpoint, write_checkpoint
from ottla.log.store.clean_shutdown import LastEnd, read_last_run
from ottla.log.store.meta_properties import (
    MetaProperties,
    parse_properties,
    read_meta_properties,
    write_meta_properties,
)
from ottla.log.store.partition_directory import DirectoryKind, directory_name, parse_directory_name
from ottla.model.errors import InvalidConfig
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk

TOPICS = st.from_regex(r"[a-zA-Z0-9._-]{1,60}", fullmatch=True).filter(lambda name: name not in (".", ".."))
PARTITIONS = st.builds(TopicPartition, TOPICS, st.integers(0, 2**31 - 1))
OFFSETS = st.integers(0, 2**63 - 1)


def disk() -> MemoryDisk:
    made = MemoryDisk()
    made.make_directories("/a")
    return made


@given(st.dictionaries(PARTITIONS, OFFSETS, max_size=8))
def test_checkpoints_round_trip(offsets: dict[TopicPartition, int]) -> None:
    there = disk()
    write_checkpoint(there, "/a/x", offsets)
    assert read_checkpoint(there, "/a/x") == Checkpoint(offsets)


@given(st.text(max_size=200) | st.text("0123456789 \nab-", max_size=100))
def test_any_text_is_a_checkpoint_or_has_a_problem(text: str) -> None:
    read = parse_checkpoint(text)
    assert read.problem is not None or text.split()[0] == "0"


@given(st.text("abc123 =:\\#!\n\r\t\f.u", max_size=80) | st.text(max_size=80))
def test_properties_never_fail_to_parse(text: str) -> None:
    values = parse_properties(text)
    assert all(isinstance(value, str) for value in values.values())


@given(
    st.sampled_from([0, 1]),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(lambda text: text.strip("\x00") != ""),
    st.integers(0, 2**31 - 1),
    st.binary(min_size=16, max_size=16),
)
def test_meta_properties_round_trip(version: int, cluster_id: str, node_id: int, directory_id: bytes) -> None:
    there = disk()
    written = MetaProperties(version, cluster_id, node_id, directory_id)
    write_meta_properties(there, "/a", written)
    assert read_meta_properties(there, "/a") == written


@given(st.binary(max_size=120))
def test_any_bytes_in_meta_properties_are_understood_or_refused(data: bytes) -> None:
    there = disk()
    write_atomically(there, "/a/meta.properties", data)
    problem = "/a/meta.properties"
    try:
        read_meta_properties(there, "/a")
    except InvalidConfig as error:
        problem = str(error)
    assert "/a/meta.properties" in problem


@given(st.binary(max_size=80))
def test_any_bytes_in_the_boot_file_prove_nothing(data: bytes) -> None:
    there = disk()
    write_atomically(there, "/a/.ottla_boot", data)
    assert read_last_run(there, "/a", bytes(16)).end is LastEnd.POWER_LOSS


@given(PARTITIONS, st.sampled_from(DirectoryKind), st.binary(min_size=16, max_size=16))
def test_directory_names_round_trip(topic_partition: TopicPartition, kind: DirectoryKind, tag: bytes) -> None:
    assert parse_directory_name(directory_name(topic_partition, kind, tag)) == (topic_partition, kind)


@given(st.text(max_size=80))
def test_any_name_is_a_directory_of_a_partition_or_not(name: str) -> None:
    parsed = parse_directory_name(name)
    assert parsed is None or parsed.topic_partition.partition >= 0
