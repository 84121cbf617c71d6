"""Settings of clients: three ways to name them, and refusals that say what to do."""

from typing import Any

import pytest

from ottla.client.options import ALIASES, UNSUPPORTED, read_options
from ottla.client.security import credentials
from ottla.config.admin_options import AdminOptions
from ottla.config.consumer_options import ConsumerOptions
from ottla.config.producer_options import ProducerOptions
from ottla.model.errors import InvalidConfig

SERVERS = {"bootstrap.servers": "127.0.0.1:9092"}


def producer(**keywords: Any) -> ProducerOptions:
    return read_options(ProducerOptions, SERVERS, keywords)[0]


def test_python_names_java_names_and_librdkafka_names_mean_the_same() -> None:
    assert producer(linger_ms=7) == producer(**{"linger.ms": "7"}) == producer(**{"queue.buffering.max.ms": 7})


def test_values_may_be_numbers_booleans_and_lists() -> None:
    options = read_options(
        ProducerOptions, {"bootstrap.servers": ["a:1", "b:2"]}, {"enable_idempotence": False, "linger_ms": 3.0}
    )[0]

    assert options.bootstrap_servers == ("a:1", "b:2")
    assert options.enable_idempotence is False
    assert options.linger_ms == 3


def test_kilobytes_of_librdkafka_become_bytes() -> None:
    assert producer(**{"queue.buffering.max.kbytes": 64}).buffer_memory == 65536


def test_words_of_librdkafka_are_understood() -> None:
    assert read_options(ConsumerOptions, SERVERS, {"auto_offset_reset": "smallest"})[0].auto_offset_reset == "earliest"


def test_objects_are_kept_apart() -> None:
    options, objects = read_options(
        ProducerOptions,
        SERVERS,
        {"value_serializer": str.encode, "key_serializer": "str"},
        objects=["value.serializer"],
    )

    assert objects == {"value.serializer": str.encode}
    assert options.key_serializer == "str"


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"linger_milis": 3}, r"unknown configuration linger_milis; did you mean linger.ms\?"),
        ({"linger_ms": "soon"}, "linger.ms: Not a number"),
        ({"linger_ms": -1}, "Value must be at least 0"),
        ({"linger_ms": object()}, "a object cannot be a long"),
        ({"linger_ms": 1, "queue.buffering.max.ms": 2}, "linger.ms was already given as linger_ms"),
        ({"sasl_oauthbearer_scope": "x"}, "not supported; OAUTHBEARER is not supported yet; use SCRAM-SHA-512"),
        ({"enable_ssl_certificate_verification": False}, "certificates are always checked"),
        ({"ssl_keystore_type": "JKS"}, "only PEM is supported; convert it"),
        ({"security_protocol": "SASL_SSL"}, "sasl.mechanism=GSSAPI: not supported"),
        ({"security_protocol": "SASL_SSL", "sasl_mechanism": "PLAIN"}, "needs sasl.username and sasl.password"),
        ({"transactional_id": "t", "acks": "1"}, "acks=1: an idempotent producer needs acks=all"),
        ({"enable_idempotence": True, "retries": 0}, "retries=0"),
        ({"transactional_id": "t", "enable_idempotence": False}, "a transactional.id needs idempotence"),
        ({"delivery_timeout_ms": 100}, "must be at least linger.ms \\+ request.timeout.ms, which is 30005"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_do(keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidConfig, match=message):
        producer(**keywords)


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(InvalidConfig) as caught:
        producer(linger_ms="soon", no_such_thing=1, batch_size=-1)

    assert len(caught.value.problems) == 3


@pytest.mark.parametrize("servers", ["", "host", "host:", ":9092", "host:99999", "host:port"])
def test_servers_must_be_host_and_port(servers: str) -> None:
    with pytest.raises(InvalidConfig, match=r"bootstrap\.servers"):
        read_options(AdminOptions, {"bootstrap.servers": servers}, {})


def test_secrets_are_not_shown() -> None:
    with pytest.raises(InvalidConfig) as caught:
        producer(sasl_password=object())

    assert "[hidden]" in str(caught.value)
    assert "hunter2" not in repr(producer(sasl_password="hunter2"))


def test_idempotence_is_given_up_where_other_settings_cannot_have_it() -> None:
    assert producer().is_idempotent
    assert not producer(acks=1).is_idempotent
    assert not producer(max_in_flight=6).is_idempotent


def test_java_credentials_are_read() -> None:
    jaas = 'org.apache.kafka.common.security.scram.ScramLoginModule required username="me" password="a \\"b\\"";'
    options = producer(security_protocol="SASL_SSL", sasl_mechanism="SCRAM-SHA-512", sasl_jaas_config=jaas)

    assert credentials(options) == ("me", 'a "b"')


def test_every_alias_leads_to_a_setting_and_no_refusal_hides_one() -> None:
    rows = {**ProducerOptions.rows, **ConsumerOptions.rows, **AdminOptions.rows}

    assert [name for name in ALIASES.values() if name not in rows] == []
    assert [name for name in UNSUPPORTED if name in rows] == []
