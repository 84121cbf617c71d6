"""A Python step: gets all views by name, returns the DataFrame that becomes the view `rated`."""

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as f


def rated(views: dict[str, DataFrame], spark: SparkSession) -> DataFrame:
    return views["enriched"].withColumn("size", f.when(f.col("amount") > 100, "large").otherwise("small"))
