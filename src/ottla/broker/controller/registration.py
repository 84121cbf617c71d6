"""Informs the controller that this broker is up, and where clients reach it."""

from __future__ import annotations

from ottla.broker.controller.client import ControllerClient
from ottla.broker.metadata.cache import MetadataCache
from ottla.controller.feature_levels import SUPPORTED_FEATURES
from ottla.doors.rng import Rng
from ottla.log.store.log_store import LogStore
from ottla.metadata.broker_registration import Endpoint
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.protocol.generated.broker_registration_request import BrokerRegistrationRequest, Features, Listeners

_NEWEST_VERSION = 4


class Registration:
    """Owned by the node; once for each of its lives."""

    def __init__(self, controller: ControllerClient, metadata: MetadataCache, store: LogStore, rng: Rng) -> None:
        self._controller = controller
        self._metadata = metadata
        self._store = store
        self._rng = rng

    async def register(self, endpoints: list[Endpoint], rack: str | None, held_clock_ms: int | None) -> None:
        """Raises Refused."""
        request = BrokerRegistrationRequest(
            broker_id=self._metadata.node_id,
            cluster_id=self._metadata.image.cluster_id,
            incarnation_id=self._rng.uuid(),
            listeners=[
                Listeners(name=e.name, host=e.host, port=e.port, security_protocol=e.security_protocol)
                for e in endpoints
            ],
            features=[
                Features(name=name, min_supported_version=low, max_supported_version=high)
                for name, (low, high) in SUPPORTED_FEATURES.items()
            ],
            rack=rack,
            log_dirs=self._store.directory_ids(),
            # With this the controller knows whether the logs may have lost their end since; if not, epochs stay.
            previous_broker_epoch=self._store.previous_broker_epoch,
        )
        response = await self._controller.ask(request, _NEWEST_VERSION)
        if response.error_code:
            raise Refused(ErrorCode(response.error_code), "the controller refused this broker")
        self._store.record_broker_epoch(response.broker_epoch, held_clock_ms)
