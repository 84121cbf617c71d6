"""Waiting for what a broker does later: retry a request, or poll a condition, until a deadline."""

import time
from collections.abc import Callable, Collection
from typing import TypeVar

from benchmarks.raw_client import RequestFailed
from ottla.model.error_codes import ErrorCode

T = TypeVar("T")

#: A broker may learn of its leadership a moment after its clients do.
LEADER_NOT_READY = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.NOT_LEADER_OR_FOLLOWER)
#: The coordinator's topic is being created, or its leader is loading it.
COORDINATOR_NOT_READY = (
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
)


def retry(attempt: Callable[[], T], retriable: Collection[int], *, timeout_s: float = 180, pause_s: float = 0.005) -> T:
    """Repeats the attempt while it fails with one of these error codes; after the deadline the failure is raised."""
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            return attempt()
        except RequestFailed as failure:
            if failure.code not in retriable or time.monotonic() > deadline:
                raise
        time.sleep(pause_s)


def wait_for(condition: Callable[[], bool], what: str, *, timeout_s: float = 180, pause_s: float = 0.05) -> None:
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > deadline:
            raise RuntimeError(f"{what}: not within {timeout_s:g} s")
        time.sleep(pause_s)
