"""Pipeline files: what a right one means, and what is reported about each kind of mistake. No Spark, no broker."""

from pathlib import Path

import pytest

from ottla.pipeline.file import load
from ottla.pipeline.model import FileSink, FileSource, JdbcSink, JdbcSource, TopicSink, TopicSource, Watermark
from ottla.pipeline.problems import PipelineFileInvalid

GOOD = """\
pipeline: orders
bootstrap: ${KAFKA}
kafka: {client.id: orders-pipeline}
master: local[2]
checkpoint: state/orders
trigger: 1s
sources:
  orders:
    topic: orders
    start: earliest
    decode: json
    schema: id STRING, city STRING, amount DOUBLE, at TIMESTAMP
    watermark: at, 10 minutes
    max_records_per_trigger: 2000
  cities: {table: cities.csv, format: csv, header: true, schema: "city STRING, region STRING", refresh: 1h}
rules:
  - {view: orders, name: positive_amount, expect: "amount >= 0", otherwise: dead_letter}
dead_letter: orders.dead
steps:
  - {name: enriched, sql: "SELECT o.*, c.region FROM orders o LEFT JOIN cities c USING (city)"}
  - {name: big, python: "transforms.py:big"}
  - {name: per_region, sql_file: totals.sql}
sinks:
  - {name: enriched, from: enriched, topic: orders.enriched, key: id, encode: json}
  - {from: per_region, topic: totals, key: region, mode: update, create: {partitions: 3}}
  - {from: enriched, parquet: lake/orders, partition_by: [region]}
  - {from: enriched, jdbc: "jdbc:postgresql://db/shop", table: orders, upsert_by: [id], user: me, password: "${PG:-}"}
tests:
  - {given: {orders: in.jsonl}, expect: {enriched: out.jsonl}}
spark: {spark.sql.shuffle.partitions: 2, spark.ui.enabled: false}
"""
ENVIRONMENT = {"KAFKA": "127.0.0.1:9092"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "cities.csv").write_text("city,region\n")
    (tmp_path / "transforms.py").write_text("def big(views, spark):\n    return views['orders']\n")
    (tmp_path / "totals.sql").write_text("SELECT region, sum(amount) AS total FROM enriched GROUP BY region")
    for name in ("in.jsonl", "out.jsonl"):
        (tmp_path / name).write_text("")
    return tmp_path


def problems_of(folder: Path, text: str, *sets: str) -> list[str]:
    path = folder / "p.yaml"
    path.write_text(text)
    with pytest.raises(PipelineFileInvalid) as caught:
        load(path, sets, ENVIRONMENT)
    return [line.removeprefix(f"{path}:") for line in caught.value.lines()]


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


