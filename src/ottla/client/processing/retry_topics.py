"""Retry topics and dead-letter topics of a ParallelConsumer: created at the start, written when records fail."""

import logging
from collections.abc import Mapping
from typing import Any, Final

from ottla.client.admin.admin import AsyncAdmin
from ottla.client.admin.topics import NewTopic
from ottla.client.consumer.record import ConsumerRecord
from ottla.client.errors import RequestRefused
from ottla.client.options import settings_for
from ottla.client.processing.retry_policy import RETRY_AT, RetryPolicy
from ottla.client.producer.producer import AsyncProducer
from ottla.config.admin_options import AdminOptions
from ottla.config.producer_options import ProducerOptions
from ottla.doors.world import World
from ottla.model.error_codes import ErrorCode

_log = logging.getLogger(__name__)
#: Settings of the consumer that mean something else to a producer.
_OF_THE_CONSUMER: Final = ("interceptor.classes",)


class RetryTopics:
    """Owned by a ParallelConsumer. Its producer and admin client have the consumer's settings, as far as they share."""

    def __init__(
        self,
        policy: RetryPolicy,
        topics: list[str],
        group: str,
        config: Mapping[str, Any] | None,
        options: Mapping[str, Any],
        world: World | None,
    ) -> None:
        self._policy = policy
        self._topics = topics
        self._group = group
        #: Of all retry topics, to be consumed with the others.
        self.names = [name for topic in topics for name in policy.retry_topics(topic, group)]
        producing = settings_for(ProducerOptions, config, options, without=_OF_THE_CONSUMER)
        self._producer = AsyncProducer(producing, world=world)
        self._admin_settings = settings_for(AdminOptions, config, options, without=_OF_THE_CONSUMER)
        self._world = world

    async def start(self) -> None:
        """Creates missing topics with as many partitions as the original has."""
        async with AsyncAdmin(self._admin_settings, world=self._world) as admin:
            for topic, description in (await admin.describe_topics(self._topics)).items():
                names = [*self._policy.retry_topics(topic, self._group), self._policy.dead_letters(topic, self._group)]
                for name in names:
                    await _create(admin, NewTopic(name, partitions=len(description.partitions)))
        await self._producer.start()

    async def close(self) -> None:
        await self._producer.close()

    async def store(self, record: ConsumerRecord, error: Exception, now_ms: int) -> None:
        """Returns when it is acknowledged. `record` has its key and value as bytes."""
        stored = self._policy.next_record(record, error, group=self._group, now_ms=now_ms)
        is_last = RETRY_AT not in dict(stored.headers)
        level = logging.WARNING if is_last else logging.INFO
        _log.log(
            level, "%s: offset %d failed, stored in %s: %r", record.topic_partition, record.offset, stored.topic, error
        )
        await self._producer.send(stored.topic, stored.value, stored.key, headers=stored.headers)


async def _create(admin: AsyncAdmin, topic: NewTopic) -> None:
    try:
        await admin.create_topics([topic])
    except RequestRefused as error:
        if error.code is not ErrorCode.TOPIC_ALREADY_EXISTS:
            raise
