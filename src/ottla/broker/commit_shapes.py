"""The short way for a committer that repeats itself: same group, same member, same partitions, other offsets.

A consumer sends the same OffsetCommit again and again, and only the offsets in it change. When a committer has sent two
requests of one size, the second leaves behind a shape: where the offsets stand, and every byte around them. A request
that fits the shape byte for byte is not decoded any more: one unpacking finds the offsets and compares the rest.
Whatever does not fit is decoded as ever, so a shape can be wrong about nothing.
"""

from __future__ import annotations

import struct
from typing import Final, NamedTuple

from ottla.groups.offsets.standing import StandingCommit, can_stand, with_offsets
from ottla.protocol.generated.offset_commit_request import OffsetCommitRequest

_FLEXIBLE_FROM: Final = OffsetCommitRequest.FLEXIBLE_FROM
_MOST_COMMITTERS: Final = 4096
_LARGEST_BODY: Final = 2048
_INT16: Final = struct.Struct(">h")
#: An offset that no request holds, to find the places of offsets.
_MARK: Final = 0x1122334455667788
_MARK_BYTES: Final = _MARK.to_bytes(8, "big")


class AcceptedCommit:
    """The answer to a commit of which every partition was taken, as bytes. Stands in for an OffsetCommitResponse."""

    __slots__ = ("_body",)

    def __init__(self, body: bytes) -> None:
        self._body = body

    def encode(self, out: bytearray, version: int) -> None:
        out += self._body


class CommitShape:
    """All requests of one committer that differ in nothing but their offsets."""

    __slots__ = ("_fixed", "_layout", "_model", "_size", "accepted", "standing", "version")

    def __init__(self, model: OffsetCommitRequest, version: int, fixed: tuple[bytes, ...]) -> None:
        self.version = version
        self._model = model
        self._fixed = fixed
        self._layout = struct.Struct(">" + "q".join(f"{len(piece)}s" for piece in fixed))
        self._size = self._layout.size
        #: Made when the topics have been looked up, and again when they are no longer what they were.
        self.standing: StandingCommit | None = None
        #: What `standing.accepted` is on the wire.
        self.accepted = AcceptedCommit(b"")

    def offsets_in(self, frame: memoryview, position: int, version: int) -> tuple[int, ...] | None:
        """The offsets of the request that begins at `position`; None when it has another shape."""
        if len(frame) - position != self._size or version != self.version:
            return None
        parts = self._layout.unpack_from(frame, position)
        return parts[1::2] if parts[::2] == self._fixed else None

    def request(self, offsets: tuple[int, ...]) -> OffsetCommitRequest:
        return with_offsets(self._model, offsets)

    def stand(self, request: OffsetCommitRequest) -> StandingCommit:
        """`request` has this shape, and its topics have both names and ids now."""
        self.standing = standing = StandingCommit(request)
        self.accepted = AcceptedCommit(standing.accepted.to_bytes(self.version))
        return standing


class RepeatedCommit(NamedTuple):
    """Stands in for an OffsetCommitRequest."""

    shape: CommitShape
    offsets: tuple[int, ...]


class CommitShapes:
    """The shapes of all committers, one each. Knows nothing of any broker: shapes are about bytes."""

    def __init__(self) -> None:
        #: A number is the size of the last request of a committer that has no shape.
        self._known: dict[bytes, CommitShape | int] = {}

    def decode(
        self, frame: memoryview, position: int, version: int
    ) -> tuple[OffsetCommitRequest | RepeatedCommit, int]:
        """As `OffsetCommitRequest.decode`."""
        committer = _committer(frame, position, version)
        known = self._known.get(committer)
        if type(known) is CommitShape:
            offsets = known.offsets_in(frame, position, version)
            if offsets is not None:
                return RepeatedCommit(known, offsets), len(frame)
        request, stop = OffsetCommitRequest.decode(frame, position, version)
        size = len(frame) - position
        if size <= _LARGEST_BODY:
            shape = _shape_of(request, frame, position, version) if known == size else None
            self._remember(committer, size if shape is None else shape)
        return request, stop

    def _remember(self, committer: bytes, known: CommitShape | int) -> None:
        if len(self._known) >= _MOST_COMMITTERS and committer not in self._known:
            self._known.clear()
        self._known[committer] = known


def _committer(frame: memoryview, position: int, version: int) -> bytes:
    """The bytes of group, generation and member; fewer when the frame is cut short."""
    try:
        if version < _FLEXIBLE_FROM:
            stop = position + 6 + _INT16.unpack_from(frame, position)[0]
            stop += 2 + _INT16.unpack_from(frame, stop)[0]
        else:
            # Lengths of two bytes are read wrongly here: then the name is another one, which does no harm.
            stop = position + frame[position] + 4
            stop += frame[stop]
    except (IndexError, struct.error):
        return b""
    return bytes(frame[position:stop])


def _shape_of(request: OffsetCommitRequest, frame: memoryview, position: int, version: int) -> CommitShape | None:
    """None when the request cannot be taken the short way, or was not written as we would write it."""
    if not can_stand(request):
        return None
    offset_count = sum(len(topic.partitions) for topic in request.topics)
    marked = with_offsets(request, (_MARK,) * offset_count).to_bytes(version)
    fixed = tuple(marked.split(_MARK_BYTES))
    if len(fixed) != offset_count + 1:
        return None
    # A copy: the handler changes what it is given.
    shape = CommitShape(with_offsets(request, (0,) * offset_count), version, fixed)
    return shape if shape.offsets_in(frame, position, version) is not None else None
