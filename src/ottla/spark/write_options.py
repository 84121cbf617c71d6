"""What a write is asked for: which topic, with which guarantee, and whose batch it is."""

from dataclasses import dataclass
from typing import Any, Final

from ottla.config.consumer_options import ConsumerOptions
from ottla.config.producer_options import ProducerOptions
from ottla.model.errors import InvalidConfig
from ottla.spark.options import READ_OPTIONS, GivenOptions

EXACTLY_ONCE: Final = "exactly-once"
AT_LEAST_ONCE: Final = "at-least-once"
#: From the start of a task until the driver has ended its transaction; the brokers' default maximum.
_TRANSACTION_TIMEOUT_MS: Final = 15 * 60 * 1000


@dataclass(frozen=True)
class WriteOptions:
    """Checked. Picklable: it goes to the executors."""

    #: For all rows; None: the column `topic` says it.
    topic: str | None
    is_exactly_once: bool
    client: dict[str, Any]
    admin: dict[str, Any]
    #: Of a write in `foreachBatch`: a repeated batch is recognised by them.
    query_id: str | None
    batch_id: int | None


def write_options_of(given: GivenOptions, *, is_stream: bool) -> WriteOptions:
    """Raises InvalidConfig."""
    given.refuse((name for name in READ_OPTIONS if name != "includeHeaders"), "an option of reads")
    query_id, batch_id = given.text("queryId"), given.whole("batchId", at_least=0)
    if is_stream:
        given.refuse(("queryId", "batchId"), "a stream has its own; they are for writes in foreachBatch")
    elif (query_id is None) != (batch_id is None):
        raise InvalidConfig(["queryId and batchId belong together: set both, or none"])
    is_exactly_once = given.one_of("guarantee", (EXACTLY_ONCE, AT_LEAST_ONCE), EXACTLY_ONCE) == EXACTLY_ONCE
    defaults: dict[str, Any] = {"client_id": "ottla-spark"}
    if is_exactly_once:
        defaults["transaction_timeout_ms"] = _TRANSACTION_TIMEOUT_MS
    return WriteOptions(
        topic=given.text("topic"),
        is_exactly_once=is_exactly_once,
        client=given.client_config(ProducerOptions, **defaults),
        # The sink log is read and written with it.
        admin=given.admin_config(ConsumerOptions, ProducerOptions),
        query_id=query_id,
        batch_id=batch_id,
    )
