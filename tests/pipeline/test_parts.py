"""The parts of a run that need no Spark: positions, numbers, bounds of imports, statements, state between commands."""

import io
import json
from pathlib import Path

import pytest

from ottla.client.errors import RequestRefused, TimedOut
from ottla.model.error_codes import ErrorCode
from ottla.model.topic import TopicPartition
from ottla.pipeline.background import backoff_s
from ottla.pipeline.cases import compare
from ottla.pipeline.connect import observed_counts
from ottla.pipeline.file_batches import LocalFiles
from ottla.pipeline.imports import Bounds, ImportPosition, batch_query, first_position, high_query
from ottla.pipeline.jdbc_batches import upsert_statement
from ottla.pipeline.live_table import LiveTable, table
from ottla.pipeline.measures import RunMeasures
from ottla.pipeline.model import JdbcSink, JdbcSource, TopicSource
from ottla.pipeline.positions import committed_position, lowest
from ottla.pipeline.problems import PipelineFailed
from ottla.pipeline.run import BrokerTrouble
from ottla.pipeline.sample import write_sample
from ottla.pipeline.spark_errors import summary
from ottla.pipeline.status import PipelineState, PipelineStatus, all_states
from ottla.pipeline.stream_sources import starting_options

ORDERS_0, ORDERS_1 = TopicPartition("orders", 0), TopicPartition("orders", 1)


def test_the_position_is_that_of_the_last_committed_batch(tmp_path: Path) -> None:
    for folder in ("offsets", "commits"):
        (tmp_path / folder).mkdir()
    for batch, offset in ((9, 5), (10, 7), (11, 9)):
        offsets = ["v1", "{}", json.dumps({"orders": {"0": offset, "1": 3}}), '{"logOffset":4}', "-"]
        (tmp_path / "offsets" / str(batch)).write_text("\n".join(offsets))
    for name in ("9", "10", ".10.crc"):
        (tmp_path / "commits" / name).write_text("v1\n{}")

    assert committed_position(tmp_path) == {ORDERS_0: 7, ORDERS_1: 3}
    assert committed_position(tmp_path / "none") is None


def test_the_lowest_position_counts() -> None:
    assert lowest([{ORDERS_0: 7, ORDERS_1: 3}, {ORDERS_0: 5}, {}]) == {ORDERS_0: 5, ORDERS_1: 3}


def test_numbers_are_counted_once_per_batch_and_by_rule() -> None:
    measures = RunMeasures()
    report = {
        "batchId": 0,
        "numInputRows": 10,
        "processedRowsPerSecond": 5.0,
        "durationMs": {"triggerExecution": 400},
        "stateOperators": [{"numRowsDroppedByWatermark": 2}],
        "observedMetrics": {"rules.orders": {"positive": 3}},
    }
    for query in ("a", "b"):
        measures.of(query).add(report)
        measures.of(query).add({**report, "numInputRows": 0})
    measures.of("dead_letter").add(
        {"batchId": 0, "numInputRows": 10, "observedMetrics": {"dead_letters": {"count": 4}}}
    )

    fields = measures.fields()

    assert (fields["rows"], fields["late_rows"], fields["dead_letters"], fields["batch_ms"]) == (10, 2, 4, 400)
    assert fields["refused"] == {"positive": 3}


def test_observed_counts_of_a_connect_server_get_their_names() -> None:
    fields = [{"name": "positive", "type": "long"}, {"name": "known", "type": "long"}]

    assert observed_counts({"values": [3, None], "schema": {"fields": fields}}) == {"positive": 3, "known": None}
    assert observed_counts({"positive": 3}) == {"positive": 3}


def an_import() -> JdbcSource:
    return JdbcSource("t", 1, "jdbc:postgresql://db/shop", "t", "id", 0, None, {})


def test_an_import_repeats_a_batch_that_was_not_done_and_skips_when_nothing_is_new() -> None:
    start = first_position("q")

    first = start.following("42")
    assert first == ImportPosition("q", 0, None, "42", False)
    assert first.following("50") is first
    done = ImportPosition("q", 0, None, "42", True)
    assert done.following("42") is None
    assert done.following("50") == ImportPosition("q", 1, "42", "50", False)
    assert start.following(None) is None


