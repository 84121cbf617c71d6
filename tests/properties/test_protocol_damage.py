"""Damaged bytes are read as something else or refused with RemoteProtocolError; never anything worse."""

import struct
import tracemalloc

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.exchange import decode_request
from ottla.protocol.generated.catalog import APIS
from ottla.protocol.header import read_request_header, read_response_header
from tests.support.golden_messages import GoldenMessage, golden_messages, message_class

BY_CLASS = [golden_messages()[name] for name in sorted(golden_messages())]
ALL = [golden for of_class in BY_CLASS for golden in of_class]
# Lengths and counts at their edges, as int16, int32 and varint.
EDGES = [
    *(struct.pack(">h", n) for n in (-2, -1, 0, 0x7FFF)),
    *(struct.pack(">i", n) for n in (-2, -1, 0, 0x7FFFFFFF, 1_000_001)),
    *(b"\x00", b"\x80", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\xff\xff", b"\x80\x80\x80\x80\x08"),
]

Damage = st.lists(
    st.tuples(
        st.sampled_from(["set", "insert", "delete", "cut", "edge"]), st.integers(0, 1 << 16), st.integers(0, 255)
    ),
    min_size=1,
    max_size=6,
)


def damaged(data: bytes, changes: list[tuple[str, int, int]]) -> bytes:
    out = bytearray(data)
    for kind, place, value in changes:
        at = place % (len(out) + 1)
        if kind == "set":
            out[at : at + 1] = bytes([value])
        elif kind == "insert":
            out[at:at] = bytes([value])
        elif kind == "delete":
            del out[at : at + value % 8]
        elif kind == "cut":
            del out[at:]
        else:
            edge = EDGES[value % len(EDGES)]
            out[at : at + len(edge)] = edge
    return bytes(out)


def read_or_refuse(golden: GoldenMessage, data: bytes) -> None:
    try:
        message, position = message_class(golden.schema).decode(data, 0, golden.version)
    except RemoteProtocolError:
        return
    assert position <= len(data)
    assert message.to_bytes(golden.version) is not None


@settings(max_examples=1500, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(ALL), Damage)
def test_damaged_messages_are_read_or_refused(golden: GoldenMessage, changes: list[tuple[str, int, int]]) -> None:
    read_or_refuse(golden, damaged(golden.encoded, changes))


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(sorted(APIS)), st.integers(-1, 20), st.binary(max_size=64))
def test_garbage_is_read_or_refused(api_key: int, version: int, data: bytes) -> None:
    for read in (
        lambda: decode_request(api_key, version, data, 0),
        lambda: read_request_header(struct.pack(">hh", api_key, version) + data),
        lambda: read_response_header(data, api_key, version),
    ):
        try:
            read()
        except RemoteProtocolError:
            continue


def fullest() -> list[GoldenMessage]:
    """The newest full message of every class."""
    return [max(of_class, key=lambda golden: (golden.case == "full", golden.version)) for of_class in BY_CLASS]


def test_every_edge_at_every_early_place_is_read_or_refused() -> None:
    for golden in fullest():
        for place in range(min(len(golden.encoded), 24)):
            for edge in EDGES:
                read_or_refuse(golden, golden.encoded[:place] + edge + golden.encoded[place + len(edge) :])


def test_huge_lengths_and_counts_take_no_memory() -> None:
    for golden in fullest():
        read_or_refuse(golden, golden.encoded)  # imports the module, which takes memory too
    tracemalloc.start()
    for golden in fullest():
        for place in range(min(len(golden.encoded), 12)):
            for edge in (b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\x07"):
                read_or_refuse(golden, golden.encoded[:place] + edge + golden.encoded[place + len(edge) :])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
