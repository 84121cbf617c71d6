"""DeleteTopics (key 20), versions 1–6.

Deletes topics by name, from v6 also by id.
v4 flexible · v5 error message · v6 topic ids
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey

if TYPE_CHECKING:
    from ottla.broker.handlers.services import Context
    from ottla.protocol.generated.delete_topics_request import DeleteTopicsRequest
    from ottla.protocol.generated.delete_topics_response import DeleteTopicsResponse


@handles(ApiKey.DELETE_TOPICS, 1, 6)
async def delete_topics(request: DeleteTopicsRequest, context: Context) -> DeleteTopicsResponse:
    response: DeleteTopicsResponse = await context.services.controller.ask(request, context.version, context.principal)
    return response
