"""The metadata log of the cluster, wherever its leader is.

Today there is one implementation, a quorum of one (`ottla.broker.controller.quorum_of_one`). A quorum of several nodes
is another one: it forwards requests to the active controller and replays what that commits.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any, NamedTuple, Protocol

from ottla.controller.requests import ControllerRequest
from ottla.metadata.image import MetadataImage

#: Called for each committed change, with the image before and after.
ImageListener = Callable[[MetadataImage, MetadataImage], None]


class QuorumVoter(NamedTuple):
    node_id: int
    end_offset: int
    last_fetch_ms: int
    last_caught_up_ms: int


class QuorumStatus(NamedTuple):
    """What DescribeQuorum reports."""

    leader_id: int
    leader_epoch: int
    high_watermark: int
    voters: Sequence[QuorumVoter]


class MetadataStore(Protocol):
    """Owned by the node: opened before everything else, closed last."""

    @property
    def image(self) -> MetadataImage:
        """As of the last committed record."""

    @property
    def removed_topic_ids(self) -> Container[bytes | None]:
        """Topics whose removal the log has recorded since its last snapshot: what is left of their data may go."""

    def listen(self, listener: ImageListener) -> None:
        """From now on."""

    async def submit(self, request: ControllerRequest) -> Any:
        """The response of the active controller, when its records are committed and published here.

        Raises Refused where no controller can be reached.
        """

    def status(self) -> QuorumStatus: ...

    async def snapshot_if_due(self, max_new_bytes: int, max_age_ms: int) -> None:
        """Writes a snapshot of the published image, in a thread. An age of 0 is no limit."""

    def retire(self, retention_bytes: int, retention_ms: int) -> list[str]:
        """Releases old snapshots and the log before them; -1 is no limit. Gives files to remove after a delay."""

    @property
    def delete_delay_ms(self) -> int:
        """How long retired files stay."""
