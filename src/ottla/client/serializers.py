"""From values to bytes and back: callables, or one of three names."""

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from ottla.client.errors import SerializationFailed
from ottla.model.errors import InvalidConfig

#: A serializer gives bytes, or None for null (a tombstone); it is not called for None.
Serializer: TypeAlias = Callable[[Any], bytes | None]
Deserializer: TypeAlias = Callable[[bytes], Any]


def _bytes_of(value: Any) -> bytes:
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value)
    raise TypeError(f"a {type(value).__name__} is no bytes; set a serializer, for example value_serializer='str'")


def _text_bytes(value: Any) -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"a {type(value).__name__} is no str")
    return value.encode()


def _json_bytes(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


SERIALIZERS: dict[str, Serializer] = {"bytes": _bytes_of, "str": _text_bytes, "json": _json_bytes}
DESERIALIZERS: dict[str, Deserializer] = {"bytes": bytes, "str": lambda data: data.decode(), "json": json.loads}


def serializer(setting: str, given: Any, name: str) -> Serializer | None:
    """None for `bytes` without conversion. `given` is the callable, if one was passed."""
    chosen: Serializer | None = _chosen(setting, given, name, SERIALIZERS)
    return chosen


def deserializer(setting: str, given: Any, name: str) -> Deserializer | None:
    """None for `bytes`: they are as they come."""
    chosen: Deserializer | None = _chosen(setting, given, name, DESERIALIZERS)
    return chosen


def _chosen(setting: str, given: Any, name: str, named: dict[str, Any]) -> Any:
    if given is not None:
        if not callable(given):
            raise InvalidConfig([f"{setting}={given!r}: must be callable, or one of {', '.join(named)}"])
        return given
    if name not in named:
        raise InvalidConfig([f"{setting}={name}: must be a callable, or one of {', '.join(named)}"])
    return None if name == "bytes" else named[name]


def serialize(serializer: Serializer | None, value: Any, what: str) -> bytes | None:
    """Raises SerializationFailed with what was to be serialized, whatever the serializer raises."""
    if value is None:
        return None
    try:
        result = (serializer or _bytes_of)(value)
    except Exception as error:
        raise SerializationFailed(f"{what} cannot be serialized: {type(error).__name__}: {error}") from error
    if result is None or isinstance(result, bytes):
        return result
    raise SerializationFailed(f"{what}: the serializer gave a {type(result).__name__}, not bytes")
