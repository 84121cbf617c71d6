"""Whole requests and responses: header and body together, with the size that goes before them."""

from struct import Struct

from ottla.model.errors import LocalProtocolError, RemoteProtocolError
from ottla.protocol.api_keys import request_class, response_class
from ottla.protocol.header import read_response_header, request_header_version, response_header_version
from ottla.protocol.message import Message
from ottla.protocol.parts import PartedBuffer
from ottla.protocol.wire import Buffer

_set_size = Struct(">i").pack_into
_response_start = Struct(">ii").pack
_flexible_response_start = Struct(">iix").pack
_request_start = Struct(">ihhih").pack


def decode_request(api_key: int, version: int, frame: Buffer, position: int) -> Message:
    """The body of a request, from `position` to the end of the frame."""
    request, stop = request_class(api_key).decode(frame, position, version)
    if stop != len(frame):
        raise RemoteProtocolError(f"{type(request).__name__} v{version}: {len(frame) - stop} bytes too many")
    return request


def encode_response(correlation_id: int, api_key: int, version: int, response: Message) -> PartedBuffer:
    """A response as it goes out, from the size on; the size counts what the cuts stand for."""
    start = _flexible_response_start if response_header_version(api_key, version) else _response_start
    out = PartedBuffer(start(0, correlation_id))
    response.encode(out, version)
    _set_size(out, 0, (out.total_size if out.cuts else len(out)) - 4)
    return out


def encode_request(correlation_id: int, client_id: str | None, version: int, request: Message) -> PartedBuffer:
    """A request as it goes out, from the size on."""
    name = b"" if client_id is None else client_id.encode()
    if len(name) > 32767:
        raise LocalProtocolError(f"a client id of {len(name)} bytes")
    length = -1 if client_id is None else len(name)
    out = PartedBuffer(_request_start(0, request.API_KEY, version, correlation_id, length))
    out += name
    if request_header_version(request.API_KEY, version) == 2:
        out.append(0)
    request.encode(out, version)
    _set_size(out, 0, out.total_size - 4)
    return out


def decode_response(api_key: int, version: int, frame: Buffer) -> tuple[int, Message]:
    """The correlation id and the body of a response frame (without its size)."""
    correlation_id, position = read_response_header(frame, api_key, version)
    response, stop = response_class(api_key).decode(frame, position, version)
    if stop != len(frame):
        raise RemoteProtocolError(f"{type(response).__name__} v{version}: {len(frame) - stop} bytes too many")
    return correlation_id, response
