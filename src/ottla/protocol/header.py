"""Request and response headers, written by hand: they are on every path and have one oddity each."""

from struct import Struct
from typing import NamedTuple

from ottla.model.errors import RemoteProtocolError
from ottla.protocol.generated.catalog import APIS, ApiKey
from ottla.protocol.wire import Buffer, skip_tags

_REQUEST = Struct(">hhih")
_RESPONSE = Struct(">i")
_NEVER = 32767
_FLEXIBLE_FROM = {api_key: row[5] for api_key, row in APIS.items()}
_new = tuple.__new__  # half the time of calling a NamedTuple
_API_VERSIONS = int(ApiKey.API_VERSIONS)


class RequestHeader(NamedTuple):
    api_key: int
    api_version: int
    correlation_id: int
    client_id: str | None


def request_header_version(api_key: int, api_version: int) -> int:
    return 2 if api_version >= _FLEXIBLE_FROM.get(api_key, _NEVER) else 1


def response_header_version(api_key: int, api_version: int) -> int:
    # ApiVersions always responds with header v0: its reader may not know the version of the response.
    return 1 if api_key != _API_VERSIONS and api_version >= _FLEXIBLE_FROM.get(api_key, _NEVER) else 0


def read_request_header(frame: Buffer) -> tuple[RequestHeader, int]:
    """The header at the start of a frame (without its size) and the position of the body.

    Unknown keys and versions are read too, as far as the client id, so that whoever refuses them can log from whom.
    """
    if len(frame) < 10:
        raise RemoteProtocolError(f"request header: {len(frame)} bytes are too few")
    api_key, api_version, correlation_id, length = _REQUEST.unpack_from(frame, 0)
    # The client id keeps its two-byte length in flexible headers: it must be readable before the version is known.
    position = 10
    client_id = None
    if length >= 0:
        position += length
        if position > len(frame):
            raise RemoteProtocolError(
                f"request header: client_id has length {length}, {len(frame) - 10} bytes are left"
            )
        # librdkafka sends what its user typed, in whatever encoding; Kafka takes that too.
        client_id = str(frame[10:position], "utf-8", "replace")
    elif length != -1:
        raise RemoteProtocolError(f"request header: client_id has length {length}")
    if api_version >= _FLEXIBLE_FROM.get(api_key, _NEVER):
        if position < len(frame) and not frame[position]:
            # No tags: what every client sends.
            position += 1
        else:
            position = _skip_tags(frame, position, "request")
    return _new(RequestHeader, (api_key, api_version, correlation_id, client_id)), position


def read_response_header(frame: Buffer, api_key: int, api_version: int) -> tuple[int, int]:
    """The correlation id and the position of the body."""
    correlation_id = read_correlation_id(frame)
    if response_header_version(api_key, api_version) == 0:
        return correlation_id, 4
    return correlation_id, _skip_tags(frame, 4, "response")


def read_correlation_id(frame: Buffer) -> int:
    """Which request a response belongs to; that gives its api key and version, and so the rest of the header."""
    if len(frame) < 4:
        raise RemoteProtocolError(f"response header: {len(frame)} bytes are too few")
    correlation_id: int = _RESPONSE.unpack_from(frame, 0)[0]
    return correlation_id


def _skip_tags(frame: Buffer, position: int, kind: str) -> int:
    try:
        return skip_tags(frame, position, len(frame)) if frame[position] else position + 1
    except IndexError:
        raise RemoteProtocolError(f"{kind} header: the bytes end too early") from None
    except ValueError as error:
        raise RemoteProtocolError(f"{kind} header: {error}") from None
