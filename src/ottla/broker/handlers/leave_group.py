"""LeaveGroup (key 13), versions 0–5.

Takes members out of a group at once, without waiting for their sessions to end.
v3 list of members · v4 flexible · v5 reason
"""

from __future__ import annotations

from ottla.broker.context import RequestContext
from ottla.broker.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.leave_group_response import LeaveGroupResponse


@handles(ApiKey.LEAVE_GROUP, 0, 5)
async def leave_group(request: LeaveGroupRequest, context: RequestContext) -> LeaveGroupResponse:
    version = context.version
    try:
        host, shard = context.broker.groups.shard_for(request.group_id)
        return await host.run(lambda now: shard.leave_group(request, version=version, now=now))
    except Refused as refused:
        return LeaveGroupResponse(error_code=refused.code)
