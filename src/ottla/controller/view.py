"""What an operation of the controller may look at. Operations are functions of a view: they read it and decide."""

from typing import NamedTuple

from ottla.config.sources import BrokerLayers
from ottla.doors.rng import Rng
from ottla.metadata.image import TOPIC_RESOURCE, MetadataImage

ELIGIBLE_LEADER_REPLICAS = "eligible.leader.replicas.version"


class ClusterView(NamedTuple):
    image: MetadataImage
    #: The controller's own id, for the texts of its responses.
    node_id: int
    #: Settings of the controller's node with the dynamic ones on top: the defaults of all topics.
    layers: BrokerLayers
    rng: Rng
    #: Where the next record will stand in the log; new broker epochs come from it.
    next_offset: int

    @property
    def keeps_eligible_leaders(self) -> bool:
        """KIP-966 is on: replicas that left the in-sync set below min.insync.replicas stay eligible."""
        return self.image.feature_level(ELIGIBLE_LEADER_REPLICAS) > 0

    def min_in_sync_replicas(self, topic: str) -> int:
        overrides = self.image.config_overrides(TOPIC_RESOURCE, topic)
        return self.layers.topic_options(overrides).min_insync_replicas

    def allows_unclean_election(self, topic: str) -> bool:
        overrides = self.image.config_overrides(TOPIC_RESOURCE, topic)
        return self.layers.topic_options(overrides).unclean_leader_election_enable
