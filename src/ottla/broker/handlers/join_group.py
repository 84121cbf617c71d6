"""JoinGroup (key 11), versions 0–9.

A member asks to be part of a group. The response may be parked until all members have joined or the time is up.
v1 rebalance timeout · v4 MEMBER_ID_REQUIRED · v5 instance id · v6 flexible · v7 protocol type back · v9 SkipAssignment
"""

from __future__ import annotations

from functools import partial

from ottla.broker.coordinators.group_requests import ask, client_of
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse

_MAY_BE_NULL_FROM = 7


@handles(ApiKey.JOIN_GROUP, 0, 9)
def join_group(request: JoinGroupRequest, context: Context) -> JoinGroupResponse | Deferred:
    respond = _without_null if context.version < _MAY_BE_NULL_FROM else None

    def refused(refusal: Refused) -> JoinGroupResponse:
        response = JoinGroupResponse(error_code=refusal.code, member_id=request.member_id, protocol_name=None)
        return response if respond is None else respond(response)

    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return refused(refusal)
    return ask(
        host.submit_with_ticket,
        partial(shard.join_group, request, context.version, client_of(context)),
        refused,
        respond,
    )


def _without_null(response: JoinGroupResponse) -> JoinGroupResponse:
    if response.protocol_name is None:
        response.protocol_name = ""
    return response
