"""Commits of who repeats himself: read without decoding, and never otherwise than by decoding."""

from typing import Any

import pytest

from ottla.broker.commit_shapes import CommitShapes, RepeatedCommit
from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest, Partitions, Topics
from ottla.protocol.generated.offset_commit_response import OffsetCommitResponse

VERSIONS = range(OffsetCommitRequest.MIN_VERSION, OffsetCommitRequest.MAX_VERSION + 1)
HEADER = b"any header"


def request(
    *offsets: int, member_id: str = "consumer-1", metadata: str | None = "", **fields: Any
) -> OffsetCommitRequest:
    partitions = [
        Partitions(
            partition_index=index, committed_offset=offset, committed_leader_epoch=3, committed_metadata=metadata
        )
        for index, offset in enumerate(offsets)
    ]
    return OffsetCommitRequest(
        group_id="readers", generation_id_or_member_epoch=4, member_id=member_id,
        topics=[
            Topics(name="orders", topic_id=b"o" * 16, partitions=partitions[:2]),
            Topics(name="payments", topic_id=b"p" * 16, partitions=partitions[2:]),
        ],
        **fields,
    )  # fmt: skip


def frame_of(asked: OffsetCommitRequest, version: int) -> memoryview:
    return memoryview(HEADER + asked.to_bytes(version))


def read(shapes: CommitShapes, frame: memoryview, version: int) -> OffsetCommitRequest | RepeatedCommit:
    found, stop = shapes.decode(frame, len(HEADER), version)
    assert stop == len(frame)
    return found


def whole(found: OffsetCommitRequest | RepeatedCommit) -> OffsetCommitRequest:
    return found.shape.request(found.offsets) if isinstance(found, RepeatedCommit) else found


@pytest.mark.parametrize("version", VERSIONS)
def test_from_the_third_request_on_only_the_offsets_are_read(version: int) -> None:
    shapes = CommitShapes()
    kinds = []
    for number in range(5):
        frame = frame_of(request(number, 2**62 - number, -1), version)
        found = read(shapes, frame, version)
        kinds.append(type(found))
        assert whole(found) == OffsetCommitRequest.decode(frame, len(HEADER), version)[0]

    assert kinds == [OffsetCommitRequest] * 2 + [RepeatedCommit] * 3


@pytest.mark.parametrize("version", VERSIONS)
def test_a_request_with_any_other_byte_is_read_as_if_there_were_no_shape(version: int) -> None:
    shapes = CommitShapes()
    frame = frame_of(request(5, 6, 7), version)
    for position in range(len(HEADER), len(frame)):
        for flip in (1, 0x80):
            for _ in range(3):
                read(shapes, frame, version)
            changed = bytearray(frame)
            changed[position] ^= flip
            view = memoryview(changed)
            try:
                expected, _ = OffsetCommitRequest.decode(view, len(HEADER), version)
            except RemoteProtocolError:
                with pytest.raises(RemoteProtocolError):
                    shapes.decode(view, len(HEADER), version)
            else:
                assert whole(shapes.decode(view, len(HEADER), version)[0]) == expected


@pytest.mark.parametrize("version", VERSIONS)
def test_a_frame_that_is_cut_short_is_refused_as_ever(version: int) -> None:
    shapes = CommitShapes()
    frame = frame_of(request(5, 6, 7), version)
    for _ in range(3):
        read(shapes, frame, version)

    for size in range(len(HEADER), len(frame)):
        with pytest.raises(RemoteProtocolError):
            shapes.decode(frame[:size], len(HEADER), version)


def test_the_same_bytes_in_another_version_are_another_request() -> None:
    shapes = CommitShapes()
    frame = frame_of(request(5, 6, 7), 8)
    for _ in range(3):
        read(shapes, frame, 8)

    assert type(read(shapes, frame, 9)) is OffsetCommitRequest


@pytest.mark.parametrize(
    ("asked", "version"),
    [(request(1, 2, 3, retention_time_ms=1000), 4), (request(1, 2, 3, metadata="é" * 64), 7)],
    ids=["expires", "long metadata"],
)
def test_what_the_short_way_cannot_write_is_always_decoded(asked: OffsetCommitRequest, version: int) -> None:
    shapes = CommitShapes()
    for _ in range(4):
        assert type(read(shapes, frame_of(asked, version), version)) is OffsetCommitRequest


def test_an_offset_that_looks_like_the_mark_does_no_harm() -> None:
    shapes = CommitShapes()
    for _ in range(4):
        found = read(shapes, frame_of(request(0x1122334455667788, 2, 3), 8), 8)
    assert whole(found).topics[0].partitions[0].committed_offset == 0x1122334455667788


def test_a_topic_id_that_holds_the_mark_keeps_a_request_from_having_a_shape() -> None:
    shapes = CommitShapes()
    asked = request(1, 2, 3)
    asked.topics[0].topic_id = bytes.fromhex("1122334455667788") * 2
    for _ in range(4):
        found = read(shapes, frame_of(asked, 10), 10)
        assert type(found) is OffsetCommitRequest


def test_committers_do_not_take_each_others_place() -> None:
    shapes = CommitShapes()
    for _ in range(3):
        for member in ("consumer-1", "consumer-2"):
            found = read(shapes, frame_of(request(1, 2, 3, member_id=member), 9), 9)
            assert whole(found).member_id == member
            last = type(found)
    assert last is RepeatedCommit


def test_the_answer_has_the_bytes_of_an_ordinary_answer() -> None:
    shapes = CommitShapes()
    for version in VERSIONS:
        for number in range(3):
            found = read(shapes, frame_of(request(number, 2, 3), version), version)
        assert isinstance(found, RepeatedCommit)
        asked = request(1, 2, 3)
        standing = found.shape.stand(asked)
        out = bytearray()
        found.shape.accepted.encode(out, version)

        answer = OffsetCommitResponse.from_bytes(out, version)
        assert answer == OffsetCommitResponse.from_bytes(standing.accepted.to_bytes(version), version)
        assert [len(topic.partitions) for topic in answer.topics] == [2, 1]


def test_the_memory_for_committers_is_bounded() -> None:
    shapes = CommitShapes()
    for number in range(10_000):
        read(shapes, frame_of(request(1, member_id=f"consumer-{number}"), 9), 9)

    assert len(shapes._known) <= 4096
