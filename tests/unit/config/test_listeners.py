"""What a node listens on, and which starts are refused."""

import itertools

import pytest

from ottla.config.broker_options import BrokerOptions
from ottla.config.listeners import (
    Advertised,
    Listener,
    ListenerPlan,
    SecurityProtocol,
    Voter,
    is_loopback,
    plan_listeners,
)
from ottla.model.errors import InvalidConfig

PLAINTEXT = SecurityProtocol.PLAINTEXT


def plan(**settings: str) -> ListenerPlan:
    return plan_listeners(options(settings), hostname="node.example", supported=SecurityProtocol)


def options(settings: dict[str, str]) -> BrokerOptions:
    return BrokerOptions({name.replace("__", "."): text for name, text in settings.items()})


def problems(**settings: str) -> list[str]:
    with pytest.raises(InvalidConfig) as caught:
        plan(**settings)
    return caught.value.problems


def test_without_settings_a_node_listens_on_loopback() -> None:
    found = plan()

    assert found.listeners == (Listener("PLAINTEXT", PLAINTEXT, "localhost", 9092),)
    assert found.advertised == (Advertised("PLAINTEXT", "localhost", 9092),)
    assert found.inter_broker_listener == "PLAINTEXT"
    assert found.insecure == ()


def test_controller_listeners_are_kept_apart_and_not_advertised() -> None:
    found = plan(
        listeners="PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
        controller__quorum__voters="1@127.0.0.1:9093",
    )

    assert [listener.name for listener in found.listeners] == ["PLAINTEXT"]
    assert found.controller_listeners == (Listener("CONTROLLER", PLAINTEXT, "127.0.0.1", 9093),)
    assert [entry.name for entry in found.advertised] == ["PLAINTEXT"]
    assert found.voters == (Voter(1, "127.0.0.1", 9093),)


def test_a_controller_may_be_advertised_but_clients_are_not_told() -> None:
    """As in the sample file of Apache Kafka 4."""
    found = plan(
        listeners="PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
        advertised__listeners="PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
    )

    assert found.advertised == (Advertised("PLAINTEXT", "localhost", 9092),)


def test_names_of_listeners_are_mapped_to_protocols() -> None:
    found = plan(
        listeners="IN://127.0.0.1:1,OUT://127.0.0.1:2",
        listener__security__protocol__map="IN:PLAINTEXT,OUT:SASL_SSL",
        inter__broker__listener__name="IN",
    )

    assert [listener.protocol for listener in found.listeners] == [PLAINTEXT, SecurityProtocol.SASL_SSL]
    assert found.sasl_mechanisms == ("SCRAM-SHA-256", "SCRAM-SHA-512")


def test_ipv6_addresses_stand_in_brackets() -> None:
    found = plan(listeners="PLAINTEXT://[::1]:9092")

    assert found.listeners[0].host == "::1"
    assert str(found.listeners[0]) == "PLAINTEXT://[::1]:9092"


def test_a_listener_on_all_addresses_advertises_the_machines_name() -> None:
    found = plan(listeners="PLAINTEXT://:9092", allow__insecure__listener="true")

    assert found.advertised == (Advertised("PLAINTEXT", "node.example", 9092),)
    assert found.insecure == ("PLAINTEXT",)


def test_advertised_listeners_are_what_clients_are_told() -> None:
    found = plan(listeners="PLAINTEXT://127.0.0.1:0", advertised__listeners="PLAINTEXT://kafka.example:9094")

    assert found.advertised_for("PLAINTEXT") == Advertised("PLAINTEXT", "kafka.example", 9094)
    assert found.advertised_for("OTHER") is None


ADDRESSES = {"loopback": "127.0.0.1", "wildcard": "", "public": "192.0.2.7"}
# Protocol, login, and what else has to be set for it.
WAYS = {
    ("PLAINTEXT", "no login"): ("PLAINTEXT", {}),
    ("PLAINTEXT", "SCRAM"): ("SASL_PLAINTEXT", {}),
    ("TLS", "no login"): ("SSL", {}),
    ("TLS", "SCRAM"): ("SASL_SSL", {}),
    ("TLS", "mTLS"): ("SSL", {"ssl__client__auth": "required"}),
}
SAFE = [("TLS", "SCRAM"), ("TLS", "mTLS")]


