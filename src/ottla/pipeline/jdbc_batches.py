"""Batches into database tables, once each: rows go to a staging table, then one transaction moves them.

The transaction also stores the batch id in `ottla_batches`, so that a repeated batch finds itself done.
"""

from typing import TYPE_CHECKING, Any, Final

from ottla.pipeline.model import METADATA_COLUMNS, JdbcSink

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

BATCHES: Final = "ottla_batches"
_DIALECTS: Final = {"postgresql": '"', "sqlite": '"', "mysql": "`", "mariadb": "`"}


def dialect_of(url: str) -> str:
    return url.split(":")[1] if url.count(":") >= 1 else ""


def quoted(name: str, url: str) -> str:
    mark = _DIALECTS.get(dialect_of(url), '"')
    return ".".join(f"{mark}{part.replace(mark, mark * 2)}{mark}" for part in name.split("."))


def upsert_statement(sink: JdbcSink, columns: list[str], staging: str) -> str:
    """Raises ValueError for a database whose upsert is not known here."""
    names = [quoted(column, sink.url) for column in columns]
    insert = f"INSERT INTO {quoted(sink.table, sink.url)} ({', '.join(names)}) SELECT {', '.join(names)} FROM {staging}"
    if not sink.upsert_by:
        return insert
    rest = [quoted(column, sink.url) for column in columns if column not in sink.upsert_by]
    dialect = dialect_of(sink.url)
    if dialect in ("postgresql", "sqlite"):
        keys = ", ".join(quoted(column, sink.url) for column in sink.upsert_by)
        change = f"UPDATE SET {', '.join(f'{name} = EXCLUDED.{name}' for name in rest)}" if rest else "NOTHING"
        # SQLite cannot tell ON CONFLICT from a join condition without a WHERE.
        return f"{insert} WHERE true ON CONFLICT ({keys}) DO {change}"
    if dialect in ("mysql", "mariadb"):
        changes = rest or names[:1]
        return f"{insert} ON DUPLICATE KEY UPDATE {', '.join(f'{name} = VALUES({name})' for name in changes)}"
    raise ValueError(f"upsert_by is not supported for {dialect}: known are postgresql, sqlite, mysql and mariadb")


def write_jdbc(sink: JdbcSink, frame: "DataFrame", query_id: str, batch_id: int) -> None:
    with _Database(frame.sparkSession, sink) as database:
        database.run(
            f"CREATE TABLE IF NOT EXISTS {BATCHES} "
            "(query_id VARCHAR(64) NOT NULL PRIMARY KEY, batch_id BIGINT NOT NULL)"
        )
        database.commit()
        if database.last_batch(query_id) >= batch_id:
            return
        staging = quoted(f"{sink.table}__ottla_{query_id[:8]}", sink.url)
        rows = _youngest(sink, frame)
        _stage(sink, rows, staging)
        database.run(upsert_statement(sink, rows.columns, staging))
        database.run(f"DELETE FROM {BATCHES} WHERE query_id = '{query_id}'")
        database.run(f"INSERT INTO {BATCHES} (query_id, batch_id) VALUES ('{query_id}', {batch_id})")
        database.commit()
        database.run(f"DROP TABLE {staging}")
        database.commit()


def _stage(sink: JdbcSink, rows: "DataFrame", table: str) -> None:
    writer: Any = rows.write.format("jdbc").mode("overwrite").option("url", sink.url)
    for name, value in {**sink.properties, "dbtable": table}.items():
        writer = writer.option(name, value)
    writer.save()


def _youngest(sink: JdbcSink, frame: "DataFrame") -> "DataFrame":
    """One row for each key of the batch: the last by offset where the view has it, else the last in Spark's order."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    kept = [name for name in frame.columns if name not in METADATA_COLUMNS]
    if not sink.upsert_by:
        return frame.select(*(f"`{name}`" for name in kept))
    order = [f.col(name).desc() for name in ("_timestamp", "_offset") if name in frame.columns]
    numbered = frame.withColumn("__order", f.monotonically_increasing_id())
    window = Window.partitionBy(*(f"`{name}`" for name in sink.upsert_by)).orderBy(*order, f.col("__order").desc())
    ranked = numbered.withColumn("__rank", f.row_number().over(window))
    return ranked.where("__rank = 1").select(*(f"`{name}`" for name in kept))


class _Database:
    """One connection of the driver, by the JDBC driver that Spark has loaded. Nothing is kept unless committed."""

    def __init__(self, spark: Any, sink: JdbcSink) -> None:
        jvm = spark._jvm
        jdbc = jvm.org.apache.spark.sql.execution.datasources.jdbc
        driver = sink.properties.get("driver") or jvm.java.sql.DriverManager.getDriver(sink.url).getClass().getName()
        jdbc.DriverRegistry.register(driver)
        settings = jvm.java.util.Properties()
        for name, value in sink.properties.items():
            if name != "driver":
                settings.setProperty(name, value)
        self._connection = jdbc.DriverRegistry.get(driver).connect(sink.url, settings)
        self._connection.setAutoCommit(False)

    def __enter__(self) -> "_Database":
        return self

    def __exit__(self, *reason: object) -> None:
        self._connection.rollback()
        self._connection.close()

    def run(self, statement: str) -> None:
        handle = self._connection.createStatement()
        try:
            handle.execute(statement)
        finally:
            handle.close()

    def commit(self) -> None:
        self._connection.commit()

    def last_batch(self, query_id: str) -> int:
        handle = self._connection.createStatement()
        try:
            rows = handle.executeQuery(f"SELECT batch_id FROM {BATCHES} WHERE query_id = '{query_id}'")
            return int(rows.getLong(1)) if rows.next() else -1
        finally:
            handle.close()
