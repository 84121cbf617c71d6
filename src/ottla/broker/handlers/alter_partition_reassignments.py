"""AlterPartitionReassignments (key 45), versions 0–1.

Starts or cancels moves of replicas. v1 may refuse another replication factor
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.alter_partition_reassignments_request import AlterPartitionReassignmentsRequest
    from ottla.protocol.generated.alter_partition_reassignments_response import AlterPartitionReassignmentsResponse


@handles(ApiKey.ALTER_PARTITION_REASSIGNMENTS, 0, 1)
async def alter_partition_reassignments(
    request: AlterPartitionReassignmentsRequest, context: Context
) -> AlterPartitionReassignmentsResponse:
    response: AlterPartitionReassignmentsResponse = await context.services.controller.ask(
        request, context.version, context.principal
    )
    return response
