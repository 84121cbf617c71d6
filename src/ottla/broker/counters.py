"""What the node counts about its requests; metrics read it."""


class Counters:
    __slots__ = ("bad_frames", "bad_requests", "failed_requests")

    def __init__(self) -> None:
        self.bad_frames = 0
        self.bad_requests = 0
        self.failed_requests = 0
