"""The newest committed metadata, as this node knows it."""

from ottla.metadata.image import EMPTY_IMAGE, MetadataImage


class MetadataCache:
    """Owned by the node; only the publisher replaces `image`. Look it up again after each await."""

    __slots__ = ("image", "node_id")

    def __init__(self, node_id: int) -> None:
        self.node_id = node_id
        self.image: MetadataImage = EMPTY_IMAGE

    @property
    def broker_epoch(self) -> int:
        """That of the newest registration of this broker; -1 before the first one."""
        registration = self.image.broker(self.node_id)
        return registration.epoch if registration is not None else -1
