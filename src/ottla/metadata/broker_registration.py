"""One broker, or one controller, as registered in the metadata log."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ottla.protocol.generated.broker_registration_change_record import BrokerRegistrationChangeRecord
    from ottla.protocol.generated.register_broker_record import RegisterBrokerRecord

#: Values of `BrokerRegistrationChangeRecord.fenced` and `.in_controlled_shutdown`.
FENCE = 1
UNFENCE = -1
IN_CONTROLLED_SHUTDOWN = 1


class Endpoint(NamedTuple):
    name: str
    host: str
    port: int
    security_protocol: int


class VersionRange(NamedTuple):
    min_version: int
    max_version: int

    def covers(self, level: int) -> bool:
        return self.min_version <= level <= self.max_version


class BrokerRegistration(NamedTuple):
    """Immutable. A new incarnation of a broker gets a new epoch; requests with an old epoch are refused."""

    broker_id: int
    epoch: int
    incarnation_id: bytes
    endpoints: tuple[Endpoint, ...]
    features: tuple[tuple[str, VersionRange], ...]
    rack: str | None
    is_fenced: bool
    in_controlled_shutdown: bool
    log_dirs: tuple[bytes, ...]
    cordoned_log_dirs: tuple[bytes, ...]

    @property
    def is_active(self) -> bool:
        """May lead partitions and get new ones."""
        return not self.is_fenced and not self.in_controlled_shutdown

    @property
    def usable_log_dirs(self) -> tuple[bytes, ...]:
        """Directories that may get new replicas: those that are not cordoned."""
        if not self.cordoned_log_dirs:
            return self.log_dirs
        return tuple(directory for directory in self.log_dirs if directory not in self.cordoned_log_dirs)

    def endpoint(self, listener: str) -> Endpoint | None:
        for endpoint in self.endpoints:
            if endpoint.name == listener:
                return endpoint
        return None

    def supported(self, feature: str) -> VersionRange | None:
        for name, versions in self.features:
            if name == feature:
                return versions
        return None

    def with_change(self, change: "BrokerRegistrationChangeRecord") -> "BrokerRegistration":
        fenced, shutting_down = self.is_fenced, self.in_controlled_shutdown
        cordoned = change.cordoned_log_dirs
        return self._replace(
            is_fenced=fenced if change.fenced == 0 else change.fenced == FENCE,
            in_controlled_shutdown=shutting_down or change.in_controlled_shutdown == IN_CONTROLLED_SHUTDOWN,
            log_dirs=tuple(sorted(change.log_dirs)) or self.log_dirs,
            cordoned_log_dirs=self.cordoned_log_dirs if cordoned is None else tuple(sorted(cordoned)),
        )


def broker_of(record: "RegisterBrokerRecord") -> BrokerRegistration:
    return BrokerRegistration(
        broker_id=record.broker_id,
        epoch=record.broker_epoch,
        incarnation_id=record.incarnation_id,
        endpoints=tuple(Endpoint(e.name, e.host, e.port, e.security_protocol) for e in record.end_points),
        features=tuple(
            sorted((f.name, VersionRange(f.min_supported_version, f.max_supported_version)) for f in record.features)
        ),
        rack=record.rack,
        is_fenced=record.fenced,
        in_controlled_shutdown=record.in_controlled_shutdown,
        log_dirs=tuple(sorted(record.log_dirs)),
        cordoned_log_dirs=tuple(sorted(record.cordoned_log_dirs or ())),
    )
