"""Checkpoint files: Kafka's text, replaced atomically, read with suspicion."""

import contextlib

import pytest

from ottla.log.files.small_files import read_whole, write_atomically
from ottla.log.store.checkpoints import HIGH_WATERMARKS, Checkpoint, parse_checkpoint, read_checkpoint, write_checkpoint
from ottla.model.topic import TopicPartition
from tests.support.memory_disk import MemoryDisk, SimRng, SimulatedCrash

PATH = f"/data/{HIGH_WATERMARKS}"


def test_offsets_come_back(disk: MemoryDisk) -> None:
    offsets = {TopicPartition("orders", 0): 150, TopicPartition("a.b_c-1", 12): 0}

    write_checkpoint(disk, PATH, offsets)

    assert read_checkpoint(disk, PATH) == Checkpoint(offsets)
    assert read_whole(disk, PATH) == b"0\n2\norders 0 150\na.b_c-1 12 0\n"


def test_no_file_is_no_entries(disk: MemoryDisk) -> None:
    assert read_checkpoint(disk, PATH) == Checkpoint({})


def test_no_entries_are_a_file_of_two_lines(disk: MemoryDisk) -> None:
    write_checkpoint(disk, PATH, {})

    assert read_whole(disk, PATH) == b"0\n0\n"
    assert read_checkpoint(disk, PATH) == Checkpoint({})


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "empty"),
        ("1\n0\n", "version"),
        ("x", "version"),
        ("0\n", "declared"),
        ("0\n3\na 0 1\n", "declared"),
        ("0\n1\na 0\n", "line 3"),
        ("0\n1\na 0 -5\n", "line 3"),
        ("0\n1\na 0 99999999999999999999\n", "line 3"),
        ("0\n1\na 0 9223372036854775808\n", "line 3"),
        ("0\n1\na ² 1\n", "line 3"),
        ("0\n1\na b c d\n", "line 3"),
        ("\x00" * 40, "version"),
    ],
)
def test_what_makes_no_sense_is_named(text: str, word: str) -> None:
    read = parse_checkpoint(text)

    assert read.problem is not None
    assert word in read.problem


def test_the_good_lines_of_a_bad_file_are_kept() -> None:
    read = parse_checkpoint("0\n3\na 0 1\n?? \nb 1 2\n")

    assert read.offsets == {TopicPartition("a", 0): 1, TopicPartition("b", 1): 2}
    assert read.problem is not None


def test_a_crash_at_any_moment_leaves_the_old_or_the_new_content(disk: MemoryDisk) -> None:
    write_atomically(disk, PATH, b"old content, longer than the new")
    image = disk.kill()
    outcomes = set()

    for step in range(10):
        for seed in range(8):
            disk = MemoryDisk(image.copy())
            disk.faults.crash_at(step, written_bytes=3)
            with contextlib.suppress(SimulatedCrash):
                write_atomically(disk, PATH, b"new")
            survivor = MemoryDisk(disk.power_loss(SimRng(seed), nasty=True))
            outcomes.add(read_whole(survivor, PATH))

    assert outcomes == {b"old content, longer than the new", b"new"}
