"""`ottla dev`: what it prefers and what it shows."""

from pathlib import Path
from typing import NamedTuple

from ottla.cli.dev import dev_sources, panel
from ottla.cli.settings import load
from ottla.cli.starting import addresses


class Endpoint(NamedTuple):
    name: str
    host: str
    port: int


class Info(NamedTuple):
    node_id: int
    endpoints: list[Endpoint]


def test_dev_is_loopback_only_and_does_not_wait_for_members(tmp_path: Path) -> None:
    start = load(dev_sources(0, tmp_path, (), ()), {})

    assert [listener.host for listener in start.plan.listeners] == ["127.0.0.1"]
    assert start.options.log_directories == (str(tmp_path),)
    assert start.options.group_initial_rebalance_delay_ms == 0


def test_an_override_beats_what_dev_prefers(tmp_path: Path) -> None:
    start = load(dev_sources(0, tmp_path, ("group.initial.rebalance.delay.ms=5",), ()), {})

    assert start.options.group_initial_rebalance_delay_ms == 5


def test_the_panel_says_where_to_connect_and_where_the_data_is(tmp_path: Path) -> None:
    start = load(dev_sources(0, tmp_path, (), ()), {})

    text = panel(Info(1, [Endpoint("PLAINTEXT", "127.0.0.1", 9095)]), start, 0.25)  # type: ignore[arg-type]

    assert "localhost:9095" in text
    assert str(tmp_path) in text
    assert "ready in 0.25 s" in text


def test_addresses_of_ipv6_stand_in_brackets() -> None:
    info = Info(1, [Endpoint("PLAINTEXT", "::1", 9092), Endpoint("SSL", "kafka.example", 9093)])

    assert addresses(info) == ["PLAINTEXT://[::1]:9092", "SSL://kafka.example:9093"]  # type: ignore[arg-type]
