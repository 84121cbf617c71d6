"""The fuzz target itself, on inputs that need no fuzzer."""

from tests.fuzz.fuzz_protocol import NAMES, classes, one_input
from tests.support.golden_messages import golden_messages


def test_target_accepts_golden_messages() -> None:
    for index, name in enumerate(NAMES):
        golden = golden_messages()[name][0]
        version = golden.version - classes()[index].MIN_VERSION
        one_input(index.to_bytes(2, "big") + bytes([version]) + golden.encoded)


def test_target_accepts_short_and_broken_inputs() -> None:
    for data in (b"", b"\0\0", bytes(3), b"\xff" * 200):
        one_input(data)
