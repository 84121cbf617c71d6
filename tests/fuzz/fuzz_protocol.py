"""Coverage-guided fuzzing of every decoder: `python -m tests.fuzz.fuzz_protocol [libFuzzer options] [corpus]`.

The first bytes of the input choose the decoder and the version, the rest is what a peer sent. Anything but a message
or RemoteProtocolError is a find. With `--seed <directory>` the golden messages are written there as a first corpus.
"""

import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.header import read_request_header
from ottla.protocol.message import Message
from tests.support.golden_messages import golden_messages, message_class, schemas

NAMES = sorted(schemas())
PREFIX_BYTES = 3


@cache
def classes() -> list[type[Message]]:
    """Imported when asked for, so that a fuzzer can watch the imports."""
    return [message_class(schemas()[name]) for name in NAMES]


def one_input(data: bytes) -> None:
    if len(data) < PREFIX_BYTES:
        return
    cls = classes()[int.from_bytes(data[:2], "big") % len(NAMES)]
    version = cls.MIN_VERSION + data[2] % (cls.MAX_VERSION - cls.MIN_VERSION + 1)
    body = data[PREFIX_BYTES:]
    with suppress(RemoteProtocolError):
        read_request_header(body)
    try:
        message, position = cls.decode(body, 0, version)
    except RemoteProtocolError:
        return
    if position > len(body):
        raise AssertionError(f"{cls.__name__} v{version} read beyond the end")
    # What was read can be written, and reads back equal (bytes may differ: unknown tags are dropped).
    again, _ = cls.decode(message.to_bytes(version), 0, version)
    if again != message and "nan" not in repr(message):
        raise AssertionError(f"{cls.__name__} v{version} changed: {message!r} {again!r}")


def seed(directory: Path) -> int:
    directory.mkdir(parents=True, exist_ok=True)
    count = 0
    for index, name in enumerate(NAMES):
        for golden in golden_messages()[name]:
            if len(golden.encoded) > 1000:
                continue
            version = golden.version - classes()[index].MIN_VERSION
            data = index.to_bytes(2, "big") + bytes([version]) + golden.encoded
            (directory / f"{name}-{golden.version}-{golden.case}").write_bytes(data)
            count += 1
    return count


def main(arguments: list[str]) -> int:
    if arguments[1:2] == ["--seed"]:
        print(f"{seed(Path(arguments[2]))} inputs written")
        return 0
    try:
        import atheris  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        print("atheris is not installed: it is in the dependency group 'fuzz'", file=sys.stderr)
        return 1
    with atheris.instrument_imports(include=["ottla.protocol.generated"]):
        classes()
    atheris.Setup(arguments, one_input)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
