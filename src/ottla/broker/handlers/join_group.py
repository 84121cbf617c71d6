"""JoinGroup (key 11), versions 0–9.

A member asks to be part of a group. The response may be parked until all members have joined or the time is up.
v1 rebalance timeout · v4 MEMBER_ID_REQUIRED · v5 instance id · v6 flexible · v7 protocol type back · v9 SkipAssignment
"""

from __future__ import annotations

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
    version, client = context.version, client_of(context)

    def respond(response: JoinGroupResponse) -> JoinGroupResponse:
        if version < _MAY_BE_NULL_FROM and response.protocol_name is None:
            response.protocol_name = ""
        return response

    def refused(refusal: Refused) -> JoinGroupResponse:
        return respond(JoinGroupResponse(error_code=refusal.code, member_id=request.member_id, protocol_name=None))

    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return refused(refusal)
    return ask(
        host.submit_with_ticket,
        lambda now, ticket: shard.join_group(request, version=version, client=client, ticket=ticket, now=now),
        refused,
        respond,
    )