@pytest.mark.parametrize(("address", "way", "flag"), list(itertools.product(ADDRESSES, WAYS, [False, True])))
def test_an_open_listener_needs_tls_and_login_or_the_flag(address: str, way: tuple[str, str], flag: bool) -> None:
    protocol, more = WAYS[way]
    settings = {
        "listeners": f"{protocol}://{ADDRESSES[address]}:9092",
        "allow__insecure__listener": str(flag).lower(),
        **more,
    }

    if address == "loopback" or way in SAFE or flag:
        found = plan(**settings)
        assert bool(found.insecure) == (address != "loopback" and way not in SAFE)
    else:
        (problem,) = problems(**settings)
        assert "can be reached by other machines without" in problem
        assert "--insecure" in problem


def test_the_login_of_a_single_listener_counts() -> None:
    found = plan(listeners="SSL://192.0.2.7:9092", listener__name__ssl__ssl__client__auth="required")

    assert found.insecure == ()


@pytest.mark.parametrize(
    ("settings", "fragment"),
    [
        ({"listeners": "PLAINTEXT:/127.0.0.1:9092"}, "not of the form NAME://host:port"),
        ({"listeners": "PLAINTEXT://127.0.0.1:99999"}, "not of the form NAME://host:port"),
        ({"listeners": "PLAINTEXT://127.0.0.1"}, "not of the form NAME://host:port"),
        ({"listeners": "FOO://127.0.0.1:1"}, "no security protocol for FOO"),
        ({"listeners": "PLAINTEXT://127.0.0.1:1,PLAINTEXT://127.0.0.1:2"}, "is listed twice"),
        ({"listeners": "PLAINTEXT://127.0.0.1:1,SSL://127.0.0.1:1"}, "have the same port 1"),
        ({"listeners": "CONTROLLER://127.0.0.1:1"}, "at least one listener for clients"),
        ({"listeners": "PLAINTEXT://0.0.0.0:1", "allow__insecure__listener": "true"}, "cannot be advertised"),
        ({"advertised__listeners": "PLAINTEXT://0.0.0.0:9092"}, "no address that clients can connect to"),
        ({"advertised__listeners": "SSL://kafka.example:9092"}, "there is no listener SSL"),
        (
            {
                "listeners": "PLAINTEXT://127.0.0.1:9092,CONTROLLER://127.0.0.1:9093",
                "advertised__listeners": "CONTROLLER://localhost:9093",
            },
            "advertised.listeners: none of them is for clients",
        ),
        ({"inter__broker__listener__name": "NONE"}, "there is no listener NONE for clients"),
        (
            {"inter__broker__listener__name": "PLAINTEXT", "security__inter__broker__protocol": "PLAINTEXT"},
            "only one of inter.broker.listener.name",
        ),
        ({"listener__security__protocol__map": "PLAINTEXT:PLAINTEXT,X:Y"}, "'X:Y' is not of the form NAME:PROTOCOL"),
        ({"controller__quorum__voters": "1@a:1,2@b:1,3@c:1"}, "names 3 controllers; Ottla runs as a single node"),
        ({"controller__quorum__voters": "2@a:1"}, "names node 2, but node.id is 1"),
        ({"controller__quorum__voters": "a:1"}, "not of the form id@host:port"),
        ({"controller__quorum__voters": "1@a:1,1@b:1"}, "a node id is listed twice"),
        ({"controller__quorum__bootstrap__servers": "a:1,b:1"}, "names several controllers"),
        ({"process__roles": "broker"}, "process.roles lacks controller"),
        ({"ottla__lgo__level": "x"}, "did you mean ottla.log.level?"),
    ],
)
def test_a_start_that_cannot_work_is_refused(settings: dict[str, str], fragment: str) -> None:
    assert any(fragment in problem for problem in problems(**settings))


def test_all_problems_come_in_one_list() -> None:
    found = problems(listeners="PLAINTEXT://:9092,FOO://a:1", process__roles="controller", ottla__x="1")

    assert len(found) == 4


def test_a_protocol_the_broker_cannot_speak_is_refused_at_once() -> None:
    with pytest.raises(InvalidConfig, match=r"listeners: SSL://127.0.0.1:9092 needs SSL, which is not supported yet"):
        plan_listeners(options({"listeners": "SSL://127.0.0.1:9092"}))


def test_ipv4_and_ipv6_may_share_a_port() -> None:
    assert len(plan(listeners="PLAINTEXT://127.0.0.1:1,SSL://[::1]:1").listeners) == 2


@pytest.mark.parametrize(
    ("host", "expected"),
    [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("", False), ("0.0.0.0", False),
     ("127.0.0.1.example", False), ("localhost.example", False), ("10.0.0.1", False), ("::", False)],
)  # fmt: skip
def test_only_addresses_of_the_machine_itself_are_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected
