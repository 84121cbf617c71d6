"""AlterConfigs and IncrementalAlterConfigs: which resources may be changed, and the records of a change.

What a value may be is decided by `ottla.config.alter`. Loggers are not here: they live in each broker's memory.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ottla.config import alter
from ottla.config.alter import Change, Written
from ottla.controller.view import ClusterView
from ottla.coordination.shard import Decision
from ottla.metadata.image import (
    BROKER_RESOURCE,
    CLIENT_METRICS_RESOURCE,
    GROUP_RESOURCE,
    TOPIC_RESOURCE,
    ConfigResource,
)
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.model.topic import name_problem
from ottla.protocol.generated.alter_configs_request import AlterConfigsRequest
from ottla.protocol.generated.alter_configs_response import AlterConfigsResponse
from ottla.protocol.generated.alter_configs_response import Responses as ReplacedResult
from ottla.protocol.generated.clear_elr_record import ClearElrRecord
from ottla.protocol.generated.config_record import ConfigRecord
from ottla.protocol.generated.incremental_alter_configs_request import IncrementalAlterConfigsRequest
from ottla.protocol.generated.incremental_alter_configs_response import IncrementalAlterConfigsResponse
from ottla.protocol.generated.incremental_alter_configs_response import Responses as AlteredResult

_MIN_IN_SYNC = "min.insync.replicas"


class _Outcome(NamedTuple):
    resource_type: int
    resource_name: str
    error_code: int
    error_message: str | None


def incremental_alter_configs(
    view: ClusterView, request: IncrementalAlterConfigsRequest
) -> Steps[Decision[IncrementalAlterConfigsResponse]]:
    wanted = [
        (
            (resource.resource_type, resource.resource_name),
            [Change(config.name, config.config_operation, config.value) for config in resource.configs],
        )
        for resource in request.resources
    ]
    outcomes, records = yield from _alter_all(view, wanted, lambda resource, changes: changes)
    results = [AlteredResult(code, message, kind, name) for kind, name, code, message in outcomes]
    response = IncrementalAlterConfigsResponse(responses=results)
    return Decision(response, [] if request.validate_only else records)


def alter_configs(view: ClusterView, request: AlterConfigsRequest) -> Steps[Decision[AlterConfigsResponse]]:
    """Replaces all overrides of a resource."""

    def replaced(resource: ConfigResource, entries: Sequence[tuple[str, str | None]]) -> Sequence[Change]:
        names = [name for name, _ in entries]
        if len(dict.fromkeys(names)) != len(names):
            raise Refused(ErrorCode.INVALID_REQUEST, "Error due to duplicate config keys")
        return alter.replacement(view.image.config_overrides(*resource), entries)

    wanted = [
        (
            (resource.resource_type, resource.resource_name),
            [(config.name, config.value) for config in resource.configs],
        )
        for resource in request.resources
    ]
    outcomes, records = yield from _alter_all(view, wanted, replaced)
    results = [ReplacedResult(code, message, kind, name) for kind, name, code, message in outcomes]
    return Decision(AlterConfigsResponse(responses=results), [] if request.validate_only else records)


def _alter_all(
    view: ClusterView,
    wanted: Sequence[tuple[ConfigResource, Any]],
    changes_of: Callable[[ConfigResource, Any], Sequence[Change]],
) -> Steps[tuple[list[_Outcome], list[Any]]]:
    """Each resource succeeds or fails on its own; one that is named twice fails each time."""
    counts = Counter(resource for resource, _ in wanted)
    outcomes: list[_Outcome] = []
    records: list[Any] = []
    for resource, entries in wanted:
        yield
        try:
            if counts[resource] > 1:
                raise Refused(ErrorCode.INVALID_REQUEST, "Each resource must appear at most once.")
            written = _alter_one(view, resource, changes_of(resource, entries))
            records += _config_records(resource, written) + _follow_up_records(view, resource, written)
            outcomes.append(_Outcome(*resource, ErrorCode.NONE, None))
        except Refused as refusal:
            outcomes.append(_Outcome(*resource, refusal.code, refusal.message))
    return outcomes, records


def _alter_one(view: ClusterView, resource: ConfigResource, changes: Sequence[Change]) -> Written:
    kind, name = resource
    overrides = view.image.config_overrides(kind, name)
    if kind == TOPIC_RESOURCE:
        _check_topic_name(name)
        written = alter.alter_topic(overrides, changes, view.layers)
        # Kafka reports a wrong value before an unknown topic.
        if view.image.topic(name) is None:
            raise Refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{name}' does not exist.")
        return written
    if kind == BROKER_RESOURCE:
        _check_broker(view, name, changes)
        return alter.alter_broker(overrides, changes, view.layers.static, whole_cluster=name == "")
    if kind == GROUP_RESOURCE:
        if not name:
            raise Refused(ErrorCode.INVALID_REQUEST, "Default group resources are not allowed.")
        return alter.alter_group(overrides, changes, view.layers)
    if kind == CLIENT_METRICS_RESOURCE:
        if not name:
            raise Refused(ErrorCode.INVALID_REQUEST, "Subscription name can't be empty")
        return alter.alter_client_metrics(overrides, changes)
    raise Refused(ErrorCode.INVALID_REQUEST, f"Unknown resource type {kind}")


def _check_topic_name(name: str) -> None:
    if not name:
        raise Refused(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
    problem = name_problem(name)
    if problem is not None:
        raise Refused(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {problem}")


def _check_broker(view: ClusterView, name: str, changes: Sequence[Change]) -> None:
    """With eligible leader replicas only the cluster may set how many must be in sync (KIP-966)."""
    if name and not (name.isascii() and name.isdigit()):
        raise Refused(ErrorCode.INVALID_REQUEST, f"Node id must be an integer, but it is: {name}")
    changed = next((change for change in changes if change.name == _MIN_IN_SYNC), None)
    if changed is None or not view.keeps_eligible_leaders:
        return
    if name:
        message = "Broker-level min.insync.replicas cannot be altered while ELR is enabled."
        raise Refused(ErrorCode.INVALID_CONFIG, message)
    if changed.operation == alter.Operation.DELETE:
        message = "Cluster-level min.insync.replicas cannot be removed while ELR is enabled."
        raise Refused(ErrorCode.INVALID_CONFIG, message)


def _config_records(resource: ConfigResource, written: Written) -> list[Any]:
    kind, name = resource
    return [
        ConfigRecord(resource_type=kind, resource_name=name, name=key, value=value) for key, value in written.items()
    ]


def _follow_up_records(view: ClusterView, resource: ConfigResource, written: Written) -> list[Any]:
    """A new min.insync.replicas makes the lists of eligible leaders meaningless; they are forgotten."""
    if _MIN_IN_SYNC not in written or not view.keeps_eligible_leaders:
        return []
    kind, name = resource
    if kind == TOPIC_RESOURCE:
        return [ClearElrRecord(topic_name=name)]
    return [ClearElrRecord()] if kind == BROKER_RESOURCE and name == "" else []
