"""All settings of a broker, put together from the tables by noun."""

from collections.abc import Iterable
from typing import Any

from ottla.config.broker_group_options import BrokerGroupOptions
from ottla.config.broker_log_options import BrokerLogOptions
from ottla.config.broker_login_options import BrokerLoginOptions
from ottla.config.broker_metrics_options import BrokerMetricsOptions
from ottla.config.broker_network_options import BrokerNetworkOptions
from ottla.config.broker_oauth_options import BrokerOauthOptions
from ottla.config.broker_own_options import BrokerOwnOptions
from ottla.config.broker_quorum_options import BrokerQuorumOptions
from ottla.config.broker_remote_options import BrokerRemoteOptions
from ottla.config.broker_replication_options import BrokerReplicationOptions
from ottla.config.broker_share_options import BrokerShareOptions
from ottla.config.broker_streams_options import BrokerStreamsOptions
from ottla.config.broker_tls_options import BrokerTlsOptions
from ottla.config.broker_topic_options import BrokerTopicOptions
from ottla.config.broker_transaction_options import BrokerTransactionOptions
from ottla.config.checks import at_least
from ottla.config.option import Option, OptionSet
from ottla.config.rows import CLUSTER_WIDE, long_option


def _rate(name: str, doc: str) -> Option[int | None]:
    return long_option(name, None, doc, check=at_least(0), update=CLUSTER_WIDE, effect=False)


class BrokerOptions(
    BrokerQuorumOptions,
    BrokerNetworkOptions,
    BrokerTopicOptions,
    BrokerLogOptions,
    BrokerReplicationOptions,
    BrokerGroupOptions,
    BrokerShareOptions,
    BrokerStreamsOptions,
    BrokerTransactionOptions,
    BrokerLoginOptions,
    BrokerOauthOptions,
    BrokerTlsOptions,
    BrokerMetricsOptions,
    BrokerRemoteOptions,
    BrokerOwnOptions,
):
    """Every row of the broker, Kafka's and Ottla's."""

    def _completed(self, given: dict[str, str]) -> dict[str, str]:
        # Kafka had broker.id first; whichever is given counts for both.
        for name, twin in (("node.id", "broker.id"), ("broker.id", "node.id")):
            if name in given and twin not in given and given[name].strip().isdigit():
                given[twin] = given[name]
        return given

    def _contradictions(self) -> Iterable[str]:
        if 0 <= self.broker_id != self.node_id:
            yield f"broker.id={self.broker_id} and node.id={self.node_id} must be the same"
        if self.broker_heartbeat_interval_ms * 2 > self.broker_session_timeout_ms:
            yield "broker.heartbeat.interval.ms must be at most half of broker.session.timeout.ms"
        yield from self._retention_problems()
        yield from self._local_retention_problems()
        for kind in ("consumer", "share", "streams"):
            for setting in ("session.timeout.ms", "heartbeat.interval.ms", "assignment.interval.ms"):
                yield from self._bound_problems(f"group.{kind}.", setting)
        for setting in ("record.lock.duration.ms", "delivery.count.limit", "partition.max.record.locks"):
            yield from self._bound_problems("group.share.", setting)
        for topic in ("transaction.state.log", "share.coordinator.state.topic"):
            yield from self._replica_problems(f"{topic}.min.isr", f"{topic}.replication.factor")
        yield from self._listener_problems()
        strangers = [entry for entry in self.cordoned_log_dirs if entry not in ("*", *self.log_directories)]
        if strangers:
            reason = "All entries in cordoned.log.dirs must be present in log.dirs or log.dir."
            yield f"{reason} Missing entries: {', '.join(strangers)}"

    def _listener_problems(self) -> Iterable[str]:
        """Settings of a single listener obey the rules of the setting they stand for."""
        for name, text in self.unknown.items():
            row = base_row(name)
            if row is None:
                continue
            try:
                row.parse(text)
            except ValueError as error:
                yield str(error).replace(row.name, name, 1)

    def _retention_problems(self) -> Iterable[str]:
        for name in ("log.retention.ms", "log.retention.minutes", "log.retention.hours"):
            if self.value_of(name) == 0:
                yield f"{name} must be unlimited (-1) or, greater than or equal to 1"
        if self.log_roll_ms is not None and self.log_roll_ms < 1:
            yield "log.roll.ms must be greater than or equal to 1"

    def _local_retention_problems(self) -> Iterable[str]:
        """-2 stands for the whole retention, -1 for no limit."""
        whole = (("log.local.retention.ms", "log.retention.ms"), ("log.local.retention.bytes", "log.retention.bytes"))
        for local_name, whole_name in whole:
            local, most = self.value_of(local_name), self.value_of(whole_name)
            if isinstance(local, int) and isinstance(most, int) and local > most >= 0:
                reason = f"Value must not be more than {whole_name} property value: {most}"
                yield f"Invalid value {local} for configuration {local_name}: {reason}"

    def _bound_problems(self, prefix: str, setting: str) -> Iterable[str]:
        """A default has to lie between the least and the most that a group may ask for."""
        names = [f"{prefix}{bound}{setting}" for bound in ("min.", "", "max.")]
        least, value, most = (self._number(name) for name in names)
        if not least <= value <= most:
            yield f"{names[1]}={value} must be between {names[0]}={least} and {names[2]}={most}"

    def _replica_problems(self, in_sync_name: str, factor_name: str) -> Iterable[str]:
        both_set = self.is_set(in_sync_name) and self.is_set(factor_name)
        in_sync, factor = self._number(in_sync_name), self._number(factor_name)
        if both_set and in_sync > factor:
            yield f"{in_sync_name}={in_sync} can never be reached with {factor_name}={factor}"

    def _number(self, name: str) -> int:
        value = self.value_of(name)
        return value if isinstance(value, int) else 0

    def unknown_hints(self) -> list[str]:
        """Settings of a single listener are known by the rest of their name."""
        mine = type(self)({name: text for name, text in self.unknown.items() if base_row(name) is None})
        return super(BrokerOptions, mine).unknown_hints()

    @property
    def log_directories(self) -> tuple[str, ...]:
        """log.dirs, else log.dir, else none: then whoever starts the broker has to choose."""
        return self.log_dirs or self.log_dir or ()


class ReplicationThrottles(OptionSet):
    """What can only be set while a broker runs, by tools that move replicas; Kafka keeps them apart as well."""

    leader_replication_throttled_rate = _rate(
        "leader.replication.throttled.rate", "Bytes a second to send to followers."
    )
    follower_replication_throttled_rate = _rate(
        "follower.replication.throttled.rate", "Bytes a second to take from leaders."
    )
    replica_alter_log_dirs_io_max_bytes_per_second = _rate(
        "replica.alter.log.dirs.io.max.bytes.per.second", "Bytes a second for moves between log directories."
    )


def base_row(name: str) -> Option[Any] | None:
    """The row of a broker setting, also for `listener.name.<listener>.<setting>`."""
    row = BrokerOptions.rows.get(name) or ReplicationThrottles.rows.get(name)
    if row is None and name.startswith("listener.name."):
        # A listener's name has no dot; a SASL mechanism may stand before the setting.
        rest = name.split(".", 3)[3:]
        row = BrokerOptions.rows.get(rest[0]) if rest else None
        if row is None and rest:
            row = BrokerOptions.rows.get(rest[0].partition(".")[2])
    return row
