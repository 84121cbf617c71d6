"""ListPartitionReassignments (key 46), version 0.

Partitions whose replicas are moving; those that are not, or do not exist, are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.context import RequestContext
    from ottla.protocol.generated.list_partition_reassignments_request import ListPartitionReassignmentsRequest
    from ottla.protocol.generated.list_partition_reassignments_response import ListPartitionReassignmentsResponse


@handles(ApiKey.LIST_PARTITION_REASSIGNMENTS, 0, 0)
def list_partition_reassignments(
    request: ListPartitionReassignmentsRequest, context: RequestContext
) -> ListPartitionReassignmentsResponse:
    return context.broker.controller.shard.list_partition_reassignments(request)
