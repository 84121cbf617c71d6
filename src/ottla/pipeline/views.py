"""The views of sources: decoded columns, rows that pass the rules, and the rows that do not, with their reasons.

Works on streams and on batches alike: `raw` of a topic has the columns of `format("ottla")`.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ottla.pipeline.model import DEAD_LETTER, METADATA_COLUMNS, FileSource, JdbcSource, Rule, TopicSource, Watermark

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

RAW_SCHEMA: Final = (
    "key BINARY, value BINARY, topic STRING, partition INT, offset BIGINT, timestamp TIMESTAMP, timestampType INT, "
    "headers ARRAY<STRUCT<key: STRING, value: BINARY>>"
)
#: Of the decoding: what from_json could not read. No user has a column of this name.
_UNREADABLE: Final = "__ottla_unreadable"
#: Rule and reason of a row that is refused.
_REFUSED_BY: Final = "__ottla_rule"
_REASON: Final = "__ottla_error"
NOT_DECODED: Final = "decode"
_JDBC_FETCH_ROWS: Final = "10000"


class TopicViews(NamedTuple):
    """`accepted` is what steps and sinks see; `refused` has the columns of a dead letter."""

    accepted: "DataFrame"
    refused: "DataFrame"


def topic_views(source: TopicSource, raw: "DataFrame", rules: Sequence[Rule], *, has_dead_letter: bool) -> TopicViews:
    from pyspark.sql import functions as f

    decoded = _decoded(source, raw)
    marked = decoded.withColumn(_REFUSED_BY, _refusal(source, rules, has_dead_letter=has_dead_letter))
    accepted = marked.where(f.col(_REFUSED_BY).isNull()).drop(_REFUSED_BY, _REASON, "__raw")
    to_dead_letter = [NOT_DECODED, *(rule.name for rule in rules if rule.otherwise == DEAD_LETTER)]
    refused = marked.where(f.col(_REFUSED_BY).isin(to_dead_letter))
    return TopicViews(
        _with_watermark(_observed(source.name, rules, marked, accepted), source.watermark), _dead(refused, rules)
    )


def _decoded(source: TopicSource, raw: "DataFrame") -> "DataFrame":
    """The value's columns, those of the record, the reason where the value cannot be read, and the record as it was."""
    from pyspark.sql import functions as f

    metadata = [f.col(name.removeprefix("_")).alias(name) for name in METADATA_COLUMNS]
    record = f.struct("key", "value", "headers", "topic", "partition", "offset").alias("__raw")
    text = f.col("value").cast("string")
    if source.decode != "json":
        value = text if source.decode == "text" else f.col("value")
        reason = f.when(~f.is_valid_utf8(text), "not UTF-8") if source.decode == "text" else f.lit(None).cast("string")
        return raw.select(value.alias("value"), *metadata, reason.alias(_REASON), record)
    # Wrapped, because from_json ignores what follows the end of an object; in a field it must be well formed.
    wrapped = f.concat(f.lit('{"record":'), text, f.lit("}"))
    schema = f"record STRUCT<{_as_fields(source.schema)}>, {_UNREADABLE} STRING"
    options = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": _UNREADABLE}
    parsed = raw.withColumn("__parsed", f.from_json(wrapped, schema, options))
    fields = parsed.schema["__parsed"].dataType["record"].dataType.names
    reason = (
        f.when(f.col("value").isNull(), None)
        .when(~f.is_valid_utf8(text), "not UTF-8")
        .when(f.col(f"__parsed.{_UNREADABLE}").isNotNull(), f.lit(f"not JSON, or a field does not fit {source.schema}"))
        .when(f.col("__parsed.record").isNull(), "not a JSON object")
    )
    columns = [f.col("__parsed.record").getField(name).alias(name) for name in fields]
    return parsed.select(*columns, *metadata, reason.alias(_REASON), record)


def _as_fields(schema: str | None) -> str:
    """The columns of a schema as fields of a STRUCT; raises Spark's ParseException where it is none."""
    from pyspark.sql.types import StructType

    text: str = StructType.fromDDL(schema or "").simpleString()
    return text.removeprefix("struct<").removesuffix(">")


def _refusal(source: TopicSource, rules: Sequence[Rule], *, has_dead_letter: bool) -> "Column":
    """The first rule that a row breaks; null for a row that passes. A rule whose result is NULL does not pass."""
    from pyspark.sql import functions as f

    place = f.concat(f.col("_topic"), f.lit("-"), f.col("_partition"), f.lit(" offset "), f.col("_offset"))
    unreadable = f.lit(NOT_DECODED)
    if not has_dead_letter:
        text = f"source {source.name}: cannot be decoded, and the file names no dead_letter topic: "
        unreadable = f.raise_error(f.concat(f.lit(text), place, f.lit(": "), f.col(_REASON))).cast("string")
    result = f.when(f.col(_REASON).isNotNull(), unreadable)
    for rule in rules:
        result = result.when(_breaks(rule), _outcome(rule, place))
    return result


def _breaks(rule: Rule) -> "Column":
    from pyspark.sql import functions as f

    return ~f.coalesce(f.expr(rule.expect).cast("boolean"), f.lit(False))


