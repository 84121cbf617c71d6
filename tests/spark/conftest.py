"""One session and one broker for all tests of Spark; skipped with a clear line where Java cannot be had."""

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from ottla.client import Admin, NewTopic, Producer
from tests.support.broker_process import BrokerProcess

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'ottla[spark]'")

#: Spark starts a dozen Python processes: on a busy machine that takes its time.
TIMEOUT_S = 300


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "tests/spark" in str(item.path):
            item.add_marker(pytest.mark.timeout(TIMEOUT_S))


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrokerProcess]:
    process = BrokerProcess(tmp_path_factory.mktemp("node")).start()
    yield process
    process.stop()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    import ottla.spark

    conf: dict[str, Any] = {
        "spark.ui.enabled": False,
        "spark.sql.shuffle.partitions": 2,
        "spark.driver.memory": "1g",
    }
    try:
        session = ottla.spark.session("local[2,4]", **conf)
    except ottla.spark.JavaNotFound as error:
        pytest.skip(str(error))
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture(scope="session")
def admin(broker: BrokerProcess) -> Iterator[Admin]:
    with Admin(bootstrap_servers=broker.address) as client:
        yield client


@pytest.fixture(scope="session")
def producer(broker: BrokerProcess) -> Iterator[Producer]:
    with Producer(bootstrap_servers=broker.address) as client:
        yield client


@pytest.fixture
def new_topic(admin: Admin) -> Callable[..., str]:
    def create(partitions: int = 3, **configs: str) -> str:
        name = f"t{uuid.uuid4().hex[:8]}"
        settings = {key.replace("_", "."): value for key, value in configs.items()}
        admin.create_topics([NewTopic(name, partitions=partitions, configs=settings)])
        return name

    return create


@pytest.fixture
def fill(producer: Producer) -> Callable[..., None]:
    """Numbers as values; each goes to the partition that is its remainder."""

    def send(topic: str, count: int, *, first: int = 0, partitions: int = 3, **more: Any) -> None:
        for number in range(first, first + count):
            producer.send(topic, b"%d" % number, key=b"k%d" % (number % 7), partition=number % partitions, **more)
        producer.flush()

    return send


@pytest.fixture
def read(spark: Any, broker: BrokerProcess) -> Callable[..., Any]:
    """A batch read; options with underscores for dots."""

    def load(topic: str | None = None, schema: str | None = None, **options: Any) -> Any:
        reader = spark.read.format("ottla").option("kafka.bootstrap.servers", broker.address)
        if topic is not None:
            reader = reader.option("subscribe", topic)
        for name, value in options.items():
            reader = reader.option(name.replace("_", "."), value)
        return (reader.schema(schema) if schema else reader).load()

    return load


def numbers(frame: Any) -> list[int]:
    return sorted(int(row.value) for row in frame.select("value").collect())
