"""`format("ottla")` with Apache Kafka, over TLS and with a login: the options of jobs for Spark's Kafka source."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ottla.client import Admin, NewTopic
from tests.spark.conftest import numbers
from tests.support.secure_kafka import SecureKafka

JAAS = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="{}";'


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureKafka]:
    started = SecureKafka(tmp_path_factory.mktemp("secure"))
    with Admin(bootstrap_servers=started.process.address) as admin:
        admin.create_topics([NewTopic(name, partitions=2) for name in ("source", "target", "other")])
    yield started
    started.process.kill()


def with_login(interface: Any, kafka: SecureKafka, password: str = "a,b=c") -> Any:
    options = {
        "kafka.bootstrap.servers": kafka.sasl()["bootstrap_servers"],
        "kafka.security.protocol": "SASL_SSL",
        "kafka.sasl.mechanism": "SCRAM-SHA-512",
        "kafka.sasl.jaas.config": JAAS.format(password),
        "kafka.ssl.truststore.location": str(kafka.certificates.ca),
    }
    return interface.format("ottla").options(**options)


def test_rows_are_written_copied_and_read_exactly_once(spark: Any, kafka: SecureKafka, tmp_path: Path) -> None:
    rows = spark.range(0, 100, numPartitions=2).selectExpr("string(id) AS value")
    with_login(rows.write, kafka).option("topic", "source").mode("append").save()
    stream = with_login(spark.readStream, kafka).option("subscribe", "source").option("startingOffsets", "earliest")
    for limit in (60, 100):
        source = stream.option("maxOffsetsPerTrigger", limit).load().select("value")
        writer = with_login(source.writeStream, kafka).option("topic", "target").trigger(availableNow=True)
        writer.option("checkpointLocation", str(tmp_path / "c")).start().awaitTermination()

    assert numbers(with_login(spark.read, kafka).option("subscribe", "target").load()) == list(range(100))


def test_a_wrong_password_is_reported(spark: Any, kafka: SecureKafka) -> None:
    with pytest.raises(Exception, match=r"refused the .* login"):
        with_login(spark.read, kafka, password="wrong").option("subscribe", "other").load().count()
