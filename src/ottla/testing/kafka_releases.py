"""Which versions of which APIs the releases of Apache Kafka serve: for a broker that acts like an old one."""

from collections.abc import Mapping
from typing import Any, Final

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import Entry
from ottla.protocol.api_keys import ApiKey

#: API -> the releases that raised its newest version, and that version. As ZooKeeper clusters serve them before 4.0.
_NEWEST: Final = {
    ApiKey.PRODUCE: "1.0:5 2.0:6 2.1:7 2.4:8 2.8:9 3.7:10 3.8:11 4.0:12 4.1:13",
    ApiKey.FETCH: "1.0:6 1.1:7 2.0:8 2.1:10 2.3:11 2.7:12 3.1:13 3.5:15 3.7:16 3.9:17 4.1:18",
    ApiKey.LIST_OFFSETS: "1.0:2 2.0:3 2.1:4 2.2:5 2.8:6 3.0:7 3.5:8 3.9:9 4.0:10 4.2:11",
    ApiKey.METADATA: "1.0:5 2.0:6 2.1:7 2.3:8 2.4:9 2.8:11 3.1:12 4.0:13",
    ApiKey.OFFSET_COMMIT: "1.0:3 2.0:4 2.1:6 2.3:7 2.4:8 3.7:9 4.2:10",
    ApiKey.OFFSET_FETCH: "1.0:3 2.0:4 2.1:5 2.4:6 2.5:7 3.0:8 3.7:9 4.2:10",
    ApiKey.FIND_COORDINATOR: "1.0:1 2.0:2 2.4:3 3.0:4 3.8:5 3.9:6",
    ApiKey.JOIN_GROUP: "1.0:2 2.0:3 2.2:4 2.3:5 2.4:6 2.5:7 3.2:9",
    ApiKey.HEARTBEAT: "1.0:1 2.0:2 2.3:3 2.4:4",
    ApiKey.LEAVE_GROUP: "1.0:1 2.0:2 2.4:4 3.2:5",
    ApiKey.SYNC_GROUP: "1.0:1 2.0:2 2.3:3 2.4:4 2.5:5",
    ApiKey.DESCRIBE_GROUPS: "1.0:1 2.0:2 2.3:3 2.4:5 4.0:6",
    ApiKey.LIST_GROUPS: "1.0:1 2.0:2 2.4:3 2.6:4 3.8:5",
    ApiKey.API_VERSIONS: "1.0:1 2.0:2 2.4:3 3.9:4",
    ApiKey.CREATE_TOPICS: "1.0:2 2.0:3 2.4:5 2.7:6 2.8:7",
    ApiKey.DELETE_TOPICS: "1.0:1 2.0:2 2.1:3 2.4:4 2.7:5 2.8:6",
    ApiKey.DELETE_RECORDS: "1.0:0 2.0:1 2.6:2",
    ApiKey.INIT_PRODUCER_ID: "1.0:0 2.0:1 2.4:2 2.5:3 2.7:4 3.8:5",
    ApiKey.OFFSET_FOR_LEADER_EPOCH: "1.0:0 2.0:1 2.1:2 2.3:3 2.8:4",
    ApiKey.ADD_PARTITIONS_TO_TXN: "1.0:0 2.0:1 2.7:2 2.8:3 3.6:4 3.8:5",
    ApiKey.ADD_OFFSETS_TO_TXN: "1.0:0 2.0:1 2.7:2 2.8:3 3.8:4",
    ApiKey.END_TXN: "1.0:0 2.0:1 2.7:2 2.8:3 3.8:4 4.0:5",
    ApiKey.WRITE_TXN_MARKERS: "1.0:0 2.8:1 4.2:2",
    ApiKey.TXN_OFFSET_COMMIT: "1.0:0 2.0:1 2.1:2 2.5:3 3.8:4 4.0:5",
    ApiKey.DESCRIBE_ACLS: "1.0:0 2.0:1 2.5:2 3.3:3",
    ApiKey.CREATE_ACLS: "1.0:0 2.0:1 2.5:2 3.3:3",
    ApiKey.DELETE_ACLS: "1.0:0 2.0:1 2.5:2 3.3:3",
    ApiKey.DESCRIBE_CONFIGS: "1.0:0 1.1:1 2.0:2 2.6:3 2.8:4",
    ApiKey.ALTER_CONFIGS: "1.0:0 2.0:1 2.8:2",
    ApiKey.ALTER_REPLICA_LOG_DIRS: "1.0:0 2.0:1 2.8:2",
    ApiKey.DESCRIBE_LOG_DIRS: "1.0:0 2.0:1 2.6:2 3.2:3 3.3:4",
    ApiKey.CREATE_PARTITIONS: "1.0:0 2.0:1 2.5:2 2.7:3",
    ApiKey.DELETE_GROUPS: "1.1:0 2.0:1 2.4:2",
    ApiKey.ELECT_LEADERS: "2.2:0 2.4:2",
    ApiKey.INCREMENTAL_ALTER_CONFIGS: "2.3:0 2.4:1",
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: "2.4:0 4.1:1",
    ApiKey.LIST_PARTITION_REASSIGNMENTS: "2.4:0",
    ApiKey.OFFSET_DELETE: "2.4:0",
    ApiKey.DESCRIBE_CLIENT_QUOTAS: "2.6:0 2.8:1",
    ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS: "2.7:0",
    ApiKey.DESCRIBE_QUORUM: "4.0:2",
    ApiKey.UPDATE_FEATURES: "2.7:0 3.3:1 4.0:2",
    ApiKey.DESCRIBE_CLUSTER: "2.8:0 3.7:1 4.0:2",
    ApiKey.DESCRIBE_PRODUCERS: "2.8:0",
    ApiKey.UNREGISTER_BROKER: "4.0:0",
    ApiKey.DESCRIBE_TRANSACTIONS: "3.0:0",
    ApiKey.LIST_TRANSACTIONS: "3.0:0 3.8:1 4.1:2",
    ApiKey.CONSUMER_GROUP_HEARTBEAT: "3.7:0 4.0:1",
    ApiKey.CONSUMER_GROUP_DESCRIBE: "3.8:0 4.0:1",
    ApiKey.LIST_CONFIG_RESOURCES: "4.0:0 4.1:1",
    ApiKey.DESCRIBE_TOPIC_PARTITIONS: "4.0:0",
}