def test_a_good_file_becomes_values_with_defaults_and_resolved_paths(folder: Path) -> None:
    path = folder / "p.yaml"
    path.write_text(GOOD)

    pipeline = load(path, (), ENVIRONMENT)

    orders, cities = pipeline.sources["orders"], pipeline.sources["cities"]
    assert isinstance(orders, TopicSource)
    assert (orders.topics, orders.start, orders.watermark) == (
        ("orders",),
        "earliest",
        Watermark("at", "600000 milliseconds"),
    )
    assert orders.client == {"bootstrap.servers": "127.0.0.1:9092", "client.id": "orders-pipeline"}
    assert isinstance(cities, FileSource)
    assert (cities.path, cities.header, cities.refresh_ms) == (str(folder / "cities.csv"), True, 3_600_000)
    assert (pipeline.group, pipeline.trigger) == ("pipeline-orders", 1000)
    assert pipeline.checkpoint == str(folder / "state/orders")
    assert [sink.name for sink in pipeline.sinks] == ["enriched", "topic-totals", "parquet-lake-orders", "jdbc-orders"]
    assert [type(sink) for sink in pipeline.sinks] == [TopicSink, TopicSink, FileSink, JdbcSink]
    assert pipeline.steps[2].sql is not None
    assert pipeline.spark == {"spark.sql.shuffle.partitions": "2", "spark.ui.enabled": "false"}


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("trigger: 1s", "triger: 1s", "6: unknown key 'triger'; did you mean 'trigger'?"),
        ("trigger: 1s", "trigger: often", "6: trigger: 'often' must be a duration such as 1s, available-now or asap"),
        ("    start: earliest", "    strat: earliest", "10: source orders: unknown key 'strat'; did you mean 'start'?"),
        (
            "topic: orders\n",
            "topic: orders\n    topics: [a]\n",
            "9: source orders: what it reads (or jdbc): give one of",
        ),
        ("master: local[2]", "master: sc://spark:15002", "sink jdbc-orders: jdbc does not work through Spark Connect"),
        (
            "master: local[2]",
            "master: sc://spark:15002",
            "spark: spark.ui.enabled is a setting of the Connect server: set it where the server is started",
        ),
        ("decode: json", "decode: avro", "11: source orders: decode: 'avro' is not supported yet"),
        ("    schema: id", "    options: {a: id", "is not YAML"),
        ("at, 10 minutes", "at", "13: source orders: watermark: 'at' must be a column and a duration"),
        (
            "per_trigger: 2000",
            "per_trigger: 0",
            "14: source orders: max_records_per_trigger: '0' must be a whole number",
        ),
        ("table: cities.csv", "table: towns.csv", "towns.csv does not exist"),
        (
            "{view: orders,",
            "{view: order,",
            "rule positive_amount: view: there is no source or step 'order'; did you mean",
        ),
        ("{view: orders,", "{view: enriched,", "dead_letter is for topic sources only; use drop or fail"),
        ("dead_letter: orders.dead\n", "", "needs a topic, for example `dead_letter: orders.dead`"),
        ("otherwise: dead_letter", "otherwise: ignore", "otherwise: 'ignore' must be one of dead_letter, drop, fail"),
        ("transforms.py:big", "transforms.py:bgi", "has no function bgi; did you mean 'big'?"),
        ("transforms.py:big", "nothing.py:big", "nothing.py cannot be read"),
        ("sql_file: totals.sql", "sql_file: no.sql", "no.sql cannot be read"),
        ("{name: big,", "{name: enriched,", "there is a source or step of this name already"),
        (
            "from: per_region",
            "from: per_regoin",
            "sink topic-totals: from: there is no source or step 'per_regoin'; did you",
        ),
        ("mode: update", "mode: upsert", "mode: 'upsert' must be one of append, update, complete"),
        ("parquet: lake/orders", "mode: update, parquet: lake", "update rewrites rows, and files are only appended to"),
        ("topic: totals", "topic: totals, parquet: x", "where it writes: give one of topic, parquet"),
        ("{partitions: 3}", "{partition: 3}", "unknown key 'partition'; did you mean 'partitions'?"),
        ("name: enriched, from", "name: topic-totals, from", "the name 'topic-totals' is taken"),
        ("${KAFKA}", "${KAFAK}", "2: bootstrap: variable KAFAK is not set"),
        ("${KAFKA}", "${KAFKA", "2: bootstrap: '${KAFKA' is not a variable"),
        ("pipeline: orders", "pipeline: my orders", "1: pipeline: 'my orders' must be letters, digits"),
        ("pipeline: orders\n", "", "pipeline is missing"),
        ("sinks:", "sinks: [", "is not YAML"),
        ("master: local[2]", "trigger: 2s", "'trigger' is given twice, first in line 4"),
        ("orders: in.jsonl", "ordres: in.jsonl", "there is no source 'ordres'; did you mean 'orders'?"),
        ("{orders: in.jsonl}", "{orders: no.jsonl}", "no.jsonl does not exist"),
    ],
)
def test_a_mistake_is_reported_with_its_line_and_what_to_do(folder: Path, old: str, new: str, problem: str) -> None:
    found = problems_of(folder, changed(old, new))

    assert any(problem in line for line in found), found


def test_all_mistakes_are_reported_at_once(folder: Path) -> None:
    text = (
        changed("trigger: 1s", "triger: 1s")
        .replace("from: per_region", "from: x")
        .replace("decode: json", "decode: js")
    )

    found = problems_of(folder, text)

    assert len(found) == 3
    assert [int(line.split(":")[0]) for line in found] == sorted(int(line.split(":")[0]) for line in found)


def test_a_missing_file_and_a_list_are_refused(folder: Path) -> None:
    with pytest.raises(PipelineFileInvalid, match="there is no such file"):
        load(folder / "none.yaml")

    assert "must be a mapping" in problems_of(folder, "- a\n")[0]


