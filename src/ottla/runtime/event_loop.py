"""asyncio's own loop, on a selector that serves streams by itself.

asyncio makes a key, a handle and a context switch of each event before anybody reads a byte: a good part of the cost of
a small request. Streams need none of that. Where the loop waits for events, the selector calls them directly and waits
again, until there is something for the loop as well: a callback, a timer, another file. The loop does not notice.
"""

import asyncio
import contextlib
import select
import selectors
import sys
from collections.abc import Callable, Mapping
from contextvars import Context
from time import monotonic
from typing import Any, TypeVarTuple

from ottla.runtime.poller import LoopPoller, Outbox, Poller, Watched, end_after_bug

#: After so many sockets, timers and other callbacks run.
_EVENTS_A_ROUND = 256
#: What fits into a number of epoll; longer sleeps are taken in several.
_MAX_WAIT_S = 24 * 3600.0
_Ts = TypeVarTuple("_Ts")


def new_event_loop() -> asyncio.AbstractEventLoop:
    if sys.platform == "linux":
        return StreamLoop()
    return asyncio.new_event_loop()


def poller_of(loop: asyncio.AbstractEventLoop) -> Poller:
    """How streams on this loop are notified of their sockets."""
    if sys.platform == "linux" and isinstance(loop, StreamLoop):
        return loop.streams
    return LoopPoller(loop)


if sys.platform == "linux":
    _READ_EVENTS = select.EPOLLIN | select.EPOLLHUP | select.EPOLLERR
    _WRITE_EVENTS = select.EPOLLOUT

    def serve_streams(
        selector: "StreamSelector", epoll: select.epoll, timeout: float | None, streams: dict[int, Watched]
    ) -> list[tuple[int, int]]:
        """Serves streams until the time is up or there is something for the loop; gives the events of other files."""
        # epoll counts in milliseconds and rounds up: no timer wakes the loop before it is due.
        left = _MAX_WAIT_S if timeout is None else min(max(0.0, timeout), _MAX_WAIT_S)
        until = monotonic() + left
        others: list[tuple[int, int]] = []
        outbox = selector.outbox
        while True:
            events = epoll.poll(left, _EVENTS_A_ROUND)
            outbox.is_open = True
            try:
                for descriptor, mask in events:
                    # An earlier stream of this round may have closed it: then it is in neither table.
                    stream = streams.get(descriptor)
                    if stream is None:
                        others.append((descriptor, mask))
                        continue
                    try:
                        if mask & _READ_EVENTS:
                            stream.on_readable()
                        if mask & _WRITE_EVENTS:
                            stream.on_ready_to_write()
                    except Exception:  # noqa: BLE001  a bug in the owner of one connection ends that connection
                        end_after_bug(stream)
            finally:
                outbox.close()
            if others or selector.has_work_for_loop or not events:
                return others
            left = until - monotonic()
            if left <= 0:
                return others

    class StreamSelector(selectors.BaseSelector):
        """One epoll for both: streams, which are called, and what the loop watches, which is reported to it."""

        def __init__(self) -> None:
            self._epoll = select.epoll()
            self._streams: dict[int, Watched] = {}
            self._keys: dict[int, selectors.SelectorKey] = {}
            self.outbox = Outbox()
            #: Set by the loop when something was scheduled while streams were served.
            self.has_work_for_loop = False

        # -- for streams

        def watch(self, stream: Watched, *, reads: bool, writes: bool) -> None:
            mask = (select.EPOLLIN if reads else 0) | (select.EPOLLOUT if writes else 0)
            descriptor = stream.descriptor
            is_known = descriptor in self._streams
            if not mask:
                # A peer that hung up is reported with any mask: not to be asked is the only silence.
                if is_known:
                    del self._streams[descriptor]
                    self._epoll.unregister(descriptor)
            elif is_known:
                self._epoll.modify(descriptor, mask)
            else:
                self._streams[descriptor] = stream
                self._epoll.register(descriptor, mask)

        # -- for the loop

        def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
            self.has_work_for_loop = False
            reported: list[tuple[selectors.SelectorKey, int]] = []
            for descriptor, mask in serve_streams(self, self._epoll, timeout, self._streams):
                self._report(descriptor, mask, reported)
            return reported

        def _report(self, descriptor: int, mask: int, reported: list[tuple[selectors.SelectorKey, int]]) -> None:
            key = self._keys.get(descriptor)
            if key is not None:
                found = (selectors.EVENT_READ if mask & ~_WRITE_EVENTS else 0) | (
                    selectors.EVENT_WRITE if mask & ~select.EPOLLIN else 0
                )
                reported.append((key, found & key.events))

        def register(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
            key = selectors.SelectorKey(fileobj, _descriptor_of(fileobj), events, data)
            if key.fd in self._keys:
                raise KeyError(f"{fileobj!r} is already registered")
            self._epoll.register(key.fd, _mask_of(events))
            self._keys[key.fd] = key
            return key

        def modify(self, fileobj: Any, events: int, data: Any = None) -> selectors.SelectorKey:
            known = self.get_key(fileobj)
            key = known._replace(events=events, data=data)
            if events != known.events:
                self._epoll.modify(key.fd, _mask_of(events))
            self._keys[key.fd] = key
            return key

        def unregister(self, fileobj: Any) -> selectors.SelectorKey:
            key = self.get_key(fileobj)
            del self._keys[key.fd]
            # A descriptor that was closed first: epoll has forgotten it already.
            with contextlib.suppress(OSError):
                self._epoll.unregister(key.fd)
            return key

        def get_key(self, fileobj: Any) -> selectors.SelectorKey:
            try:
                return self._keys[_descriptor_of(fileobj)]
            except (KeyError, ValueError):
                raise KeyError(f"{fileobj!r} is not registered") from None

        def get_map(self) -> Mapping[Any, selectors.SelectorKey]:
            return _KeysByFile(self._keys)

        def close(self) -> None:
            self._epoll.close()
            self._keys.clear()
            self._streams.clear()

    class StreamLoop(asyncio.SelectorEventLoop):
        def __init__(self) -> None:
            self.streams = StreamSelector()
            super().__init__(self.streams)

        # What is called from other threads or by signals wakes the selector through a socket; all else passes here.

        def call_soon(
            self, callback: Callable[[*_Ts], object], *args: *_Ts, context: Context | None = None
        ) -> asyncio.Handle:
            self.streams.has_work_for_loop = True
            return super().call_soon(callback, *args, context=context)

        def call_at(
            self,
            when: float,
            callback: Callable[[*_Ts], object],
            *args: *_Ts,
            context: Context | None = None,
        ) -> asyncio.TimerHandle:
            self.streams.has_work_for_loop = True
            return super().call_at(when, callback, *args, context=context)

    class _KeysByFile(dict[Any, selectors.SelectorKey]):
        """Found by descriptor or by file object, as the contract of `get_map` wants it."""

        def __missing__(self, fileobj: Any) -> selectors.SelectorKey:
            return self[_descriptor_of(fileobj)]

        def get(self, fileobj: Any, default: Any = None) -> Any:
            return super().get(_descriptor_of(fileobj), default)

    def _mask_of(events: int) -> int:
        return (select.EPOLLIN if events & selectors.EVENT_READ else 0) | (
            select.EPOLLOUT if events & selectors.EVENT_WRITE else 0
        )

    def _descriptor_of(fileobj: Any) -> int:
        return fileobj if isinstance(fileobj, int) else int(fileobj.fileno())
