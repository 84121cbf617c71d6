"""`ottla demo`: sample topics with live traffic and one slow group, to look at with everything else."""

import asyncio
import hashlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ottla.cli.failures import Failure, usage
from ottla.cli.run import Run
from ottla.cli.tool import verb

if TYPE_CHECKING:
    from ottla.client import Admin, AsyncProducer

ORDERS, PAYMENTS, SHIPMENTS = "demo.orders", "demo.payments", "demo.shipments"
TOPICS: dict[str, dict[str, str]] = {ORDERS: {}, PAYMENTS: {}, SHIPMENTS: {"cleanup.policy": "compact"}}
FAST_GROUP, SLOW_GROUP = "demo-billing", "demo-slow-reports"
_PARTITIONS = 3
_DISHES = ("svíčková", "guláš", "knedlíky", "palačinky", "bramboráky")
_CITIES = ("Praha", "Brno", "Ostrava", "Plzeň")
#: Of so many orders one is cancelled (a tombstone), of so many one is broken JSON.
_CANCELLED_EVERY, _BROKEN_EVERY = 50, 97
_SLOW_PAUSE_S = 1.0
_STOP_TIMEOUT_S, _STOP_CHECK_S = 30, 0.05


@verb("demo")
@click.argument("sample", default="orders")
@click.option("--rate", type=click.FloatRange(0.1, 10_000), default=20, show_default=True, help="Orders a second.")
@click.option("--duration", type=float, metavar="SECONDS", help="Stop after so long; at Ctrl-C unless given.")
@click.option("--stop", "stops", is_flag=True, help="Stop a demo that runs elsewhere on this machine.")
@click.option("--clean", is_flag=True, help="Delete the topics and groups of the demo.")
@click.option("--yes", is_flag=True, help="Do not ask on a cluster that has other topics.")
def demo(run: Run, sample: str, rate: float, duration: float | None, stops: bool, clean: bool, yes: bool) -> int:
    """Create sample topics and send live traffic until Ctrl-C: orders, payments, shipments.

    One group reads along, another is too slow on purpose. A few records are tombstones, a few are broken.
    """
    if sample != "orders":
        raise usage(f"there is no sample {sample!r}", "known: orders")
    pid_file = _pid_file(run.connection.servers)
    if stops or clean:
        if stops:
            _stop(pid_file, run)
        if clean:
            _clean(run)
        return 0
    with run.admin() as admin:
        _check_cluster(run, admin, yes=yes)
        _create(admin)
    pid_file.write_text(str(os.getpid()))
    run.note(f"topics {', '.join(TOPICS)}; groups {FAST_GROUP}, {SLOW_GROUP}; Ctrl-C stops")
    try:
        sent = asyncio.run(_Traffic(run, rate).run(duration))
    finally:
        pid_file.unlink(missing_ok=True)
    run.note(f"{sent} orders sent; ottla demo --clean deletes the topics")
    return 0


