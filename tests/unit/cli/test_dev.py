"""`ottla dev`: what it prefers and what it shows."""

from pathlib import Path
from typing import NamedTuple

import pytest

from ottla.cli.dev import dev_sources, panel
from ottla.cli.main import main
from ottla.cli.settings import Sources, load
from ottla.cli.starting import addresses
from ottla.runtime.log_levels import parse_levels


class Endpoint(NamedTuple):
    name: str
    host: str
    port: int


class Info(NamedTuple):
    node_id: int
    endpoints: list[Endpoint]


def test_dev_is_loopback_only_and_does_not_wait_for_members(tmp_path: Path) -> None:
    start = load(dev_sources(0, tmp_path, (), ()), {})

    assert [listener.host for listener in start.plan.listeners] == ["localhost"]
    assert start.options.log_directories == (str(tmp_path),)
    assert start.options.group_initial_rebalance_delay_ms == 0
    assert start.options.group_consumer_assignment_interval_ms == 0
    assert start.options.ottla_disk_reserve_max_bytes == 0


def test_an_override_beats_what_dev_prefers(tmp_path: Path) -> None:
    start = load(dev_sources(0, tmp_path, ("group.initial.rebalance.delay.ms=5",), ()), {})

    assert start.options.group_initial_rebalance_delay_ms == 5


def test_the_port_of_a_flag_beats_the_environment(tmp_path: Path) -> None:
    environment = {"KAFKA_LISTENERS": "PLAINTEXT://127.0.0.1:9095", "KAFKA_LOG_DIRS": str(tmp_path / "theirs")}

    by_flag = load(
        dev_sources(0, tmp_path, (), (), by_flag={"listeners": "--port", "log.dirs": "--memory"}), environment
    )
    by_default = load(dev_sources(0, tmp_path, (), ()), environment)

    assert [listener.port for listener in by_flag.plan.listeners] == [0]
    assert by_flag.options.log_directories == (str(tmp_path),)
    assert [listener.port for listener in by_default.plan.listeners] == [9095]
    assert by_default.options.log_directories == (str(tmp_path / "theirs"),)


def _starts(monkeypatch: pytest.MonkeyPatch) -> list[Sources]:
    """What `ottla dev` would have run, with its logging left alone."""
    seen: list[Sources] = []

    def note(sources: Sources, *_: object, **__: object) -> int:
        seen.append(sources)
        return 0

    monkeypatch.setattr("ottla.cli.dev.run", note)
    monkeypatch.setattr("ottla.cli.dev.prepare_logging", lambda *_: None)
    return seen


def test_data_that_is_to_be_thrown_away_does_not_go_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = _starts(monkeypatch)

    assert main(["dev", "--memory", "--port", "0"]) == 0
    assert main(["dev"]) == 0

    kept = str(tmp_path)
    first, second = (
        load(sources, {"KAFKA_LOG_DIRS": kept, "KAFKA_LISTENERS": "PLAINTEXT://[::1]:0"}) for sources in seen
    )
    assert first.options.log_directories != (kept,)
    assert first.plan.listeners[0].host == "localhost"
    assert second.options.log_directories == (kept,)
    assert second.plan.listeners[0].host == "::1"


def test_a_level_for_one_logger_leaves_the_others_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = _starts(monkeypatch)

    assert main(["dev", "--memory", "--log-level", "ottla.log=debug"]) == 0
    assert main(["dev", "--memory"]) == 0

    assert parse_levels(seen[0].log_levels) == {"root": "WARN", "ottla.log": "DEBUG"}
    assert parse_levels(seen[1].log_levels) == {"root": "WARN"}


def test_the_panel_names_every_listener_and_says_which_is_open(tmp_path: Path) -> None:
    overrides = (
        "listeners=PLAINTEXT://127.0.0.1:0,OPEN://0.0.0.0:0",
        "advertised.listeners=PLAINTEXT://127.0.0.1:0,OPEN://broker.example:0",
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,OPEN:PLAINTEXT",
        "allow.insecure.listener=true",
    )
    start = load(dev_sources(0, tmp_path, overrides, ()), {})
    info = Info(1, [Endpoint("PLAINTEXT", "127.0.0.1", 9095), Endpoint("OPEN", "broker.example", 9096)])

    first, second = (line for line in panel(info, start, 0.25).splitlines() if ":909" in line)  # type: ignore[arg-type]

    assert first.endswith("PLAINTEXT, no auth, loopback only")
    assert "broker.example:9096" in second
    assert second.endswith("OPEN, no auth, OPEN TO OTHER MACHINES")


def test_the_panel_says_where_to_connect_and_where_the_data_is(tmp_path: Path) -> None:
    start = load(dev_sources(0, tmp_path, (), ()), {})

    text = panel(Info(1, [Endpoint("PLAINTEXT", "127.0.0.1", 9095)]), start, 0.25)  # type: ignore[arg-type]

    assert "localhost:9095" in text
    assert str(tmp_path) in text
    assert "ready in 0.25 s" in text


def test_addresses_of_ipv6_stand_in_brackets() -> None:
    info = Info(1, [Endpoint("PLAINTEXT", "::1", 9092), Endpoint("SSL", "kafka.example", 9093)])

    assert addresses(info) == ["PLAINTEXT://[::1]:9092", "SSL://kafka.example:9093"]  # type: ignore[arg-type]
