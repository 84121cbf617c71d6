"""LeaveGroup (key 13), versions 0–5.

Takes members out of a group at once, without waiting for their sessions to end.
v3 list of members · v4 flexible · v5 reason
"""

from __future__ import annotations

from functools import partial

from ottla.broker.coordinators.group_requests import ask
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.leave_group_request import LeaveGroupRequest
from ottla.protocol.generated.leave_group_response import LeaveGroupResponse


@handles(ApiKey.LEAVE_GROUP, 0, 5)
def leave_group(request: LeaveGroupRequest, context: Context) -> LeaveGroupResponse | Deferred:
    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return _refused(refusal)
    return ask(host.submit, partial(shard.leave_group, request, context.version), _refused)


def _refused(refusal: Refused) -> LeaveGroupResponse:
    return LeaveGroupResponse(error_code=refusal.code)
