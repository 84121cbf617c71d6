"""Why records arrive, or why they do not. No I/O: from facts to findings, the most serious first."""

from collections.abc import Collection, Iterable
from enum import Enum
from typing import NamedTuple

from ottla.client.consumer.positions import NO_NODE, PartitionState, Readiness
from ottla.client.consumer.subscription import Subscription, SubscriptionKind
from ottla.client.errors import AuthenticationFailed, AuthorizationFailed, ClientError, ConnectionFailed, TimedOut
from ottla.client.group.member import Stage
from ottla.client.metadata import ClusterImage
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition


class HealthReason(Enum):
    """In the order of how much they need somebody.

    >>> with Consumer(bootstrap_servers=servers) as consumer:
    ...     consumer.health().reason is HealthReason.NOT_SUBSCRIBED
    True
    """

    CLOSED = "the consumer is closed"
    NOT_SUBSCRIBED = "nothing is subscribed or assigned"
    AUTHENTICATION_FAILED = "the login failed"
    NOT_AUTHORIZED = "a right is missing"
    CANNOT_JOIN = "the group does not take this member"
    NEEDS_SEEK = "the position is not in the log and auto.offset.reset=none; seek"
    NO_TOPIC = "the topic does not exist"
    NOT_POLLED = "the consumer is not polled, and the group waits for that"
    COORDINATOR_UNAVAILABLE = "the group's coordinator cannot be reached"
    COORDINATOR_LOADING = "the group's coordinator is loading"
    NODE_UNREACHABLE = "the node that has the partition cannot be reached"
    NO_LEADER = "the partition has no leader"
    FAILING = "the last attempt failed and is repeated"
    REBALANCING = "the group is rebalancing"
    NO_ASSIGNMENT = "the group has given this member no partitions: it has more members than partitions"
    THROTTLED = "the broker slows this client down: a quota is used up"
    LOOKING_UP = "the position is being looked up"
    OPEN_TRANSACTION = "an open transaction holds back what comes after it"
    PAUSED = "paused"
    RECORDS_WAIT = "records wait to be polled"
    FETCHING = "records are on their way"
    AT_END = "everything was consumed"


_GOOD = frozenset({HealthReason.RECORDS_WAIT, HealthReason.FETCHING, HealthReason.AT_END})
_SEVERITY = {reason: number for number, reason in enumerate(HealthReason)}


class HealthFinding(NamedTuple):
    """One reason, with the partitions that it is about and the last error, if there are such.

    >>> with Consumer(bootstrap_servers=servers) as consumer:
    ...     [finding] = consumer.health().findings
    >>> print(finding)
    nothing is subscribed or assigned
    """

    reason: HealthReason
    partitions: tuple[TopicPartition, ...] = ()
    detail: str = ""

    def __str__(self) -> str:
        where = f"{', '.join(map(str, self.partitions))}: " if self.partitions else ""
        return f"{where}{self.reason.value}{f' ({self.detail})' if self.detail else ''}"


class ConsumerHealth(NamedTuple):
    """From `consumer.health()`.

    >>> health = ConsumerHealth((HealthFinding(HealthReason.PAUSED, (TopicPartition("orders", 0),)),))
    >>> health.reason.name, health.is_good
    ('PAUSED', False)
    >>> print(health)
    orders-0: paused
    """

    findings: tuple[HealthFinding, ...]

    @property
    def reason(self) -> HealthReason:
        """The most serious one."""
        return self.findings[0].reason

    @property
    def is_good(self) -> bool:
        """Whether every partition is read up to its end, or about to be."""
        return all(finding.reason in _GOOD for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings))


class HealthFacts(NamedTuple):
    subscription: Subscription
    image: ClusterImage
    states: Collection[PartitionState]
    #: With records that a poll would return.
    buffered: Collection[TopicPartition] = ()
    throttled_nodes: Collection[int] = ()
    is_committed_only: bool = False
    #: Of the member; None without a group.
    stage: Stage | None = None
    has_begun: bool = True
    group_failure: ClientError | None = None


CLOSED = ConsumerHealth((HealthFinding(HealthReason.CLOSED),))


def assess(facts: HealthFacts) -> ConsumerHealth:
    if facts.subscription.kind is SubscriptionKind.NOTHING and not facts.states:
        return ConsumerHealth((HealthFinding(HealthReason.NOT_SUBSCRIBED),))
    findings = [*_of_group(facts), *_of_topics(facts), *_of_partitions(facts)]
    if not findings:
        findings = [HealthFinding(HealthReason.NO_ASSIGNMENT)]
    return ConsumerHealth(tuple(sorted(findings, key=lambda finding: _SEVERITY[finding.reason])))


