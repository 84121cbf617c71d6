"""What an operator can set about groups. The host fills it from the broker's options, again when they change."""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum

MAX_INT = 2147483647
#: A member that joins a classic group is waited for this long even without heartbeats (its request is parked).
NEW_MEMBER_JOIN_TIMEOUT_MS = 300_000


class MigrationPolicy(Enum):
    """`group.consumer.migration.policy`: which way a group with members may change its protocol."""

    DISABLED = "disabled"
    UPGRADE = "upgrade"
    DOWNGRADE = "downgrade"
    BIDIRECTIONAL = "bidirectional"

    @property
    def may_upgrade(self) -> bool:
        return self in (MigrationPolicy.UPGRADE, MigrationPolicy.BIDIRECTIONAL)

    @property
    def may_downgrade(self) -> bool:
        return self in (MigrationPolicy.DOWNGRADE, MigrationPolicy.BIDIRECTIONAL)


_ASSIGNORS = ("uniform", "range")


def known_assignors(names: Iterable[str]) -> tuple[str, ...]:
    """Kafka also takes the names of its classes; what we do not have is left out."""
    short = (name.rpartition(".")[2].removesuffix("Assignor").lower() for name in names)
    return tuple(name for name in dict.fromkeys(short) if name in _ASSIGNORS) or _ASSIGNORS


def no_overrides(group_id: str) -> Mapping[str, int]:
    return {}


class GroupSettings:
    """The values of one broker; `overrides` gives the dynamic configs of a group (`consumer.session.timeout.ms`)."""

    __slots__ = (
        "assignors",
        "believed_ms",
        "consumer_assignment_interval_ms",
        "consumer_heartbeat_interval_ms",
        "consumer_max_size",
        "consumer_session_timeout_ms",
        "initial_rebalance_delay_ms",
        "max_groups",
        "max_member_bytes",
        "max_session_timeout_ms",
        "max_size",
        "metadata_max_bytes",
        "migration_policy",
        "min_session_timeout_ms",
        "new_member_join_timeout_ms",
        "offsets_retention_check_interval_ms",
        "offsets_retention_ms",
        "overrides",
    )

    def __init__(
        self,
        *,
        min_session_timeout_ms: int = 6_000,
        max_session_timeout_ms: int = 1_800_000,
        initial_rebalance_delay_ms: int = 3_000,
        new_member_join_timeout_ms: int = NEW_MEMBER_JOIN_TIMEOUT_MS,
        max_groups: int = MAX_INT,
        max_member_bytes: int = MAX_INT,
        max_size: int = MAX_INT,
        consumer_session_timeout_ms: int = 45_000,
        consumer_heartbeat_interval_ms: int = 5_000,
        consumer_assignment_interval_ms: int = 1_000,
        consumer_max_size: int = MAX_INT,
        assignors: tuple[str, ...] = ("uniform", "range"),
        migration_policy: MigrationPolicy = MigrationPolicy.BIDIRECTIONAL,
        offsets_retention_ms: int = 10_080 * 60_000,
        offsets_retention_check_interval_ms: int = 600_000,
        metadata_max_bytes: int = 4_096,
        overrides: Callable[[str], Mapping[str, int]] = no_overrides,
        believed_ms: Callable[[int], int] = int,
    ) -> None:
        self.min_session_timeout_ms = min_session_timeout_ms
        self.max_session_timeout_ms = max_session_timeout_ms
        self.initial_rebalance_delay_ms = initial_rebalance_delay_ms
        self.new_member_join_timeout_ms = new_member_join_timeout_ms
        #: Of one shard.
        self.max_groups = max_groups
        #: Of the protocol metadata of a member of a classic group: it is kept, and written to the log.
        self.max_member_bytes = max_member_bytes
        self.max_size = max_size
        self.consumer_session_timeout_ms = consumer_session_timeout_ms
        self.consumer_heartbeat_interval_ms = consumer_heartbeat_interval_ms
        self.consumer_assignment_interval_ms = consumer_assignment_interval_ms
        self.consumer_max_size = consumer_max_size
        self.assignors = known_assignors(assignors)
        self.migration_policy = migration_policy
        self.offsets_retention_ms = offsets_retention_ms
        self.offsets_retention_check_interval_ms = offsets_retention_check_interval_ms
        self.metadata_max_bytes = metadata_max_bytes
        self.overrides = overrides
        #: The time of the wall clock -> the time by which offsets grow old: a jump is not believed at once.
        self.believed_ms = believed_ms

    def session_timeout_ms(self, group_id: str) -> int:
        """Of a member of a consumer group; members of classic groups bring their own."""
        return self.overrides(group_id).get("consumer.session.timeout.ms", self.consumer_session_timeout_ms)

    def heartbeat_interval_ms(self, group_id: str) -> int:
        return self.overrides(group_id).get("consumer.heartbeat.interval.ms", self.consumer_heartbeat_interval_ms)

    def assignment_interval_ms(self, group_id: str) -> int:
        return self.overrides(group_id).get("consumer.assignment.interval.ms", self.consumer_assignment_interval_ms)
