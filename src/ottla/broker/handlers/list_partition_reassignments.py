"""ListPartitionReassignments (key 46), version 0.

Partitions whose replicas are moving; those that are not, or do not exist, are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
    from ottla.protocol.generated.list_partition_reassignments_response import ListPartitionReassignmentsResponse


@handles(ApiKey.LIST_PARTITION_REASSIGNMENTS, 0, 0)
async def list_partition_reassignments(
    request: ListPartitionReassignmentsRequest, context: Context
) -> ListPartitionReassignmentsResponse:
    response: ListPartitionReassignmentsResponse = await context.services.controller.ask(
        request, context.version, context.principal
    )
    return response