def _of_group(facts: HealthFacts) -> Iterable[HealthFinding]:
    if not facts.subscription.uses_group or facts.stage is None:
        return
    failure = facts.group_failure
    if failure is not None:
        yield HealthFinding(_group_reason(failure, facts.stage), detail=str(failure))
    elif facts.stage is Stage.FAILED:
        yield HealthFinding(HealthReason.CANNOT_JOIN)
    if not facts.has_begun:
        yield HealthFinding(HealthReason.NOT_POLLED, detail="it joins with the first poll")
    elif facts.stage in (Stage.EXPIRED, Stage.PREPARING, Stage.APPLYING):
        yield HealthFinding(HealthReason.NOT_POLLED, detail=facts.stage.value)
    elif facts.stage in (Stage.JOINING, Stage.SYNCING):
        yield HealthFinding(HealthReason.REBALANCING, detail=facts.stage.value)


def _group_reason(failure: ClientError, stage: Stage) -> HealthReason:
    if isinstance(failure, AuthenticationFailed):
        return HealthReason.AUTHENTICATION_FAILED
    if isinstance(failure, AuthorizationFailed):
        return HealthReason.NOT_AUTHORIZED
    if stage is Stage.FAILED:
        return HealthReason.CANNOT_JOIN
    if failure.code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        return HealthReason.COORDINATOR_LOADING
    return HealthReason.COORDINATOR_UNAVAILABLE if failure.retriable else HealthReason.CANNOT_JOIN


def _of_topics(facts: HealthFacts) -> Iterable[HealthFinding]:
    """Topics that were asked for by name."""
    assigned = {state.partition.topic for state in facts.states}
    for name in sorted(facts.subscription.names - assigned):
        topic = facts.image.topics.get(name)
        if topic is None or topic.error == ErrorCode.NONE:
            continue
        is_forbidden = topic.error == ErrorCode.TOPIC_AUTHORIZATION_FAILED
        yield HealthFinding(HealthReason.NOT_AUTHORIZED if is_forbidden else HealthReason.NO_TOPIC, detail=name)
    if facts.subscription.is_by_pattern and not facts.states and facts.stage is Stage.STABLE:
        yield HealthFinding(HealthReason.NO_TOPIC, detail=f"no topic matches {facts.subscription}")


def _of_partitions(facts: HealthFacts) -> Iterable[HealthFinding]:
    found: dict[tuple[HealthReason, str], list[TopicPartition]] = {}
    for state in facts.states:
        reason = _reason(state, facts)
        detail = str(state.failure) if state.failure is not None and reason not in _GOOD else ""
        found.setdefault((reason, detail), []).append(state.partition)
    for (reason, detail), partitions in found.items():
        yield HealthFinding(reason, tuple(sorted(partitions)), detail)


def _reason(state: PartitionState, facts: HealthFacts) -> HealthReason:
    if state.partition in facts.buffered:
        return HealthReason.RECORDS_WAIT
    if state.readiness is Readiness.FAILED:
        return HealthReason.NEEDS_SEEK
    if state.is_paused:
        return HealthReason.PAUSED
    if state.failure is not None:
        return _failure_reason(state.failure)
    if state.leader_id == NO_NODE:
        return _leaderless_reason(state, facts.image)
    if state.readiness is not Readiness.READY:
        return HealthReason.LOOKING_UP
    return _reading_reason(state, facts)


def _failure_reason(failure: ClientError) -> HealthReason:
    if isinstance(failure, AuthenticationFailed):
        return HealthReason.AUTHENTICATION_FAILED
    if isinstance(failure, AuthorizationFailed):
        return HealthReason.NOT_AUTHORIZED
    if isinstance(failure, ConnectionFailed | TimedOut):
        return HealthReason.NODE_UNREACHABLE
    if failure.code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        return HealthReason.COORDINATOR_LOADING
    if failure.code == ErrorCode.UNSTABLE_OFFSET_COMMIT:
        return HealthReason.OPEN_TRANSACTION
    return HealthReason.FAILING


def _leaderless_reason(state: PartitionState, image: ClusterImage) -> HealthReason:
    topic = image.topics.get(state.partition.topic)
    if topic is None:
        return HealthReason.NODE_UNREACHABLE if not image.nodes else HealthReason.LOOKING_UP
    if topic.error == ErrorCode.TOPIC_AUTHORIZATION_FAILED:
        return HealthReason.NOT_AUTHORIZED
    is_there = topic.error == ErrorCode.NONE and image.partition(state.partition) is not None
    return HealthReason.NO_LEADER if is_there else HealthReason.NO_TOPIC


def _reading_reason(state: PartitionState, facts: HealthFacts) -> HealthReason:
    offset = state.position.offset if state.position is not None else 0
    if state.leader_id in facts.throttled_nodes:
        return HealthReason.THROTTLED
    if facts.is_committed_only and 0 <= state.last_stable_offset <= offset < state.high_watermark:
        return HealthReason.OPEN_TRANSACTION
    return HealthReason.AT_END if 0 <= state.high_watermark <= offset else HealthReason.FETCHING
