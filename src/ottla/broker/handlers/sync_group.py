"""SyncGroup (key 14), versions 0–5.

The leader brings the assignment, everybody gets its part of it. Followers are parked until the leader has come.
v3 instance id · v4 flexible · v5 protocol type and name are checked
"""

from __future__ import annotations

from functools import partial

from ottla.broker.coordinators.group_requests import ask
from ottla.broker.handlers.services import Context
from ottla.broker.requests.deferred import Deferred
from ottla.broker.requests.registry import handles
from ottla.model.errors import Refused
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.sync_group_request import SyncGroupRequest
from ottla.protocol.generated.sync_group_response import SyncGroupResponse


@handles(ApiKey.SYNC_GROUP, 0, 5)
def sync_group(request: SyncGroupRequest, context: Context) -> SyncGroupResponse | Deferred:
    try:
        host, shard = context.services.groups.shard_for(request.group_id)
    except Refused as refusal:
        return _refused(refusal)
    return ask(host.submit_with_ticket, partial(shard.sync_group, request, context.version), _refused)


def _refused(refusal: Refused) -> SyncGroupResponse:
    return SyncGroupResponse(error_code=refusal.code)