def _pid_file(servers: str) -> Path:
    digest = hashlib.sha256(servers.encode()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"ottla-demo-{os.getuid()}-{digest}.pid"


def _stop(pid_file: Path, run: Run) -> None:
    try:
        pid = int(pid_file.read_text())
        if not _is_demo(pid):
            raise ProcessLookupError
        os.kill(pid, signal.SIGTERM)
    except (OSError, ValueError):
        raise Failure(f"no demo is running on {run.connection.servers}") from None
    deadline = time.monotonic() + _STOP_TIMEOUT_S
    # The demo removes the file when all is sent and its groups are left: --clean must not come before that.
    while pid_file.exists() and _is_demo(pid):
        if time.monotonic() > deadline:
            raise Failure(f"the demo, process {pid}, did not stop within {_STOP_TIMEOUT_S} s")
        time.sleep(_STOP_CHECK_S)
    run.note(f"stopped the demo, process {pid}")


def _is_demo(pid: int) -> bool:
    """The number in the file may belong to another process by now."""
    proc = Path("/proc")
    if not proc.exists():
        return True
    try:
        return b"\0demo" in (proc / str(pid) / "cmdline").read_bytes()
    except OSError:
        return False


def _check_cluster(run: Run, admin: "Admin", *, yes: bool) -> None:
    others = [listing.name for listing in admin.list_topics() if listing.name not in TOPICS]
    if others and not yes:
        shown = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
        run.confirm(f"this cluster has other topics ({shown}); add the demo", yes=False)


def _create(admin: "Admin") -> None:
    from ottla.client import NewTopic

    there = {listing.name for listing in admin.list_topics()}
    new = [NewTopic(name, _PARTITIONS, -1, configs=configs) for name, configs in TOPICS.items() if name not in there]
    if new:
        admin.create_topics(new)


def _clean(run: Run) -> None:
    from ottla.client.errors import ClientError

    with run.admin() as admin:
        there = [listing.name for listing in admin.list_topics() if listing.name in TOPICS]
        if there:
            admin.delete_topics(there)
        for group in (FAST_GROUP, SLOW_GROUP):
            with suppress(ClientError):
                admin.delete_groups([group])
    run.note(f"deleted {', '.join(there) or 'nothing'}")


class _Traffic:
    """Orders, their payments and shipments, and two groups that read them."""

    def __init__(self, run: Run, rate: float) -> None:
        self._run = run
        self._rate = rate
        self._rng = random.Random()
        self._stopped = asyncio.Event()
        self._sent = 0

    async def run(self, duration_s: float | None) -> int:
        from ottla.client import AsyncProducer
        from ottla.config.producer_options import ProducerOptions

        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, self._stopped.set)
        if duration_s is not None:
            asyncio.get_running_loop().call_later(duration_s, self._stopped.set)
        readers = [
            asyncio.ensure_future(self._read(FAST_GROUP, 0.0, None)),
            asyncio.ensure_future(self._read(SLOW_GROUP, _SLOW_PAUSE_S, 1)),
        ]
        settings = self._run.settings(ProducerOptions, client_id="ottla-demo", linger_ms=5)
        async with AsyncProducer(settings) as producer:
            await self._send_until_stopped(producer)
            await producer.flush()
        await asyncio.gather(*readers)
        return self._sent

    async def _send_until_stopped(self, producer: "AsyncProducer") -> None:
        began = time.monotonic()
        while not self._stopped.is_set():
            self._sent += 1
            self._send_order(producer, self._sent)
            self._show()
            due = began + self._sent / self._rate - time.monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, due)):
                    await self._stopped.wait()

    def _show(self) -> None:
        if sys.stderr.isatty() and not self._run.quiet:
            print(f"\r\x1b[K{self._sent:,} orders", end="", file=sys.stderr, flush=True)

    def _send_order(self, producer: "AsyncProducer", number: int) -> None:
        customer = f"customer-{self._rng.randrange(40)}"
        order = {
            "id": number,
            "customer": customer,
            "dish": self._rng.choice(_DISHES),
            "city": self._rng.choice(_CITIES),
            "total": round(self._rng.uniform(4, 40), 2),
        }
        value = _json(order)
        if number % _BROKEN_EVERY == 0:
            value = value[: len(value) // 2]
        producer.send(ORDERS, value, customer.encode(), headers={"source": b"ottla-demo"})
        producer.send(PAYMENTS, _json({"order": number, "paid": order["total"]}), customer.encode())
        state = None if number % _CANCELLED_EVERY == 0 else _json({"order": number, "state": "on its way"})
        producer.send(SHIPMENTS, state, customer.encode())

    async def _read(self, group: str, pause_s: float, max_records: int | None) -> None:
        from ottla.client import AsyncConsumer
        from ottla.config.consumer_options import ConsumerOptions

        settings = self._run.settings(ConsumerOptions, client_id=group, group_id=group, auto_offset_reset="earliest")
        async with AsyncConsumer({**settings, "group.id": group}) as consumer:
            consumer.subscribe([ORDERS])
            while not self._stopped.is_set():
                await consumer.poll(200, max_records=max_records)
                if pause_s:
                    with suppress(TimeoutError):
                        async with asyncio.timeout(pause_s):
                            await self._stopped.wait()


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()