def test_values_can_be_set_from_outside(folder: Path) -> None:
    path = folder / "p.yaml"
    path.write_text(GOOD)
    sets = (
        "trigger=available-now",
        "sources.orders.start={orders: {0: 42}}",
        "sinks.0.topic=other",
        "spark.spark.x.y=3",
    )

    pipeline = load(path, sets, ENVIRONMENT)

    orders, sink = pipeline.sources["orders"], pipeline.sinks[0]
    assert isinstance(orders, TopicSource)
    assert isinstance(sink, TopicSink)
    assert (pipeline.trigger, orders.start, sink.topic) == ("available-now", {"orders": {0: 42}}, "other")
    assert pipeline.spark["spark.x.y"] == "3"


@pytest.mark.parametrize(
    ("given", "problem"), [("trigger", "give KEY=VALUE"), ("sinks.9.topic=x", "number of an element")]
)
def test_a_wrong_set_is_refused(folder: Path, given: str, problem: str) -> None:
    assert problem in problems_of(folder, GOOD, given)[0]


@pytest.mark.parametrize(
    ("start", "meaning"),
    [("latest", "latest"), ("2026-01-01", 1767225600000), ("2026-01-01T01:00:00+01:00", 1767225600000), ("5", 5)],
)
def test_a_start_is_a_word_or_a_time(folder: Path, start: str, meaning: object) -> None:
    path = folder / "p.yaml"
    path.write_text(changed("start: earliest", f"start: {start}"))

    source = load(path, (), ENVIRONMENT).sources["orders"]

    assert isinstance(source, TopicSource)
    assert source.start == meaning


IMPORT = """\
pipeline: import
sources:
  t: {jdbc: "jdbc:postgresql://db/shop", table: t, increment: id, lag: 10s, user: me}
sinks:
  - {from: t, topic: t, key: id}
"""


def test_a_table_with_an_increment_is_a_continuous_import(folder: Path) -> None:
    path = folder / "p.yaml"
    path.write_text(IMPORT)

    source = load(path).sources["t"]

    assert isinstance(source, JdbcSource)
    assert (source.increment, source.lag_ms) == ("id", 10_000)
    assert source.properties == {"user": "me", "driver": "org.postgresql.Driver"}


def test_an_import_has_no_stream_beside_it(folder: Path) -> None:
    text = IMPORT.replace("sinks:", "  o: {topic: o, decode: text}\nsinks:")

    assert "a stream cannot be combined with t, which has increment" in problems_of(folder, text)[0]


@pytest.mark.parametrize(
    ("sink", "problem"),
    [
        ("parquet: s3a://lake/t", "5: sink parquet-s3a-lake-t: s3a://lake/t: through Spark Connect, files are written"),
        ("parquet: /lake/t", "3: source t: increment does not work through Spark Connect"),
    ],
)
def test_what_a_connect_server_cannot_do_is_refused_by_name(folder: Path, sink: str, problem: str) -> None:
    text = IMPORT.replace("topic: t, key: id", sink)

    found = problems_of(folder, text, "master=sc://spark:15002")

    assert any(line.startswith(problem) for line in found), found


def test_tables_of_a_connect_server_are_not_looked_for_here(folder: Path) -> None:
    path = folder / "p.yaml"
    path.write_text(
        "pipeline: p\nmaster: sc://spark:15002\n"
        "sources: {o: {topic: o, decode: text}, cities: {table: /srv/cities.csv, header: true}}\n"
        "sinks: [{from: o, topic: out}]\nspark: {spark.sql.shuffle.partitions: 2}\n"
    )

    assert load(path).master == "sc://spark:15002"


def test_files_that_spark_loads_start_at_the_pipeline_file(folder: Path) -> None:
    path = folder / "p.yaml"
    path.write_text(IMPORT + "spark: {spark.jars: 'a.jar, /lib/b.jar, hdfs://c.jar'}\n")

    assert load(path).spark == {"spark.jars": f"{folder}/a.jar,/lib/b.jar,hdfs://c.jar"}


def test_an_import_keeps_its_position_on_this_machine(folder: Path) -> None:
    text = IMPORT.replace("sources:", "checkpoint: s3a://bucket/state\nsources:")

    assert "increment needs a checkpoint on this machine, not s3a://bucket/state" in problems_of(folder, text)[0]
