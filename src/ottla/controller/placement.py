"""Where new replicas go: spread over racks first, over brokers second, leaders in turn.

Fenced brokers may get followers when there are not enough others, never a leader.
"""

from collections.abc import Mapping, Sequence

from ottla.doors.rng import Rng
from ottla.metadata.broker_registration import BrokerRegistration
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused


def place_partitions(
    brokers: Sequence[BrokerRegistration], partition_count: int, replication_factor: int, rng: Rng
) -> list[list[int]]:
    """One list of broker ids per partition, the preferred leader first. Raises INVALID_REPLICATION_FACTOR."""
    usable = [broker for broker in brokers if broker.usable_log_dirs or not broker.log_dirs]
    _check_enough(usable, replication_factor)
    ring = _ring_of_racks(usable, rng)
    leaders = [broker for broker in ring if broker.is_active]
    if len(ring) == 1:
        only = [ring[0].broker_id]
        return [only] * partition_count
    start, shift = rng.below(len(leaders)), rng.below(len(ring))
    placed: list[list[int]] = []
    for number in range(partition_count):
        leader = leaders[(start + number) % len(leaders)]
        # After each round over the leaders the followers rotate by one: the same pairs must not share all partitions.
        rotation = shift + number // len(leaders)
        placed.append(_replicas_of(leader, ring, replication_factor, rotation))
    return placed


def _check_enough(usable: Sequence[BrokerRegistration], replication_factor: int) -> None:
    failed = f"Unable to replicate the partition {replication_factor} time(s): "
    if not any(broker.is_active for broker in usable):
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, failed + "All brokers are currently fenced.")
    if replication_factor > len(usable):
        reason = (
            f"The target replication factor of {replication_factor} cannot be reached because only {len(usable)} "
            "broker(s) are registered or some brokers have all their log directories cordoned."
        )
        raise Refused(ErrorCode.INVALID_REPLICATION_FACTOR, failed + reason)


def _ring_of_racks(brokers: Sequence[BrokerRegistration], rng: Rng) -> list[BrokerRegistration]:
    """All brokers in an order in which neighbours are in different racks as far as possible."""
    racks: dict[str, list[BrokerRegistration]] = {}
    for broker in sorted(brokers):
        racks.setdefault(broker.rack or "", []).append(broker)
    shuffled = [_shuffled(racks[name], rng) for name in sorted(racks)]
    longest = max(len(rack) for rack in shuffled)
    return [rack[index] for index in range(longest) for rack in shuffled if index < len(rack)]


def _shuffled(brokers: list[BrokerRegistration], rng: Rng) -> list[BrokerRegistration]:
    for last in range(len(brokers) - 1, 0, -1):
        other = rng.below(last + 1)
        brokers[last], brokers[other] = brokers[other], brokers[last]
    # Fenced ones come last: they are only taken when there is no other choice.
    return sorted(brokers, key=lambda broker: broker.is_fenced)


def _replicas_of(
    leader: BrokerRegistration, ring: Sequence[BrokerRegistration], replication_factor: int, rotation: int
) -> list[int]:
    first = ring.index(leader)
    others = [ring[(first + 1 + index) % len(ring)] for index in range(len(ring) - 1)]
    others = others[rotation % len(others) :] + others[: rotation % len(others)]
    others.sort(key=lambda broker: broker.is_fenced)
    chosen, racks = [leader], {leader.rack or ""}
    while len(chosen) < replication_factor:
        free = [broker for broker in others if broker not in chosen]
        fresh = [broker for broker in free if (broker.rack or "") not in racks]
        following = (fresh or free)[0]
        chosen.append(following)
        racks.add(following.rack or "")
        if not fresh:
            racks = {following.rack or ""}
    return [broker.broker_id for broker in chosen]


def check_assignment(
    brokers: Mapping[int, BrokerRegistration], replicas: Sequence[int], expected_count: int | None
) -> None:
    """A list of replicas that a client chose. Raises INVALID_REPLICA_ASSIGNMENT."""
    if not replicas:
        raise _bad_assignment("The manual partition assignment includes an empty replica list.")
    previous: int | None = None
    for broker_id in sorted(replicas):
        if broker_id not in brokers:
            raise _bad_assignment(
                f"The manual partition assignment includes broker {broker_id}, but no such broker is registered."
            )
        if broker_id == previous:
            raise _bad_assignment(f"The manual partition assignment includes the broker {broker_id} more than once.")
        previous = broker_id
    if expected_count is not None and len(replicas) != expected_count:
        raise _bad_assignment(
            f"The manual partition assignment includes a partition with {len(replicas)} replica(s), but this is not "
            f"consistent with previous partitions, which have {expected_count} replica(s)."
        )


def _bad_assignment(message: str) -> Refused:
    return Refused(ErrorCode.INVALID_REPLICA_ASSIGNMENT, message)
