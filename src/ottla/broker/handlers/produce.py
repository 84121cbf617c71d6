"""Produce (key 0), versions 3–13; 0–2 are advertised but not accepted.

Appends one batch per partition.
acks=0 gets no response, acks=1 one after the local append, acks=all one when the high watermark has passed the batch.
v5 log start offset · v8 record errors · v9 flexible · v10 leader hints · v12 joins a transaction · v13 topic ids
"""

from __future__ import annotations

from typing import Any

from ottla.broker.handlers.services import Context
from ottla.broker.produce.appending import ALL, is_transactional, refuse_all
from ottla.broker.requests.registry import handles
from ottla.model.error_codes import ErrorCode
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.produce_request import ProduceRequest

_ACKS = (0, 1, ALL)


@handles(ApiKey.PRODUCE, 3, 13, advertised_min=0)
def produce(request: ProduceRequest, context: Context) -> Any:
    if request.acks not in _ACKS:
        return refuse_all(request, ErrorCode.INVALID_REQUIRED_ACKS)
    for topic in request.topic_data:
        for data in topic.partition_data:
            if is_transactional(data):
                return context.services.transactional_produce.produce(request, context)
    return context.services.appender.append_all(request, context)
