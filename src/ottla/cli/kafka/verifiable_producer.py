"""`ottla verifiable-producer` (kafka-verifiable-producer.sh): rising numbers, an event for each."""

import asyncio
import signal
import time
from contextlib import suppress
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

import click

from ottla.cli.console.events import print_event
from ottla.cli.old_flags import BROKER_LIST, renamed
from ottla.cli.run import Run
from ottla.cli.tool import kafka_tool
from ottla.client.errors import ClientError

if TYPE_CHECKING:
    from ottla.client import AsyncProducer, Delivery

_TURN_RECORDS = 64


class Plan(NamedTuple):
    topic: str
    max_messages: int
    throughput: float
    create_time_ms: int
    value_prefix: int | None
    repeating_keys: int | None


@kafka_tool("verifiable-producer", old=(*BROKER_LIST, renamed("--producer.config", "--command-config")))
@click.option("--topic", required=True, metavar="TOPIC", help="Where the records go.")
@click.option("--max-messages", type=int, default=-1, metavar="COUNT", help="Stop after so many; -1: never.")
@click.option("--throughput", type=float, default=-1, metavar="N", help="Records a second; -1: no limit.")
@click.option("--acks", type=click.Choice(["0", "1", "-1", "all"]), default="-1", help="Which acknowledgement.")
@click.option("--message-create-time", type=int, default=-1, metavar="MS", help="Timestamp of the first record.")
@click.option("--value-prefix", type=int, metavar="N", help="Values are N.0, N.1, …")
@click.option("--repeating-keys", type=int, metavar="COUNT", help="Keys 0 to COUNT - 1, again and again.")
def verifiable_producer(
    run: Run,
    topic: str,
    max_messages: int,
    throughput: float,
    acks: str,
    message_create_time: int,
    value_prefix: int | None,
    repeating_keys: int | None,
) -> int:
    """Send rising numbers and print an event for each (kafka-verifiable-producer.sh)."""
    run.require_reachable()
    from ottla.config.producer_options import ProducerOptions

    settings = run.settings(ProducerOptions, acks=acks, retries=0 if acks == "0" else 2**31 - 1)
    plan = Plan(topic, max_messages, throughput, message_create_time, value_prefix, repeating_keys)
    asyncio.run(_Sending(plan).run(settings))
    return 0


class _Sending:
    """One run; ends early, in order, at SIGTERM and Ctrl-C."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._sent = 0
        self._acked = 0
        self._undecided = 0
        self._all_decided = asyncio.Event()
        self._all_decided.set()
        self._is_stopped = False

    async def run(self, settings: dict[str, object]) -> None:
        from ottla.client import AsyncProducer

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._stop)
        began = time.perf_counter()
        async with AsyncProducer(settings) as producer:
            print_event("startup_complete")
            await self._send_all(producer, began)
            with suppress(ClientError):  # each failure has its event
                await producer.flush()
            await self._all_decided.wait()
        print_event("shutdown_complete")
        seconds = max(time.perf_counter() - began, 1e-9)
        target = int(self._plan.throughput) if self._plan.throughput >= 0 else -1
        print_event(
            "tool_data",
            sent=self._sent,
            acked=self._acked,
            target_throughput=target,
            avg_throughput=self._acked / seconds,
        )

    def _stop(self) -> None:
        self._is_stopped = True

    async def _send_all(self, producer: "AsyncProducer", began: float) -> None:
        for number in count():
            if self._is_stopped or number == self._plan.max_messages:
                return
            self._send(producer, number, began)
            if number % _TURN_RECORDS == 0:
                await producer.ready()
            if self._plan.throughput > 0:
                early = began + (number + 1) / self._plan.throughput - time.perf_counter()
                await asyncio.sleep(max(0.0, early))

    def _send(self, producer: "AsyncProducer", number: int, began: float) -> None:
        plan = self._plan
        key = None if plan.repeating_keys is None else str(number % max(plan.repeating_keys, 1))
        value = str(number) if plan.value_prefix is None else f"{plan.value_prefix}.{number}"
        timestamp_ms = None
        if plan.create_time_ms >= 0:
            timestamp_ms = plan.create_time_ms + int((time.perf_counter() - began) * 1000)
        data = None if key is None else key.encode()
        self._sent += 1
        try:
            delivery = producer.send(plan.topic, value.encode(), data, timestamp_ms=timestamp_ms)
        except ClientError as error:
            self._failed(key, value, error)
            return
        self._undecided += 1
        self._all_decided.clear()
        delivery.add_done_callback(lambda done: self._decided(key, value, done))

    def _decided(self, key: str | None, value: str, delivery: "Delivery") -> None:
        error = delivery.error()
        if error is not None:
            self._failed(key, value, error)
        else:
            self._acked += 1
            topic, partition, offset, _ = delivery.result()
            print_event("producer_send_success", key=key, value=value, topic=topic, partition=partition, offset=offset)
        self._undecided -= 1
        if not self._undecided:
            self._all_decided.set()

    def _failed(self, key: str | None, value: str, error: Exception) -> None:
        kind = f"class {type(error).__module__}.{type(error).__name__}"
        print_event(
            "producer_send_error", key=key, value=value, topic=self._plan.topic, exception=kind, message=str(error)
        )
