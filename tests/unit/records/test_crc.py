"""CRC-32C: the right polynomial, and no detour at import."""

import subprocess
import sys

import crc32c as package

from ottla.records.crc import crc32c


def test_it_is_the_castagnoli_polynomial() -> None:
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(b"") == 0


def test_it_agrees_with_the_package_on_every_kind_of_buffer() -> None:
    data = bytes(range(256)) * 50

    assert crc32c(data) == crc32c(bytearray(data)) == crc32c(memoryview(data)) == package.crc32c(data)
    assert crc32c(memoryview(data)[3:1001]) == package.crc32c(data[3:1001])


def test_the_package_is_not_imported_for_it() -> None:
    code = (
        "import sys, ottla.records.batch; print(sorted({'argparse', 'email', 'importlib.metadata'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"
