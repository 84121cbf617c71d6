"""Error responses: for every API that the broker serves, in every version, for everything that is asked for."""

import sys
from typing import Any

import pytest

from ottla.broker.handlers import load_handlers
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey, request_class, response_class
from ottla.protocol.message import Message, Struct
from ottla.testing.error_responses import error_response

HANDLERS = load_handlers()
VERSIONS = [
    (key, version) for key, entry in HANDLERS.items() for version in range(entry.min_version, entry.max_version + 1)
]
ERROR = ErrorCode.UNKNOWN_SERVER_ERROR


def filled(kind: type[Struct], module: Any, depth: int = 0) -> Any:
    """A request in which every list has two rows, and every name and number differs from the default."""
    value = kind()
    for name, annotation in kind.__init__.__annotations__.items():
        text = str(annotation).removesuffix(" | None")
        if text.startswith("list["):
            inner = text[5:-1]
            rows = {"str": ["one", "two"], "int": [1, 2]}.get(inner)
            setattr(value, name, rows or [filled(getattr(module, inner), module, depth + 1) for _ in range(2)])
        elif text == "str":
            setattr(value, name, f"{name}-text")
        elif text == "int" and depth:
            setattr(value, name, 7)
    return value


def a_request(key: int, version: int) -> Message:
    """As it arrives: only with the fields of its version."""
    kind = request_class(key)
    request = filled(kind, sys.modules[kind.__module__])
    return kind.from_bytes(request.to_bytes(version), version)


def error_codes(value: Any) -> list[int]:
    if isinstance(value, list):
        return [code for each in value for code in error_codes(each)]
    if not isinstance(value, Struct):
        return []
    names: tuple[str, ...] = tuple(type(value).__slots__)
    own = [getattr(value, name) for name in names if name in ("error_code", "partition_error_code")]
    return own + [code for name in names for code in error_codes(getattr(value, name))]


@pytest.mark.parametrize(("key", "version"), VERSIONS, ids=[f"{ApiKey(key).name}-v{v}" for key, v in VERSIONS])
def test_every_version_reports_the_error(key: int, version: int) -> None:
    response = error_response(a_request(key, version), ERROR)

    received = response_class(key).from_bytes(response.to_bytes(version), version)

    # Fields that the version does not send are 0.
    assert set(error_codes(received)) - {0} == {int(ERROR)}


@pytest.mark.parametrize(
    ("key", "path"),
    [
        (ApiKey.PRODUCE, "responses.partition_responses.index"),
        (ApiKey.FETCH, "responses.partitions.partition_index"),
        (ApiKey.LIST_OFFSETS, "topics.partitions.partition_index"),
        (ApiKey.OFFSET_COMMIT, "topics.partitions.partition_index"),
        (ApiKey.OFFSET_FETCH, "groups.topics.partitions.partition_index"),
        (ApiKey.TXN_OFFSET_COMMIT, "topics.partitions.partition_index"),
        (ApiKey.DELETE_RECORDS, "topics.partitions.partition_index"),
        (ApiKey.ADD_PARTITIONS_TO_TXN, "results_by_transaction.topic_results.results_by_partition.partition_index"),
        (ApiKey.WRITE_TXN_MARKERS, "markers.topics.partitions.partition_index"),
        (ApiKey.ALTER_REPLICA_LOG_DIRS, "results.partitions.partition_index"),
        (ApiKey.ELECT_LEADERS, "replica_election_results.partition_result.partition_id"),
        (ApiKey.OFFSET_FOR_LEADER_EPOCH, "topics.partitions.partition"),
        (ApiKey.CREATE_TOPICS, "topics.name"),
        (ApiKey.CREATE_PARTITIONS, "results.name"),
        (ApiKey.DELETE_TOPICS, "responses.name"),
        (ApiKey.DELETE_GROUPS, "results.group_id"),
        (ApiKey.DESCRIBE_GROUPS, "groups.group_id"),
        (ApiKey.CONSUMER_GROUP_DESCRIBE, "groups.group_id"),
        (ApiKey.FIND_COORDINATOR, "coordinators.key"),
        (ApiKey.DESCRIBE_TRANSACTIONS, "transaction_states.transactional_id"),
        (ApiKey.DESCRIBE_CONFIGS, "results.resource_name"),
        (ApiKey.INCREMENTAL_ALTER_CONFIGS, "responses.resource_name"),
        (ApiKey.DESCRIBE_USER_SCRAM_CREDENTIALS, "results.user"),
        (ApiKey.UPDATE_FEATURES, "results.feature"),
        (ApiKey.LEAVE_GROUP, "members.member_id"),
        (ApiKey.CREATE_ACLS, "results.error_message"),
    ],
)
def test_rows_mirror_those_of_the_request(key: ApiKey, path: str) -> None:
    version = HANDLERS[key].max_version
    if key == ApiKey.UPDATE_FEATURES:
        version = 1  # later versions report at the top only
    response: Any = error_response(a_request(key, version), ERROR)

    rows = [response]
    for name in path.split("."):
        values = [getattr(row, name) for row in rows]
        rows = [each for value in values for each in (value if isinstance(value, list) else [value])]

    assert len(rows) >= 2
    assert all(row not in ("", 0, None) for row in rows)
