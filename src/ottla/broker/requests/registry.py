"""Which handler serves which API. Registration stands next to the handler, so ApiVersions cannot lie."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from ottla.protocol.api_keys import ApiKey, request_class

#: Reads the body of a request from a position, in a version, with at most so many elements; gives it and its end.
Decoder: TypeAlias = Callable[[memoryview, int, int, int], tuple[Any, int]]
#: A handler gives a response, an awaitable of one, a Deferred, or None when the client expects no response (acks=0).
Handler: TypeAlias = Callable[[Any, Any], Any]
H = TypeVar("H", bound=Callable[..., Any])


class Entry:
    """One API as it is served: versions, decoder, handler."""

    __slots__ = ("advertised_min", "api_key", "decode", "fallback", "handler", "max_version", "min_version")

    def __init__(
        self,
        api_key: ApiKey,
        min_version: int,
        max_version: int,
        advertised_min: int,
        handler: Handler,
        fallback: "Entry | None" = None,
    ) -> None:
        """`fallback` serves versions that are not known, of which only the header can be read."""
        #: A plain number: every request is counted by it.
        self.api_key = int(api_key)
        self.min_version = min_version
        self.max_version = max_version
        self.advertised_min = advertised_min
        self.handler = handler
        self.fallback = fallback
        self.decode: Decoder = self._first_decode

    def _first_decode(self, frame: memoryview, position: int, version: int, max_elements: int) -> tuple[Any, int]:
        # The generated module is loaded with the first request of its kind: a start pays only for what is used.
        self.decode = request_class(ApiKey(self.api_key)).decode
        return self.decode(frame, position, version, max_elements)


_ENTRIES: dict[int, Entry] = {}


def handles(
    api_key: ApiKey,
    min_version: int,
    max_version: int,
    *,
    advertised_min: int | None = None,
    fallback: Handler | None = None,
) -> Callable[[H], H]:
    """Registers a handler. `advertised_min` may be below what is accepted: librdkafka expects Produce from 0 on.

    `fallback` responds, in version 0, to a request in a version that is not known; without it the connection is closed.
    """

    def register(handler: H) -> H:
        advertised = min_version if advertised_min is None else advertised_min
        unknown = None if fallback is None else Entry(api_key, 0, 0, 0, fallback)
        _ENTRIES[int(api_key)] = Entry(api_key, min_version, max_version, advertised, handler, unknown)
        return handler

    return register


def registered() -> dict[int, Entry]:
    """By api key: what the modules that were imported so far serve."""
    return _ENTRIES
