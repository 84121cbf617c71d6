"""The columns of `format("ottla")`, those of Spark's Kafka source, and what `.schema(...)` may choose of them."""

from typing import TYPE_CHECKING, Final

from ottla.model.errors import InvalidConfig

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

#: Rows of one Arrow record batch between the JVM and Python: fastest at 1-8 MB (docs/spark.md).
ARROW_ROWS: Final = 10_000


def source_schema(*, include_headers: bool) -> "StructType":
    from pyspark.sql.types import (
        ArrayType,
        BinaryType,
        IntegerType,
        LongType,
        StringType,
        StructField,
        StructType,
        TimestampType,
    )

    header = StructType([StructField("key", StringType()), StructField("value", BinaryType())])
    fields = [
        StructField("key", BinaryType()),
        StructField("value", BinaryType()),
        StructField("topic", StringType()),
        StructField("partition", IntegerType()),
        StructField("offset", LongType()),
        StructField("timestamp", TimestampType()),
        StructField("timestampType", IntegerType()),
        StructField("headers", ArrayType(header)),
    ]
    return StructType(fields if include_headers else fields[:-1])


def chosen_columns(schema: "StructType") -> list[str]:
    """The names, in the order of the schema. Raises InvalidConfig for a column that a topic does not have."""
    known = {field.name: field.dataType for field in source_schema(include_headers=True)}
    problems = []
    for field in schema.fields:
        kind = known.get(field.name)
        if kind is None:
            problems.append(f"column {field.name} is unknown: a topic has {', '.join(known)}; decode=json gives others")
        elif field.dataType.simpleString() != kind.simpleString():
            problems.append(f"column {field.name} is {kind.simpleString()}, not {field.dataType.simpleString()}")
    if problems:
        raise InvalidConfig(problems)
    return [field.name for field in schema.fields]
