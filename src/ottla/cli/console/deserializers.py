"""The deserializers of Kafka by their Java names: bytes to the text that Java prints for the object."""

import struct
from collections.abc import Callable
from typing import TypeAlias
from uuid import UUID

from ottla.cli.failures import Failure, usage

Deserializer: TypeAlias = Callable[[bytes], bytes]


def _number(form: str) -> Deserializer:
    structure = struct.Struct(form)

    def convert(data: bytes) -> bytes:
        if len(data) != structure.size:
            raise Failure(f"Size of data received by the deserializer is {len(data)}, not {structure.size}")
        return str(structure.unpack(data)[0]).encode()

    return convert


def _boolean(data: bytes) -> bytes:
    if data not in (b"\0", b"\1"):
        raise Failure("Unexpected byte received by the BooleanDeserializer")
    return b"true" if data == b"\1" else b"false"


def _uuid(data: bytes) -> bytes:
    try:
        return str(UUID(data.decode())).encode()
    except ValueError as error:
        raise Failure(f"the data are no UUID: {error}") from error


#: By the last part of the class name, without Deserializer. Bytes are printed as they are.
DESERIALIZERS: dict[str, Deserializer | None] = {
    "String": None,
    "ByteArray": None,
    "Bytes": None,
    "ByteBuffer": None,
    "Void": lambda data: b"null",
    "Short": _number(">h"),
    "Integer": _number(">i"),
    "Long": _number(">q"),
    "Float": _number(">f"),
    "Double": _number(">d"),
    "Boolean": _boolean,
    "UUID": _uuid,
}


def deserializer_named(name: str | None) -> Deserializer | None:
    """None prints the bytes as they are. Raises Failure for a class that is not one of Kafka's."""
    if name is None:
        return None
    short = name.rpartition(".")[2].removesuffix("Deserializer")
    if short not in DESERIALIZERS:
        known = ", ".join(DESERIALIZERS)
        raise usage(f"there is no deserializer {name}; known: {known} (each with Deserializer behind it)")
    return DESERIALIZERS[short]
