"""Threads for what releases the GIL, one helper process for what does not."""

import asyncio
import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from ottla.doors.disk import Disk
from ottla.runtime.disk import OsDisk

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

#: About a third of the share that the broker itself gets.
_NICE = 5

P = ParamSpec("P")
T = TypeVar("T")


def _with_own_disk(work: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    return work(OsDisk(), *args, **kwargs)


def _begin_helper() -> None:
    """In the helper, before its first work."""
    # Where processors are short, clients come before what nobody waits for.
    os.nice(_NICE)
    threading.Thread(target=_end_with_the_broker, name="end with the broker", daemon=True).start()


def _end_with_the_broker() -> None:
    """A broker that is killed cannot end its helper, which would wait for work forever, or go on with what it has and
    write to the very files that the helper of the next broker makes."""
    import multiprocessing

    broker = multiprocessing.parent_process()
    assert broker is not None
    broker.join()
    os._exit(1)


class OsExecutor:
    """Owned by the node; `close` waits for work that has begun in threads and ends what runs apart."""

    def __init__(self, thread_count: int = 18) -> None:
        self._threads = ThreadPoolExecutor(thread_count, thread_name_prefix="ottla")
        self._processes: ProcessPoolExecutor | None = None

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, functools.partial(work, *args, **kwargs))

    async def run_apart(self, work: Callable[Concatenate[Disk, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        from concurrent.futures import BrokenExecutor

        helper = self._helper()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(helper, _with_own_disk, work, args, kwargs)
        except BrokenExecutor as error:
            # Where memory is short the system kills it first. Such a pool takes no more work: another one has to.
            if self._processes is helper:
                self._processes = None
            raise ChildProcessError("the helper process was killed") from error

    def _helper(self) -> "ProcessPoolExecutor":
        if self._processes is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            # "spawn": a fork would copy the broker's sockets and locks. Started on first use: a broker without
            # compaction never pays for it.
            context = multiprocessing.get_context("spawn")
            self._processes = ProcessPoolExecutor(max_workers=1, mp_context=context, initializer=_begin_helper)
        return self._processes

    def close(self) -> None:
        if self._processes is not None:
            # What runs apart only writes files that are not used yet, and may take hours: it is not waited for.
            for helper in list((getattr(self._processes, "_processes", None) or {}).values()):
                helper.terminate()
            self._processes.shutdown(cancel_futures=True)
            self._processes = None
        self._threads.shutdown()