def test_bounds_of_an_import_are_part_of_its_statement() -> None:
    source = an_import()

    assert batch_query(source, ImportPosition("q", 1, "4'2", "50", False)) == (
        "(SELECT * FROM t WHERE \"id\" > '4''2' AND \"id\" <= '50') ottla_rows"
    )
    assert high_query(source) == '(SELECT CAST(max("id") AS VARCHAR(64)) AS high FROM t) ottla_high'


def test_a_bound_is_used_when_it_is_as_old_as_the_lag() -> None:
    bounds = Bounds(lag_ms=100)
    bounds.add(0, "1")
    bounds.add(50, "2")

    assert [bounds.ripe(now) for now in (99, 100, 149, 150)] == [None, "1", "1", "2"]


@pytest.mark.parametrize(
    ("url", "keys", "statement"),
    [
        ("jdbc:postgresql:x", (), 'INSERT INTO "s"."t" ("id", "n") SELECT "id", "n" FROM st'),
        (
            "jdbc:postgresql:x",
            ("id",),
            'INSERT INTO "s"."t" ("id", "n") SELECT "id", "n" FROM st WHERE true ON CONFLICT ("id") '
            'DO UPDATE SET "n" = EXCLUDED."n"',
        ),
        (
            "jdbc:mysql:x",
            ("id",),
            "INSERT INTO `s`.`t` (`id`, `n`) SELECT `id`, `n` FROM st ON DUPLICATE KEY UPDATE `n` = VALUES(`n`)",
        ),
    ],
)
def test_an_upsert_is_one_statement_of_the_dialect(url: str, keys: tuple[str, ...], statement: str) -> None:
    assert upsert_statement(JdbcSink("s", "v", 1, "append", url, "s.t", keys, {}), ["id", "n"], "st") == statement


def test_an_upsert_into_an_unknown_database_is_refused() -> None:
    with pytest.raises(ValueError, match="not supported for oracle"):
        upsert_statement(JdbcSink("s", "v", 1, "append", "jdbc:oracle:x", "t", ("id",), {}), ["id"], "st")


def test_partitions_that_a_start_does_not_name_start_at_the_earliest() -> None:
    source = TopicSource("o", 1, ("orders",), None, {"orders": {0: 42}}, "text", None, None, None, "", True, {}, {})

    assert json.loads(starting_options(source, {"orders": 2})["startingOffsets"]) == {"orders": {"0": 42, "1": -2}}


def test_only_one_process_runs_a_pipeline(tmp_path: Path) -> None:
    state = PipelineState(tmp_path, "orders")
    with state.lock():
        state.write(PipelineStatus("orders", "/f.yaml", "running", pid=4242))

        assert state.is_locked()
        with (
            pytest.raises(PipelineFailed, match=r"is running already \(process 4242"),
            PipelineState(tmp_path, "orders").lock(),
        ):
            pass

    assert not state.is_locked()


def test_a_run_whose_process_is_gone_was_killed(tmp_path: Path) -> None:
    state = PipelineState(tmp_path, "orders")
    state.write(PipelineStatus("orders", "/f.yaml", "running", rows=7))

    status = state.read()

    assert status is not None
    assert (status.state, status.rows, status.last_error) == ("killed", 7, "the process is gone")
    assert [each.name for each in all_states(tmp_path)] == ["orders"]
    assert PipelineState(tmp_path, "other").read() is None


def test_a_broker_that_is_gone_is_reported_with_since_when() -> None:
    trouble = BrokerTrouble()
    assert (trouble.state, trouble.message) == ("running", None)

    trouble.begins(TimedOut("first"))
    since = (trouble.message or "").split(": first")[0]
    trouble.begins(TimedOut("second"))
    assert (trouble.state, trouble.message) == ("waiting for broker", f"{since}: second")
    assert since.startswith("no broker responds since 2")

    trouble.ends()
    assert (trouble.state, trouble.message) == ("running", None)


def test_a_broker_that_refuses_offsets_is_not_gone() -> None:
    trouble = BrokerTrouble()

    trouble.begins(RequestRefused(ErrorCode.GROUP_AUTHORIZATION_FAILED, "no"))

    assert trouble.state == "running"
    assert (trouble.message or "").startswith("the group's offsets cannot be committed since 2")


