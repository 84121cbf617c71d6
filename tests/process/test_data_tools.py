"""The tools that move records, against a broker in this process: Kafka's lines, right exit codes."""

import io
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from ottla.cli.main import main
from ottla.testing import Broker

UNREACHABLE = "127.0.0.1:1"


@pytest.fixture(scope="module")
def broker() -> Iterator[Broker]:
    with Broker() as running:
        yield running


def run(broker: Broker, *words: str) -> int:
    return main([words[0], "--bootstrap-server", broker.bootstrap, *words[1:]])


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """What stdin holds: write to it, then `seek(0)`."""
    data = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(data))
    return data


def produce(broker: Broker, stdin: io.BytesIO, topic: str, lines: bytes, *words: str) -> int:
    stdin.write(lines)
    stdin.seek(0)
    return run(broker, "console-producer", "--topic", topic, "--timeout", "0", *words)


def test_lines_become_records_and_lines_again(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    keyed = ("--reader-property", "parse.key=true", "--property", "key.separator=:")
    assert produce(broker, typed, "kv", b"a:1\nb:2\n", *keyed) == 0

    shown = ("--from-beginning", "--max-messages", "2", "--formatter-property", "print.key=true")
    assert run(broker, "console-consumer", "--topic", "kv", *shown) == 0

    captured = capfd.readouterr()
    assert captured.out == "a\t1\nb\t2\n"
    assert captured.err.endswith("Processed a total of 2 messages\n")
    assert "warning: --property is an old spelling; use --reader-property\n" in captured.err


def test_a_partition_is_read_from_an_offset(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    produce(broker, typed, "numbers", b"0\n1\n2\n", "--sync")

    place = ("--partition", "0", "--offset", "1", "--timeout-ms", "300")
    assert run(broker, "console-consumer", "--topic", "numbers", *place) == 0

    assert capfd.readouterr().out == "1\n2\n"


def test_a_line_without_its_separator_is_one_error_line(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    code = produce(broker, typed, "bad", b"no key\n", "--reader-property", "parse.key=true")

    assert code == 1
    assert capfd.readouterr().err == "error: No key separator found on line number 1: 'no key'\n"


@pytest.mark.parametrize(
    "words",
    [
        ("console-producer", "--topic", "t"),
        ("console-consumer", "--topic", "t"),
        ("producer-perf-test", "--topic", "t", "--num-records", "1", "--record-size", "1", "--throughput", "-1"),
        ("consumer-perf-test", "--topic", "t", "--messages", "1"),
    ],
)
def test_a_broker_that_is_not_there_is_one_line_and_a_hint(
    words: tuple[str, ...], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([words[0], "--bootstrap-server", UNREACHABLE, *words[1:]]) == 1

    *_, error, hint = capfd.readouterr().err.splitlines()
    assert error.startswith(f"error: no broker reachable at {UNREACHABLE}: ")
    assert hint.startswith("hint: ")


def test_the_perf_tools_print_kafkas_lines(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    producer = ("--num-records", "20000", "--record-size", "100", "--throughput", "-1")
    properties = ("--producer-props", f"bootstrap.servers={broker.bootstrap}", "acks=all")
    assert main(["producer-perf-test", "--topic", "perf", *producer, *properties]) == 0
    consumer = ("--fetch-size", "10000", "--messages", "20000", "--threads", "12", "--group", "registry")
    assert run(broker, "consumer-perf-test", "--topic", "perf", *consumer) == 0

    produced, header, consumed = capfd.readouterr().out.splitlines()
    assert re.fullmatch(
        r"20000 records sent, [\d.]+ records/sec \([\d.]+ MB/sec\), [\d.]+ ms avg latency, [\d.]+ ms max latency, "
        r"\d+ ms 50th, \d+ ms 95th, \d+ ms 99th, \d+ ms 99\.9th\.",
        produced,
    )
    assert header.startswith("start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec")
    assert consumed.split(", ")[2] == "1.9073"
    assert consumed.split(", ")[4] == "20000"


def test_the_perf_tools_print_what_the_client_counted(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    sizes = ("--num-records", "300", "--record-size", "10", "--throughput", "-1", "--print-metrics")
    assert run(broker, "producer-perf-test", "--topic", "counted", *sizes) == 0
    produced = printed_metrics(capfd.readouterr().out)
    wanted = ("--num-records", "300", "--print-metrics")
    assert run(broker, "consumer-perf-test", "--topic", "counted", *wanted) == 0
    consumed = printed_metrics(capfd.readouterr().out)

    assert produced["producer-metrics:record-send-total:{client-id=perf-producer-client}"] == "300.000"
    assert produced["producer-metrics:record-error-total:{client-id=perf-producer-client}"] == "0.000"
    fetches = "consumer-fetch-manager-metrics:{}:{{client-id=perf-consumer-client}}"
    assert consumed[fetches.format("records-consumed-total")] == "300.000"
    assert float(consumed[fetches.format("bytes-consumed-total")]) > 3000


def printed_metrics(text: str) -> dict[str, str]:
    _, heading, lines = text.partition("\nMetric Name ")
    assert heading
    pairs = [line.split(" : ") for line in lines.splitlines()[1:]]
    return {name.strip(): value for name, value in pairs}


def test_single_records_are_measured_too(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    wanted = ("--num-records", "500", "--payload-monotonic", "--throughput", "50000", "--transaction-duration-ms", "20")
    assert run(broker, "producer-perf-test", "--topic", "single", *wanted, "--warmup-records", "100") == 0
    assert run(broker, "console-consumer", "--topic", "single", "--from-beginning", "--max-messages", "500") == 0

    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith("Warmup first 100 records. Steady state results will print ")
    assert lines[1].startswith("500 records sent, ")
    assert " steady state records sent, " in lines[2]
    assert lines[3:] == [str(number) for number in range(500)]


def test_a_consumer_without_data_gives_up_after_its_timeout(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(broker, "consumer-perf-test", "--topic", "nothing", "--num-records", "5", "--timeout", "300") == 0

    assert "WARNING: Exiting before consuming the expected number of messages" in capfd.readouterr().out


def test_end_to_end_latency_is_printed_in_both_forms(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    flags = ("--topic", "e2e", "--num-records", "20", "--producer-acks", "all", "--record-size", "50")
    assert run(broker, "e2e-latency", *flags) == 0
    assert main(["e2e-latency", broker.bootstrap, "e2e", "20", "1", "50"]) == 0

    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith('Topic "e2e" does not exist. Will create topic with 1 partition(s)')
    for first, average, percentiles in (lines[1:4], lines[4:7]):
        assert re.fullmatch(r"0\t[\d.]+", first)
        assert re.fullmatch(r"Avg latency: \d+\.\d{4} ms", average)
        assert re.fullmatch(r"Percentiles: 50th = \d+, 99th = \d+, 99\.9th = \d+", percentiles)


def test_latency_without_acknowledgement_is_refused(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    flags = ("--topic", "e2e", "--num-records", "1", "--producer-acks", "0", "--record-size", "1")

    assert run(broker, "e2e-latency", *flags) == 1

    assert "Latency testing requires synchronous acknowledgement" in capfd.readouterr().err


def test_verifiable_tools_print_events(broker: Broker, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(broker, "verifiable-producer", "--topic", "events", "--max-messages", "3", "--value-prefix", "5") == 0
    reading = ("--group-id", "checked", "--max-messages", "3", "--verbose")
    assert run(broker, "verifiable-consumer", "--topic", "events", *reading) == 0

    events = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert all(list(event)[:2] == ["timestamp", "name"] for event in events)
    names = [event["name"] for event in events]
    assert names[:6] == [
        "startup_complete",
        *["producer_send_success"] * 3,
        "shutdown_complete",
        "tool_data",
    ]
    assert [event["value"] for event in events if event["name"] == "record_data"] == ["5.0", "5.1", "5.2"]
    committed = [event for event in events if event["name"] == "offsets_committed"]
    assert committed[-1]["offsets"] == [{"topic": "events", "partition": 0, "offset": 3}]
    assert names[-2:] == ["shutdown_complete", "shutdown_requested"]


def send(broker: Broker, typed: io.BytesIO, topic: str, data: bytes, *words: str) -> int:
    typed.seek(0)
    typed.truncate()
    typed.write(data)
    typed.seek(0)
    return run(broker, "produce", topic, *words)


def test_produce_reports_places_and_consume_prints_json(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    assert send(broker, typed, "orders", b'{"id":1}\n', "-k", "alice", "-H", "a=b") == 0
    assert run(broker, "produce", "orders", "-k", "alice", "--tombstone") == 0
    assert run(broker, "consume", "orders") == 0

    captured = capfd.readouterr()
    assert captured.err == "orders  p0 @ 0\norders  p0 @ 1\n"
    first, second = (json.loads(line) for line in captured.out.splitlines())
    assert (first["key"], first["value"], first["headers"]) == ("alice", '{"id":1}', [{"key": "a", "value": "b"}])
    assert second["value"] is None


def test_a_topic_is_copied_through_a_pipe(broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]) -> None:
    send(broker, typed, "source", b"a\nb\n\xff\n", "-k", "k")
    run(broker, "consume", "source")
    copied = capfd.readouterr().out.encode()
    assert send(broker, typed, "target", copied, "-i", "jsonl") == 0
    capfd.readouterr()

    run(broker, "consume", "target")

    assert capfd.readouterr().out.replace("target", "source").encode() == copied


def test_consume_starts_and_stops_at_places(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    send(broker, typed, "places", b"0\n1\n2\n3\n")
    capfd.readouterr()

    for words in (("--from", "1", "--to", "3"), ("--from", "-2", "-n", "1"), ("--where", "value >= 2", "-n", "1")):
        assert run(broker, "consume", "places", "--format", "%o ", *words) == 0

    assert capfd.readouterr().out == "1 2 2 2 "


def test_consume_reads_on_as_a_group(broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]) -> None:
    send(broker, typed, "shared", b"0\n1\n2\n")
    capfd.readouterr()

    assert run(broker, "consume", "shared", "-g", "readers", "-n", "2", "--format", "%v ") == 0
    assert run(broker, "consume", "shared", "-g", "readers", "--format", "%v ") == 0

    assert capfd.readouterr().out == "0 1 2 "


def test_a_topic_that_does_not_exist_has_its_exit_code_and_a_hint(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    send(broker, typed, "invoices", b"x\n")
    capfd.readouterr()

    assert run(broker, "consume", "invoises") == 3

    assert capfd.readouterr().err == "error: topic 'invoises' not found\nhint: did you mean 'invoices'?\n"


def test_lines_that_are_no_records_are_named(
    broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]
) -> None:
    assert send(broker, typed, "named", b'{"value": "a"}\n{"id": 1}\n', "-i", "jsonl") == 1

    assert "error: line 2: no object with a value" in capfd.readouterr().err


def test_cat_has_kcats_flags_and_tokens(broker: Broker, typed: io.BytesIO, capfd: pytest.CaptureFixture[str]) -> None:
    typed.write(b"k1:v1\nk2:\n")
    typed.seek(0)
    assert run(broker, "cat", "-P", "-t", "cats", "-K", ":", "-Z", "-H", "x=y") == 0
    assert run(broker, "cat", "-C", "-t", "cats", "-o", "beginning", "-e", "-Z", "-f", r"%t %p %o %k=%s %S %h\n") == 0
    assert run(broker, "cat", "-C", "-t", "cats", "-o", "-1", "-e", "-J") == 0
    assert run(broker, "cat", "-G", "cat-group", "-c", "2", "-q", "cats") == 0
    assert run(broker, "cat", "-Q", "-t", "cats:0:-1") == 0
    assert run(broker, "cat", "-L", "-t", "cats") == 0

    lines = capfd.readouterr().out.splitlines()
    assert lines[:2] == ["cats 0 0 k1=v1 2 x=y", "cats 0 1 k2=NULL -1 x=y"]
    assert json.loads(lines[2])["headers"] == ["x", "y"]
    assert lines[3:6] == ["v1", "", "cats [0] offset 2"]
    assert lines[-2:] == ['  topic "cats" with 1 partitions:', "    partition 0, leader 1, replicas: 1, isrs: 1"]


def test_a_closed_pipe_ends_quietly(broker: Broker, typed: io.BytesIO) -> None:
    send(broker, typed, "long", b"x" * 200 + b"\n" * 1 + b"line\n" * 20_000)
    command = [sys.executable, "-m", "ottla", "consume", "long", "-b", broker.bootstrap]

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()

    assert (process.returncode, errors) == (0, b"")


def test_ctrl_c_stops_the_console_consumer_and_the_count_is_printed(broker: Broker, typed: io.BytesIO) -> None:
    send(broker, typed, "interrupted", b"a\nb\n")
    words = ("console-consumer", "--topic", "interrupted", "--from-beginning", "--bootstrap-server", broker.bootstrap)

    with subprocess.Popen(
        [sys.executable, "-m", "ottla", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert [process.stdout.readline() for _ in range(2)] == [b"a\n", b"b\n"]
        process.send_signal(signal.SIGINT)
        errors = process.stderr.read()

    assert (process.returncode, errors.strip()) == (130, b"Processed a total of 2 messages")
