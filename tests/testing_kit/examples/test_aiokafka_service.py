"""A service on aiokafka: it counts the words of texts. The tests are coroutines, run by `asyncio.run`."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.errors import TopicAuthorizationFailedError

pytestmark = pytest.mark.kafka(topics=["texts", "counts"])
TIMEOUT_S = 20


class WordCount:
    """The code under test. Counts go on where they have stopped: each is a record with the word as its key."""

    def __init__(self, bootstrap: str) -> None:
        self._bootstrap = bootstrap
        self.counts: Counter[str] = Counter()

    async def run(self, text_count: int) -> None:
        consumer = AIOKafkaConsumer(
            "texts",
            bootstrap_servers=self._bootstrap,
            group_id="word-count",
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            retry_backoff_ms=10,
        )
        producer = AIOKafkaProducer(bootstrap_servers=self._bootstrap, enable_idempotence=True, retry_backoff_ms=10)
        async with consumer, producer, asyncio.timeout(TIMEOUT_S):
            for _ in range(text_count):
                await self._count((await consumer.getone()).value, producer)
                await consumer.commit()

    async def _count(self, text: bytes, producer: AIOKafkaProducer) -> None:
        words = text.decode().split()
        self.counts.update(words)
        for word in dict.fromkeys(words):
            await producer.send_and_wait("counts", json.dumps(self.counts[word]).encode(), key=word.encode())


def story(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[[Any], None]:
    """For projects without a plug-in for asyncio."""

    def run(akafka: Any) -> None:
        asyncio.run(test(akafka))

    run.__name__ = test.__name__
    return run


@story
async def test_words_are_counted(akafka: Any) -> None:
    await akafka.send("texts", "to be or not to be")

    await WordCount(akafka.bootstrap).run(1)

    assert {record.key.decode(): record.json() for record in await akafka.read("counts")} == {
        "to": 2,
        "be": 2,
        "or": 1,
        "not": 1,
    }


@story
async def test_counts_go_on_with_the_next_text(akafka: Any) -> None:
    for text in ("a b", "b"):
        await akafka.send("texts", text)

    await WordCount(akafka.bootstrap).run(2)

    assert [record.json() for record in await akafka.read("counts") if record.key == b"b"] == [1, 2]


@story
async def test_a_text_that_comes_while_the_service_waits_is_counted(akafka: Any) -> None:
    service = asyncio.create_task(WordCount(akafka.bootstrap).run(1))
    await akafka.wait_for_group("word-count", members=1)

    await akafka.send("texts", "late")

    await service
    await akafka.assert_received("counts", 1, key="late")


@story
async def test_a_text_is_committed_when_it_has_been_counted(akafka: Any) -> None:
    await akafka.send("texts", "one")
    await akafka.send("texts", "two")

    await WordCount(akafka.bootstrap).run(1)

    assert await akafka.lag("word-count") == 1


@story
async def test_counts_are_written_once_when_an_ack_is_lost(akafka: Any) -> None:
    await akafka.send("texts", "word")

    with akafka.drop_connections("Produce", times=1, after_handling=True) as fault:
        await WordCount(akafka.bootstrap).run(1)

    assert fault.hits == 1
    assert len(await akafka.read("counts")) == 1


@story
async def test_a_missing_right_ends_the_service_and_commits_nothing(akafka: Any) -> None:
    await akafka.send("texts", "secret")

    with (
        akafka.fail("Produce", error="TOPIC_AUTHORIZATION_FAILED"),
        pytest.raises(TopicAuthorizationFailedError),
    ):
        await WordCount(akafka.bootstrap).run(1)

    assert await akafka.lag("word-count", "texts") == 1


@story
async def test_the_service_works_with_kafka_2_8(akafka: Any) -> None:
    akafka.max_version("2.8")
    await akafka.send("texts", "old")

    await WordCount(akafka.bootstrap).run(1)

    await akafka.assert_received("counts", 1, key="old")
