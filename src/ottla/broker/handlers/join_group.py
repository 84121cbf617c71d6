"""JoinGroup (key 11), versions 0–9.

A member asks to be part of a group. The answer may be parked until all members have joined or the time is up.
v1 rebalance timeout · v4 MEMBER_ID_REQUIRED · v5 instance id · v6 flexible · v7 protocol type back · v9 SkipAssignment
"""

from __future__ import annotations

from ottla.broker.context import RequestContext
from ottla.broker.group_requests import client_of
from ottla.broker.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.join_group_request import JoinGroupRequest
from ottla.protocol.generated.join_group_response import JoinGroupResponse

_MAY_BE_NULL_FROM = 7


@handles(ApiKey.JOIN_GROUP, 0, 9)
async def join_group(request: JoinGroupRequest, context: RequestContext) -> JoinGroupResponse:
    version, client = context.version, client_of(context)
    try:
        host, shard = context.broker.groups.shard_for(request.group_id)
        response = await host.run_with_ticket(
            lambda now, ticket: shard.join_group(request, version=version, client=client, ticket=ticket, now=now)
        )
    except Refused as refused:
        response = JoinGroupResponse(error_code=refused.code, member_id=request.member_id, protocol_name=None)
    if version < _MAY_BE_NULL_FROM and response.protocol_name is None:
        response.protocol_name = ""
    return response