def newest_versions(release: str) -> dict[ApiKey, int]:
    """API -> its newest version in a release such as `2.8`. Raises ValueError for one that is not known."""
    wanted = _number(release)
    known = sorted({_number(step.partition(":")[0]) for steps in _NEWEST.values() for step in steps.split()})
    if not known[0] <= wanted <= known[-1]:
        first, last = (".".join(map(str, number)) for number in (known[0], known[-1]))
        raise ValueError(f"release {release}: known are {first} to {last}")
    found: dict[ApiKey, int] = {}
    for key, steps in _NEWEST.items():
        for step in steps.split():
            since, _, version = step.partition(":")
            if _number(since) <= wanted:
                found[key] = int(version)
    return found


def _number(release: str) -> tuple[int, int]:
    parts = release.split(".")
    if not 2 <= len(parts) <= 3 or not all(part.isdecimal() for part in parts):
        raise ValueError(f"release {release!r}: give two numbers, such as 2.8")
    return int(parts[0]), int(parts[1])


def handlers_of(release: str, handlers: Mapping[int, Entry]) -> dict[int, Entry]:
    """The handlers as that release would have them: without newer APIs, newer versions and feature levels."""
    newest = newest_versions(release)
    found: dict[int, Entry] = {}
    for key, entry in handlers.items():
        max_version = min(entry.max_version, newest.get(ApiKey(key), -1))
        if max_version >= entry.min_version:
            handler = _without_features(entry) if key == ApiKey.API_VERSIONS else entry.handler
            found[key] = Entry(
                ApiKey(entry.api_key), entry.min_version, max_version, entry.advertised_min, handler, entry.fallback
            )
    return found


def _without_features(entry: Entry) -> Any:
    """Clients take finalized features for a promise that the newest versions are served."""

    def api_versions(request: Any, context: Context) -> Any:
        response = entry.handler(request, context)
        response.supported_features = []
        response.finalized_features = []
        return response

    return api_versions
