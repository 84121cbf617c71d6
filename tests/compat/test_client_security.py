"""TLS and SASL of our client against Apache Kafka, with certificates made by openssl."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from ottla.client import Admin, AsyncProducer, Producer
from ottla.client.errors import AuthenticationFailed, ClientError
from ottla.model.errors import InvalidConfig
from tests.support.secure_kafka import SecureKafka

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureKafka]:
    started = SecureKafka(tmp_path_factory.mktemp("secure"))
    yield started
    started.process.kill()


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_a_user_logs_in_over_tls(kafka: SecureKafka, mechanism: str) -> None:
    with Producer(**kafka.sasl(sasl_mechanism=mechanism)) as producer:
        assert producer.send("orders", bytes(100_000)).result().offset >= 0


def test_credentials_as_java_writes_them(kafka: SecureKafka) -> None:
    jaas = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="a,b=c";'

    with Admin(**kafka.sasl(sasl_username=None, sasl_password=None, sasl_jaas_config=jaas)) as admin:
        assert admin.describe_cluster().nodes


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_a_wrong_password_fails_at_once_and_says_so(kafka: SecureKafka, mechanism: str) -> None:
    with (
        Admin(**kafka.sasl(sasl_mechanism=mechanism, sasl_password="wrong")) as admin,
        pytest.raises(AuthenticationFailed, match=r"refused the .* login.*check sasl.mechanism"),
    ):
        admin.describe_cluster()


def test_records_of_a_user_who_may_not_log_in_fail(kafka: SecureKafka) -> None:
    with Producer(**kafka.sasl(sasl_password="wrong"), max_block_ms=3000) as producer, pytest.raises(ClientError):
        producer.send("orders", b"x").result()


def test_a_session_is_renewed_on_the_same_connection(kafka: SecureKafka) -> None:
    async def story() -> None:
        async with AsyncProducer(**kafka.sasl(), linger_ms=0) as producer:
            await producer.send("orders", b"first")
            nodes = producer._lifetime.cluster.nodes
            channel = nodes.ready(1)
            assert channel is not None
            renewals: set[asyncio.Task[None]] = set()
            async with asyncio.timeout(60):
                while len(renewals) < 3:
                    await producer.send("orders", b"more")
                    assert nodes.ready(1) is channel
                    if channel._renewal is not None and channel._renewal.done():
                        renewals.add(channel._renewal)

    asyncio.run(story())


def test_a_certificate_of_the_client_is_accepted(kafka: SecureKafka) -> None:
    with Producer(**kafka.tls()) as producer:
        assert producer.send("orders", b"x").result().offset >= 0


def test_certificates_may_be_texts(kafka: SecureKafka) -> None:
    key, _, certificate = kafka.client.read_text().partition("-----BEGIN CERTIFICATE-----")
    texts = {
        "ssl_truststore_location": None,
        "ssl_keystore_location": None,
        "ssl_ca_pem": kafka.certificates.ca.read_text(),
        "ssl_keystore_key": key,
        "ssl_keystore_certificate_chain": "-----BEGIN CERTIFICATE-----" + certificate,
    }
    with Admin(**kafka.tls(**texts)) as admin:
        assert admin.describe_cluster().nodes


def test_a_client_without_a_certificate_is_refused(kafka: SecureKafka) -> None:
    with Admin(**kafka.tls(ssl_keystore_location=None)) as admin, pytest.raises(ClientError):
        admin.describe_cluster(timeout_ms=3000)


def test_a_broker_of_another_ca_is_refused(kafka: SecureKafka) -> None:
    with (
        Admin(**kafka.tls(ssl_truststore_location=str(kafka.other_ca))) as admin,
        pytest.raises(AuthenticationFailed, match=r"certificate verify failed.*check ssl.truststore.location"),
    ):
        admin.describe_cluster()


def test_a_java_keystore_is_refused_with_what_to_do(kafka: SecureKafka, tmp_path: Path) -> None:
    store = tmp_path / "truststore.jks"
    store.write_bytes(b"\xfe\xed\xfe\xed not PEM")

    with (
        pytest.raises(InvalidConfig, match=r"must be PEM. Convert a Java keystore"),
        Admin(**kafka.tls(ssl_truststore_location=str(store))),
    ):
        pass
