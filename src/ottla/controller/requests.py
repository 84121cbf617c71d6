"""What the controller is asked: a message of Kafka's protocol, its version, and who sends it.

A request is data, so the node that receives it from a client can carry it out itself or forward it to the active
controller (Kafka's Envelope). Which operation of the shard serves which request is one table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeAlias

from ottla.controller.shard import ControllerShard
from ottla.coordination.shard import Decision, Now
from ottla.model.error_codes import ErrorCode
from ottla.model.errors import Refused
from ottla.model.steps import Steps
from ottla.protocol.api_keys import ApiKey


class ControllerRequest(NamedTuple):
    message: Any
    version: int
    #: As Kafka writes it, `User:alice`: the controller authorizes the client, not the node that forwards.
    principal: str

    @property
    def api_key(self) -> ApiKey:
        return ApiKey(self.message.API_KEY)


#: Decides at once.
Operation: TypeAlias = Callable[[ControllerShard, ControllerRequest, Now], Decision[Any]]
#: Decides in steps: the request may name thousands of topics.
LongOperation: TypeAlias = Callable[[ControllerShard, ControllerRequest], Steps[Decision[Any]]]


def operation_of(request: ControllerRequest) -> Operation | None:
    """None where there is only a long one. Raises Refused for what the controller does not serve."""
    key = request.api_key
    if key not in _OPERATIONS and key not in _LONG_OPERATIONS:
        raise Refused(ErrorCode.UNSUPPORTED_VERSION, f"the controller does not serve {key.name}")
    return _OPERATIONS.get(key)


def long_operation_of(request: ControllerRequest) -> LongOperation:
    return _LONG_OPERATIONS[request.api_key]


def _unregister_broker(shard: ControllerShard, request: ControllerRequest, now: Now) -> Decision[Any]:
    from ottla.protocol.generated.unregister_broker_response import UnregisterBrokerResponse

    decision = shard.unregister_broker(request.message.broker_id, now)
    refusal = decision.response
    code, message = (ErrorCode.NONE, None) if refusal is None else (refusal.code, refusal.message)
    return Decision(UnregisterBrokerResponse(0, code, message), decision.records, timers=decision.timers)


_OPERATIONS: Final[dict[ApiKey, Operation]] = {
    ApiKey.ELECT_LEADERS: lambda shard, request, now: shard.elect_leaders(request.message, now),
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: lambda shard, request, now: shard.alter_partition_reassignments(
        request.message, now
    ),
    ApiKey.LIST_PARTITION_REASSIGNMENTS: lambda shard, request, now: Decision(
        shard.list_partition_reassignments(request.message)
    ),
    ApiKey.UPDATE_FEATURES: lambda shard, request, now: shard.update_features(request.message, request.version, now),
    ApiKey.ALLOCATE_PRODUCER_IDS: lambda shard, request, now: shard.allocate_producer_ids(request.message, now),
    ApiKey.BROKER_REGISTRATION: lambda shard, request, now: shard.admit_broker(request.message, now),
    ApiKey.BROKER_HEARTBEAT: lambda shard, request, now: shard.heartbeat(request.message, now),
    ApiKey.UNREGISTER_BROKER: _unregister_broker,
}

_LONG_OPERATIONS: Final[dict[ApiKey, LongOperation]] = {
    ApiKey.CREATE_TOPICS: lambda shard, request: shard.create_topics(request.message, request.version),
    ApiKey.DELETE_TOPICS: lambda shard, request: shard.delete_topics(request.message, request.version),
    ApiKey.CREATE_PARTITIONS: lambda shard, request: shard.create_partitions(request.message),
    ApiKey.ALTER_CONFIGS: lambda shard, request: shard.alter_configs(request.message),
    ApiKey.INCREMENTAL_ALTER_CONFIGS: lambda shard, request: shard.incremental_alter_configs(request.message),
}