def test_files_of_this_machine_are_moved_with_their_folders(tmp_path: Path) -> None:
    files, target = LocalFiles(), f"file://{tmp_path}/lake"
    (tmp_path / "aside" / "region=a%20b").mkdir(parents=True)
    (tmp_path / "aside" / "region=a%20b" / "part-0.parquet").write_text("rows")
    aside = f"file://{tmp_path}/aside"

    assert files.files_in(aside) == ["region=a%20b/part-0.parquet"]
    files.move(f"{aside}/region=a%20b/part-0.parquet", f"{target}/region=a%20b/part-1.parquet")
    assert files.content(f"{target}/region=a%20b/part-1.parquet") == "rows"
    assert files.content(f"{target}/done") == ""
    files.replace(f"{target}/done", "1")
    files.replace(f"{target}/done", "2")
    assert files.content(f"{target}/done") == "2"
    files.remove(aside)
    files.remove(aside)
    assert not files.exists(aside)


def test_backoff_doubles_up_to_a_minute() -> None:
    assert [backoff_s(failures) for failures in (1, 2, 3, 7, 99)] == [1, 2, 4, 60, 60]


def test_rows_of_a_test_are_compared_in_any_order() -> None:
    expected = [{"a": 1, "b": None}, {"a": 2}, {"a": 2}]

    assert compare(expected, [{"a": 2.0}, {"a": 1}, {"a": 2}]) == []
    assert compare(expected, [{"a": 1}, {"a": 2}, {"a": 3}]) == ['missing    {"a": 2.0}', 'unexpected {"a": 3.0}']


def test_a_table_shows_numbers_rules_and_errors() -> None:
    status = PipelineStatus("orders", "f", "failed", 3, 6002, 10.0, refused={"positive": 2}, last_error="it broke")

    lines = table([status])

    assert "6,002" in lines[1]
    assert lines[2:] == ["  orders: 2 rows refused by positive", "  orders: it broke"]


def test_without_a_terminal_each_state_is_one_line() -> None:
    out = io.StringIO()
    show = LiveTable(out, is_terminal=False)
    for _ in range(3):
        show(PipelineStatus("orders", "f", "starting"))
    show(PipelineStatus("orders", "f", "finished", 1, 10))

    assert out.getvalue().splitlines()[0] == "orders: starting"
    assert len(out.getvalue().splitlines()) == 2


def test_a_sample_is_written_once_and_is_valid(tmp_path: Path) -> None:
    from ottla.pipeline.file import load

    write_sample(tmp_path / "my orders")

    assert load(tmp_path / "my orders" / "orders.yaml", (), {}).name == "my-orders"
    with pytest.raises(PipelineFailed, match="exists already"):
        write_sample(tmp_path / "my orders")


@pytest.mark.parametrize(
    ("text", "short"),
    [
        (
            "[A.B] No column `x`. SQLSTATE: 42703; line 1 pos 7;\n'Project ['x]\n+- y",
            "[A.B] No column `x`.; line 1 pos 7",
        ),
        (
            "\n[PARSE] Syntax error. SQLSTATE: 42601 (line 1, pos 0)\n\n== SQL ==\nx",
            "[PARSE] Syntax error. (line 1, pos 0)",
        ),
        ("An error occurred while calling o1.save.\n: a.B: no\n at c\nCaused by: d.E: disk full", "d.E: disk full"),
        (
            "[FOREACH_BATCH_ERROR] py4j.Py4JException: Traceback (most recent call last):\n  File 'a.py'\n"
            "py4j.protocol.Py4JJavaError: An error occurred while calling o9.execute.\n"
            ': org.postgresql.util.PSQLException: ERROR: relation "t" does not exist\n  Position: 13\n\tat o.p',
            'org.postgresql.util.PSQLException: ERROR: relation "t" does not exist',
        ),
        (
            "Traceback (most recent call last):\n  File 'a.py'\nottla.client.errors.RequestRefused: DELETED: gone\n",
            "DELETED: gone",
        ),
        (
            "Py4JJavaError: An error occurred while calling o9.save.\n: org.apache.spark.SparkException: Job aborted\n"
            "\tat a.b\nCaused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n"
            "  File 'a.py'\nottla.spark.exactly_once.RowsDiffer: batch 1 differs\n\n\tat c.d",
            "batch 1 differs",
        ),
        ("Job aborted\n [USER_RAISED_EXCEPTION] rule a broke SQLSTATE: P0001\n at x", "rule a broke"),
    ],
)
def test_errors_of_spark_become_one_line(text: str, short: str) -> None:
    assert summary(ValueError(text)) == short
