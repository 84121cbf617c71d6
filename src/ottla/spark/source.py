"""`format("ottla")`: the data source that Spark creates for each read and write.

Spark loads this module in several short-lived processes that only look for the source, or ask for its schema. So what
reads and writes is imported when it is needed.
"""

from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSource

from ottla.model.errors import InvalidConfig
from ottla.spark.columns import source_schema
from ottla.spark.options import GivenOptions

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

    from ottla.spark.batch_reader import OttlaReader
    from ottla.spark.plain_writers import PlainStreamWriter, PlainWriter
    from ottla.spark.stream_reader import OttlaStreamReader
    from ottla.spark.transactional_writers import TransactionalStreamWriter, TransactionalWriter


class OttlaSource(DataSource):
    """Created on the driver, in a Python process of Spark's own; its options are checked at once."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self._given = GivenOptions(options)

    @classmethod
    def name(cls) -> str:
        return "ottla"

    def schema(self) -> "StructType":
        """Called when the user gives none."""
        if self._given.text("decode") not in (None, "bytes"):
            raise InvalidConfig([f"decode={self._given.text('decode')} needs a schema: add .schema('id STRING, …')"])
        return source_schema(include_headers=self._given.flag("includeHeaders", False))

    def reader(self, schema: "StructType") -> "OttlaReader":
        from ottla.spark.batch_reader import OttlaReader
        from ottla.spark.decoding import decoder_of
        from ottla.spark.read_options import read_options_of

        options = read_options_of(self._given, is_stream=False)
        return OttlaReader(options, decoder_of(options, schema))

    def streamReader(self, schema: "StructType") -> "OttlaStreamReader":
        from ottla.spark.decoding import decoder_of
        from ottla.spark.read_options import read_options_of
        from ottla.spark.stream_reader import OttlaStreamReader

        options = read_options_of(self._given, is_stream=True)
        return OttlaStreamReader(options, decoder_of(options, schema))

    def writer(self, schema: "StructType", overwrite: bool) -> "PlainWriter | TransactionalWriter":
        from ottla.spark.outgoing import check_columns
        from ottla.spark.plain_writers import PlainWriter
        from ottla.spark.transactional_writers import TransactionalWriter
        from ottla.spark.write_options import write_options_of

        if overwrite:
            raise InvalidConfig(["a topic cannot be overwritten: use .mode('append')"])
        options = write_options_of(self._given, is_stream=False)
        check_columns(schema, options.topic)
        return TransactionalWriter(options) if options.is_exactly_once else PlainWriter(options)

    def streamWriter(self, schema: "StructType", overwrite: bool) -> "PlainStreamWriter | TransactionalStreamWriter":
        """`overwrite` is the output mode complete: all rows of the result are written after each batch."""
        from ottla.spark.outgoing import check_columns
        from ottla.spark.plain_writers import PlainStreamWriter
        from ottla.spark.transactional_writers import TransactionalStreamWriter
        from ottla.spark.write_options import write_options_of

        options = write_options_of(self._given, is_stream=True)
        check_columns(schema, options.topic)
        return TransactionalStreamWriter(options) if options.is_exactly_once else PlainStreamWriter(options)
