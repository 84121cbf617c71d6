"""Interceptors and serializers: code of the user's, which may fail."""

import logging
from typing import Any

import pytest

from ottla.client.errors import SerializationFailed
from ottla.client.interceptors import InterceptorChain, load_interceptors
from ottla.client.serializers import deserializer, serialize, serializer
from ottla.model.errors import InvalidConfig


class Adds:
    def __init__(self, text: str = "!") -> None:
        self._text = text

    def on_send(self, record: str) -> str:
        return record + self._text


class Fails:
    def on_send(self, record: str) -> str:
        raise ValueError("no")

    def on_acknowledgement(self, metadata: Any, error: Exception | None, headers: Any) -> None:
        raise ValueError("no")


class Watches:
    def __init__(self) -> None:
        self.seen: list[Any] = []

    def on_acknowledgement(self, metadata: Any, error: Exception | None, headers: Any) -> None:
        self.seen.append((metadata, error))


def test_interceptors_are_chained_in_order() -> None:
    assert InterceptorChain([Adds("1"), Adds("2")]).passed("on_send", "x", str) == "x12"


def test_one_that_fails_is_skipped_and_logged(caplog: pytest.LogCaptureFixture) -> None:
    watches = Watches()
    chain = InterceptorChain([Adds("1"), Fails(), Adds("2"), watches])

    with caplog.at_level(logging.WARNING):
        assert chain.passed("on_send", "x", str) == "x12"
        chain.notify("on_acknowledgement", "m", None, ())

    assert watches.seen == [("m", None)]
    assert [record.getMessage() for record in caplog.records] == [
        "interceptor Fails: on_send failed; it is skipped",
        "interceptor Fails: on_acknowledgement failed; it is skipped",
    ]


def test_interceptors_come_as_objects_classes_and_names() -> None:
    name = f"{__name__}:Adds"

    chain = load_interceptors("interceptor.classes", [name], [Adds("1"), Adds, name])

    assert chain.passed("on_send", "x", str) == "x!1!!"


@pytest.mark.parametrize("name", ["no.such.module:X", f"{__name__}:Missing", "NoColon"])
def test_a_name_that_cannot_be_loaded_is_refused(name: str) -> None:
    with pytest.raises(InvalidConfig, match="interceptor.classes=" + name):
        load_interceptors("interceptor.classes", [name], None)


def test_named_serializers() -> None:
    assert serialize(serializer("value.serializer", None, "json"), {"a": "ä"}, "v") == '{"a":"ä"}'.encode()
    assert serialize(serializer("value.serializer", None, "str"), "ä", "v") == "ä".encode()
    assert serialize(serializer("value.serializer", None, "bytes"), bytearray(b"x"), "v") == b"x"
    decode = deserializer("value.deserializer", None, "json")
    assert decode is not None
    assert decode(b'{"a":1}') == {"a": 1}


def test_null_is_not_serialized() -> None:
    assert serialize(serializer("value.serializer", None, "json"), None, "v") is None


@pytest.mark.parametrize(
    ("function", "value", "message"),
    [
        (None, 3, "v cannot be serialized: TypeError: a int is no bytes; set a serializer"),
        (lambda value: 1 / 0, 3, "v cannot be serialized: ZeroDivisionError"),
        (lambda value: "text", 3, "the serializer gave a str, not bytes"),
    ],
)
def test_what_a_serializer_does_wrong_is_the_records_error(function: Any, value: Any, message: str) -> None:
    with pytest.raises(SerializationFailed, match=message):
        serialize(function, value, "v")


@pytest.mark.parametrize("given", [None, 3])
def test_an_unknown_serializer_is_refused(given: Any) -> None:
    with pytest.raises(InvalidConfig, match=r"value.serializer=.* one of bytes, str, json"):
        serializer("value.serializer", given, "avro")
