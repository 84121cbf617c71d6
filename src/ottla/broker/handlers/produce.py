"""Produce (key 0), versions 3–13; 0–2 are advertised but not accepted.

Appends one batch per partition.
acks=0 gets no response, acks=1 one after the local append, acks=all one when the high watermark has passed the batch.
v5 log start offset · v8 record errors · v9 flexible · v10 leader hints · v12 joins a transaction · v13 topic ids
"""

from __future__ import annotations

from typing import Any

from ottla.broker.handlers.services import Context
from ottla.broker.requests.registry import handles
from ottla.protocol.api_keys import ApiKey
from ottla.protocol.generated.produce_request import ProduceRequest
from ottla.records.batch import ATTRIBUTES_POSITION, HEADER_SIZE, MAGIC, MAGIC_POSITION, TRANSACTIONAL_BIT

#: The low byte of the attributes.
_FLAGS_POSITION = ATTRIBUTES_POSITION + 1


@handles(ApiKey.PRODUCE, 3, 13, advertised_min=0)
def produce(request: ProduceRequest, context: Context) -> Any:
    services = context.services
    for topic in request.topic_data:
        for data in topic.partition_data:
            records = data.records
            if records is not None and len(records) >= HEADER_SIZE and records[_FLAGS_POSITION] & TRANSACTIONAL_BIT:
                # Older formats have something else there.
                if records[MAGIC_POSITION] == MAGIC:
                    return services.transactional_produce.produce(request, context)
    return services.appender.append_all(request, context)
