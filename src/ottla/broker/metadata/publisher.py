"""Notifies the parts of the node of each committed change of the metadata, in a fixed order."""

from collections.abc import Callable, Sequence

from ottla.broker.metadata.cache import MetadataCache
from ottla.metadata.delta import MetadataDelta
from ottla.metadata.image import MetadataImage

#: Brings one part of the node in line with a change.
Follower = Callable[[MetadataDelta], None]


class MetadataPublisher:
    """Owned by the node. Called by the metadata store with every committed change, in order."""

    def __init__(self, cache: MetadataCache, followers: Sequence[Follower]) -> None:
        self._cache = cache
        self.followers = list(followers)

    def publish(self, before: MetadataImage, after: MetadataImage) -> None:
        self._cache.image = after
        delta = MetadataDelta(before, after)
        if not delta.is_empty:
            for follow in self.followers:
                follow(delta)