def _outcome(rule: Rule, place: "Column | None") -> "Column":
    from pyspark.sql import functions as f

    if rule.otherwise != "fail":
        return f.lit(rule.name)
    text = f.lit(f"rule {rule.name} of {rule.view}: a row does not meet {rule.expect!r}")
    return f.raise_error(text if place is None else f.concat(text, f.lit(": "), place)).cast("string")


def with_rules(name: str, frame: "DataFrame", rules: Sequence[Rule]) -> "DataFrame":
    """Rules of a view that is no topic: rows are dropped, or the query fails."""
    from pyspark.sql import functions as f

    if not rules:
        return frame
    result = f.lit(None).cast("string")
    conditions: Any = f
    for rule in rules:
        conditions = conditions.when(_breaks(rule), _outcome(rule, None))
        result = conditions
    marked = frame.withColumn(_REFUSED_BY, result)
    return _observed(name, rules, marked, marked.where(f.col(_REFUSED_BY).isNull()).drop(_REFUSED_BY))


def _observed(name: str, rules: Sequence[Rule], marked: "DataFrame", accepted: "DataFrame") -> "DataFrame":
    """Counts refused rows by rule; the counts are in the progress of every query that reads the view."""
    from pyspark.sql import functions as f

    counts = [f.count_if(f.col(_REFUSED_BY) == f.lit(rule.name)).alias(rule.name) for rule in rules]
    if not counts:
        return accepted
    columns = accepted.columns
    watched = marked.observe(f"rules.{name}", *counts)
    return watched.where(f.col(_REFUSED_BY).isNull()).select(*(f.col(f"`{column}`") for column in columns))


def _dead(refused: "DataFrame", rules: Sequence[Rule]) -> "DataFrame":
    """key, value and headers of the record as it was, with headers that say why it is here and where it was."""
    from pyspark.sql import functions as f

    reasons = f.create_map(
        *(each for rule in rules for each in (f.lit(rule.name), f.lit(f"does not meet {rule.expect}"))),
        f.lit(""),
        f.lit(""),
    )
    is_rule = f.col(_REFUSED_BY) != f.lit(NOT_DECODED)
    error = f.when(is_rule, reasons[f.col(_REFUSED_BY)]).otherwise(f.col(_REASON))
    added = {
        "ottla.error": error,
        "ottla.rule": f.col(_REFUSED_BY),
        "ottla.topic": f.col("__raw.topic"),
        "ottla.partition": f.col("__raw.partition"),
        "ottla.offset": f.col("__raw.offset"),
    }
    headers = f.array(
        *(
            f.struct(f.lit(name).alias("key"), value.cast("string").cast("binary").alias("value"))
            for name, value in added.items()
        )
    )
    kept = f.coalesce(f.col("__raw.headers"), f.array().cast("array<struct<key:string,value:binary>>"))
    return refused.select("__raw.key", "__raw.value", f.concat(kept, headers).alias("headers"))


def _with_watermark(frame: "DataFrame", watermark: Watermark | None) -> "DataFrame":
    return frame if watermark is None else frame.withWatermark(watermark.column, watermark.delay)


def file_view(spark: "SparkSession", source: FileSource, *, as_stream: bool | None = None) -> "DataFrame":
    """A line that does not fit the schema fails the query: `options: {mode: PERMISSIVE}` gives nulls instead."""
    is_stream = source.is_stream if as_stream is None else as_stream
    reader: Any = spark.readStream if is_stream else spark.read
    reader = reader.format(source.format)
    if source.format in ("csv", "json", "xml"):
        reader = reader.option("mode", "FAILFAST")
    if source.header:
        reader = reader.option("header", "true")
    for name, value in source.options.items():
        reader = reader.option(name, value)
    if source.schema:
        reader = reader.schema(source.schema)
    frame: DataFrame = reader.load(source.path)
    return _with_watermark(frame, source.watermark if is_stream else None)


def jdbc_reader(spark: "SparkSession", source: JdbcSource, query: str) -> "DataFrame":
    """`query` is a table, or a SELECT in parentheses with a name."""
    reader: Any = spark.read.format("jdbc").option("url", source.url).option("dbtable", query)
    # Without a fetch size, PostgreSQL's driver takes the whole result into memory.
    for name, value in {"fetchsize": _JDBC_FETCH_ROWS, **source.properties}.items():
        reader = reader.option(name, value)
    frame: DataFrame = reader.load()
    return frame


def topic_options(source: TopicSource, starting: Mapping[str, str]) -> dict[str, str]:
    """Options of `format("ottla")`."""
    chosen = {"subscribePattern": source.pattern} if source.pattern else {"subscribe": ",".join(source.topics)}
    options = {
        **{f"kafka.{name}": value for name, value in source.client.items()},
        **{name: value for name, value in chosen.items() if value is not None},
        **starting,
        "includeHeaders": "true",
        "failOnDataLoss": str(source.fails_on_data_loss).lower(),
        "kafka.isolation.level": source.isolation,
        **source.options,
    }
    if source.max_records_per_trigger is not None:
        options["maxOffsetsPerTrigger"] = str(source.max_records_per_trigger)
    return options
