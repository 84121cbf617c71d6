"""The columns of `format("ottla")`."""

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from ottla.records.arrow_columns import COLUMNS
from ottla.spark.columns import source_schema


def test_they_are_those_of_records_as_arrow_columns() -> None:
    assert tuple(source_schema(include_headers=True).names) == COLUMNS
    assert tuple(source_schema(include_headers=False).names) == COLUMNS[:-1]
