"""A partition that a client wants to read, as its request describes it."""

from ottla.protocol.generated.fetch_request import Partitions


class WantedPartition:
    """Lives as long as its request or, in a session, until a request describes the partition anew.

    Requests have either the names of topics or their ids; the other one is empty. In a session it remembers what the
    client was last told about the partition.
    """

    __slots__ = ("asked", "high_watermark", "log_start_offset", "size_bytes", "topic", "topic_id")

    def __init__(self, topic: str, topic_id: bytes, asked: Partitions) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.asked = asked
        self.high_watermark = -1
        self.log_start_offset = -1
        #: Its part of the memory of the session.
        self.size_bytes = 0

    @property
    def key(self) -> tuple[bytes | str, int]:
        return (self.topic or self.topic_id, self.asked.partition)

    def take_over(self, earlier: "WantedPartition") -> None:
        """Describes what `earlier` has described: what the client knows stays known."""
        self.high_watermark = earlier.high_watermark
        self.log_start_offset = earlier.log_start_offset
        self.size_bytes = earlier.size_bytes
