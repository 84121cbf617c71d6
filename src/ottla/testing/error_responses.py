"""The response that reports one error for everything that a request asks for.

Built from the generated classes. Error codes stand at the top of a response, or in rows that mirror those of the
request (topics and partitions, groups, resources), or both. A row of the request gives its names and numbers to the row
of the response; the same thing has a few names in Kafka's schemas.
"""

import sys
from collections.abc import Iterable
from typing import Any, Final

from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey, response_class
from ottla.protocol.message import Message, Struct

_ERROR_FIELDS: Final = frozenset({"error_code", "partition_error_code"})
#: Names of the same thing in requests and responses.
_SAME: Final = (
    ("name", "topic", "topic_name", "user"),
    ("partition_index", "partition", "index", "partition_id"),
    ("key", "group_id", "transactional_id"),
)
_TEXT_NAMES: Final = ("name", "topic", "key", "group_id", "transactional_id")
_NUMBER_NAMES: Final = ("partition_index", "partition", "partition_id")
#: Where a list of the response mirrors one of the request that cannot be guessed.
_SOURCES: Final = {
    (ApiKey.ADD_PARTITIONS_TO_TXN, "results_by_topic_v3_and_below"): ("v3_and_below_topics",),
    (ApiKey.DELETE_TOPICS, "responses"): ("topics", "topic_names"),
}
#: A code at the top of these concerns the whole session or transaction manager: clients expect others there.
_NOT_AT_THE_TOP: Final = frozenset({ApiKey.FETCH})


def error_response(request: Message, error: ErrorCode) -> Message:
    api_key = ApiKey(request.API_KEY)
    kind = response_class(api_key)
    response = kind()
    for name, row_class in _rows_with_errors(kind).items():
        setattr(response, name, [_row(row_class, source, error) for source in _source_rows(api_key, name, request)])
    if "error_code" in _fields(kind) and api_key not in _NOT_AT_THE_TOP:
        _set(response, "error_code", error)
    return response


def _source_rows(api_key: ApiKey, name: str, request: Message) -> Iterable[Any]:
    if api_key == ApiKey.ALTER_REPLICA_LOG_DIRS:
        return [topic for directory in request.dirs for topic in directory.topics]  # type: ignore[attr-defined]
    names = _SOURCES.get((api_key, name)) or ((name,) if hasattr(request, name) else _lists(request)[:1])
    return next((rows for each in names if (rows := getattr(request, each))), [])


def _lists(value: Any) -> list[str]:
    return [name for name in type(value).__slots__ if isinstance(getattr(value, name), list)]


def _row(kind: type[Struct], source: Any, error: ErrorCode) -> Struct:
    row = kind()
    nested = _rows_with_errors(kind)
    for name in _fields(kind):
        if name in _ERROR_FIELDS:
            _set(row, name, error)
        elif name in nested:
            rows: list[Any] = getattr(source, name, None) or next(
                (getattr(source, each) for each in _lists(source)), []
            )
            setattr(row, name, [_row(nested[name], each, error) for each in rows])
        else:
            _copy(name, source, row)
    if isinstance(source, str | int):
        names = _TEXT_NAMES if isinstance(source, str) else _NUMBER_NAMES
        setattr(row, next(name for name in names if hasattr(row, name)), source)
    return row


def _set(row: Any, name: str, error: ErrorCode) -> None:
    setattr(row, name, int(error))
    if hasattr(row, "error_message"):
        row.error_message = f"{error.name}, injected by the test"


def _copy(name: str, source: Any, row: Struct) -> None:
    family = next((names for names in _SAME if name in names), (name,))
    for each in (name, *family):
        value = getattr(source, each, None)
        if isinstance(value, str | int | bytes):
            setattr(row, name, value)
            return


def _fields(kind: type[Struct]) -> tuple[str, ...]:
    found: tuple[str, ...] = kind.__slots__
    return found


def _rows_with_errors(kind: type[Struct]) -> dict[str, type[Struct]]:
    """The lists of a struct whose rows have an error code, in themselves or further down."""
    module = sys.modules[kind.__module__]
    found: dict[str, type[Struct]] = {}
    for name, annotation in kind.__init__.__annotations__.items():
        inner = str(annotation).removesuffix(" | None").removeprefix("list[").removesuffix("]")
        row_class = getattr(module, inner, None) if str(annotation).startswith("list[") else None
        if row_class is not None and (_ERROR_FIELDS & set(_fields(row_class)) or _rows_with_errors(row_class)):
            found[name] = row_class
    return found
