"""AlterPartitionReassignments (key 45), versions 0–1.

Starts or cancels moves of replicas. v1 may refuse another replication factor
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.protocol.generated.alter_partition_reassignments_request import AlterPartitionReassignmentsRequest
    from ottla.protocol.generated.alter_partition_reassignments_response import AlterPartitionReassignmentsResponse


@handles(ApiKey.ALTER_PARTITION_REASSIGNMENTS, 0, 1)
async def alter_partition_reassignments(
    request: AlterPartitionReassignmentsRequest, context: RequestContext
) -> AlterPartitionReassignmentsResponse:
    return await context.broker.controller.run(lambda shard, now: shard.alter_partition_reassignments(request, now))
