"""What `make demo` shows: a broker of its own, an order stream through a real Kafka client, and what became of it.

Starts `ottla dev` on a free port with data that is thrown away, creates a topic, produces orders with idempotence and
compression, reads them back, and prints a table. Ends by itself and leaves nothing behind.
"""

import json
import random
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict

from confluent_kafka import OFFSET_BEGINNING, Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

ORDER_COUNT = 20_000
PARTITION_COUNT = 3
DISHES = ["svíčková", "guláš", "knedlíky", "palačinky", "bramboráky"]
CITIES = ["Praha", "Brno", "Ostrava", "Plzeň"]
BAR_WIDTH = 32
#: The client would report that the broker is gone when the demo ends.
QUIET = {"log_level": 0}


def start_broker() -> tuple[subprocess.Popen[str], str]:
    """A throw-away broker, and its address as read from its ready line."""
    command = [sys.executable, "-m", "ottla", "dev", "--memory", "--port", "0"]
    broker = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert broker.stdout is not None
    seen = []
    for line in broker.stdout:
        seen.append(line)
        found = re.search(r"(127\.0\.0\.1|localhost):(\d+)", line)
        if found:
            return broker, f"127.0.0.1:{found[2]}"
    sys.exit("the broker did not start:\n" + "".join(seen))


def progress(label: str, done: int, total: int) -> None:
    if sys.stdout.isatty():
        filled = BAR_WIDTH * done // total
        print(f"\r  {label:8} {'█' * filled}{'░' * (BAR_WIDTH - filled)} {done:>6}/{total}", end="", flush=True)
        if done == total:
            print()


def produce_orders(address: str) -> float:
    producer = Producer(
        {
            "bootstrap.servers": address,
            "enable.idempotence": True,
            "compression.type": "zstd",
            "linger.ms": 5,
            **QUIET,
        }
    )
    chance = random.Random(1)
    started = time.perf_counter()
    for number in range(ORDER_COUNT):
        city = chance.choice(CITIES)
        order = {"order": number, "city": city, "dish": chance.choice(DISHES), "crowns": chance.randint(120, 480)}
        producer.produce("orders", json.dumps(order).encode(), key=city.encode(), headers={"source": b"demo"})
        if number % 500 == 0:
            producer.poll(0)
            progress("produce", number, ORDER_COUNT)
    left = producer.flush(30)
    progress("produce", ORDER_COUNT, ORDER_COUNT)
    if left:
        sys.exit(f"{left} orders were not delivered")
    return time.perf_counter() - started


def consume_orders(address: str) -> tuple[float, list[tuple[int, dict[str, object]]]]:
    consumer = Consumer({"bootstrap.servers": address, "group.id": "kitchen", "enable.auto.commit": False, **QUIET})
    consumer.assign([TopicPartition("orders", index, OFFSET_BEGINNING) for index in range(PARTITION_COUNT)])
    orders: list[tuple[int, dict[str, object]]] = []
    started = time.perf_counter()
    while len(orders) < ORDER_COUNT:
        for message in consumer.consume(2000, 5.0):
            if message.error():
                sys.exit(f"could not read: {message.error()}")
            orders.append((message.partition(), json.loads(message.value())))
        progress("consume", len(orders), ORDER_COUNT)
    taken = time.perf_counter() - started
    consumer.close()
    return taken, orders


def show(orders: list[tuple[int, dict[str, object]]], produced_s: float, consumed_s: float) -> None:
    per_city: Counter[str] = Counter()
    crowns: defaultdict[str, int] = defaultdict(int)
    places: defaultdict[str, set[int]] = defaultdict(set)
    for partition, order in orders:
        city = str(order["city"])
        per_city[city] += 1
        crowns[city] += int(str(order["crowns"]))
        places[city].add(partition)
    print(f"\n  {'city':10} {'orders':>8} {'crowns':>12}  {'partition':>9}")
    for city, count in per_city.most_common():
        where = ",".join(map(str, sorted(places[city])))
        print(f"  {city:10} {count:>8} {crowns[city]:>12}  {where:>9}  {'▇' * (count * 30 // max(per_city.values()))}")
    print(
        f"\n  {ORDER_COUNT} orders in {produced_s:.2f} s ({ORDER_COUNT / produced_s:,.0f}/s), "
        f"read back in {consumed_s:.2f} s ({ORDER_COUNT / consumed_s:,.0f}/s); every key stayed in its partition\n"
    )


def main() -> None:
    began = time.perf_counter()
    broker, address = start_broker()
    print(f"  ottla serves on {address}, started in {time.perf_counter() - began:.2f} s")
    try:
        admin = AdminClient({"bootstrap.servers": address, **QUIET})
        for future in admin.create_topics([NewTopic("orders", PARTITION_COUNT, 1)]).values():
            future.result(10)
        produced_s = produce_orders(address)
        consumed_s, orders = consume_orders(address)
        show(orders, produced_s, consumed_s)
    finally:
        broker.terminate()
        broker.wait(10)


if __name__ == "__main__":
    main()
