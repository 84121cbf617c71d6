"""Interceptors: code of the user's that sees every record and every acknowledgement. What they raise is logged only.

Any of the methods may be missing. Interceptors are chained in the order in which they are given: each sees what the one
before it returned; one that fails is skipped for that record.
"""

import importlib
import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from ottla.model.errors import InvalidConfig

T = TypeVar("T")
_log = logging.getLogger(__name__)


class ProducerRecord(NamedTuple):
    """A record as it was passed to `send`, before it is serialized.

    >>> record = ProducerRecord("orders", "first")
    >>> record._replace(headers=(("source", b"shop"),)).headers
    (('source', b'shop'),)
    """

    topic: str
    value: Any
    key: Any = None
    partition: int | None = None
    timestamp_ms: int | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()


class ProducerInterceptor(Protocol):
    """What a producer calls, on its event loop. Methods must not block.

    >>> class Stamp:
    ...     def on_send(self, record):
    ...         return record._replace(headers=(*record.headers, ("source", b"shop")))
    >>> with Producer(bootstrap_servers=servers, interceptor_classes=[Stamp()]) as producer:
    ...     producer.send("stamped", b"first").result().offset
    0
    """

    def on_send(self, record: ProducerRecord) -> ProducerRecord:
        """May return another record."""

    def on_acknowledgement(self, metadata: Any, error: Exception | None, headers: Any) -> None:
        """Once for each record: its RecordMetadata, or None and the error; and its headers (KIP-512)."""


class ConsumerInterceptor(Protocol):
    """What a consumer calls, on its event loop. Methods must not block.

    >>> class WithoutTests:
    ...     def on_consume(self, records):
    ...         return [record for record in records if record.key != b"test"]
    >>> WithoutTests().on_consume([ConsumerRecord("orders", 0, 7, 0, b"test")])
    []
    """

    def on_consume(self, records: Sequence[Any]) -> Sequence[Any]:
        """May return other records; those are what the caller gets."""

    def on_commit(self, offsets: Any) -> None:
        """After offsets were committed."""


class InterceptorChain:
    """Owned by a client."""

    def __init__(self, interceptors: Iterable[Any] = ()) -> None:
        self._all = tuple(interceptors)

    def __bool__(self) -> bool:
        return bool(self._all)

    def passed(self, method: str, value: T, convert: Callable[[Any], T]) -> T:
        """`value` through all that have the method; what one returns is what the next one gets.

        `convert` raises for a result of another type: that is a failure too.
        """
        for interceptor in self._all:
            call = getattr(interceptor, method, None)
            if call is None:
                continue
            try:
                value = convert(call(value))
            except Exception as error:  # noqa: BLE001  code of the user's must not stop a client
                self._failed(interceptor, method, error)
        return value

    def notify(self, method: str, *values: Any) -> None:
        for interceptor in self._all:
            call = getattr(interceptor, method, None)
            if call is None:
                continue
            try:
                call(*values)
            except Exception as error:  # noqa: BLE001  as above
                self._failed(interceptor, method, error)

    def close(self) -> None:
        self.notify("close")

    def _failed(self, interceptor: Any, method: str, error: Exception) -> None:
        _log.warning("interceptor %s: %s failed; it is skipped", type(interceptor).__name__, method, exc_info=error)


def load_interceptors(setting: str, names: Iterable[str], given: Any) -> InterceptorChain:
    """From objects, or from `package.module:name`. A class is instantiated without arguments."""
    objects = [given] if given is not None and not isinstance(given, list | tuple) else given or ()
    return InterceptorChain([_loaded(setting, item) for item in [*names, *objects]])


def _loaded(setting: str, item: Any) -> Any:
    if isinstance(item, str):
        item = _imported(setting, item)
    return item() if isinstance(item, type) else item


def _imported(setting: str, name: str) -> Any:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise InvalidConfig([f"{setting}={name}: must be package.module:name"])
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InvalidConfig([f"{setting}={name}: cannot be loaded: {error}"]) from error
