"""What the node counts about its requests; metrics read it."""

from ottla.protocol.api_keys import ApiKey


class Counters:
    __slots__ = ("bad_frames", "bad_requests", "failed_requests", "requests")

    def __init__(self) -> None:
        self.bad_frames = 0
        self.bad_requests = 0
        self.failed_requests = 0
        #: Served requests by api key.
        self.requests = [0] * (max(ApiKey) + 1)
