"""`session`: a SparkSession with Java, the Python of the workers and the settings that `format("ottla")` likes best."""

import os
import sys
from typing import TYPE_CHECKING, Any, Final

from ottla.spark.columns import ARROW_ROWS
from ottla.spark.java import java_home

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_DEFAULTS: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": str(ARROW_ROWS),
}
#: Of the driver's and the executors' own processes: a Connect server has set them up long before.
_PROCESS_DEFAULTS: Final = {
    "spark.ui.showConsoleProgress": "false",
    "spark.python.unix.domain.socket.enabled": "true",
}


def session(master: str | None = None, app_name: str = "ottla", **conf: Any) -> "SparkSession":
    """A SparkSession that runs `format("ottla")`, local unless `master` (or `spark.master`) says otherwise.

    It finds Java (an installed 17 or newer, else that of `ottla[spark]`), lets the workers run this Python, and sets
    the time zone to UTC. `conf` are settings of Spark; `sc://host:port` as the master connects to a Connect server.
    Raises JavaNotFound. A session that exists already is returned as it is, with `conf` applied where Spark allows it.

        spark = ottla.spark.session("local[2]", **{"spark.sql.shuffle.partitions": 2})
    """
    texts = {name: _text(value) for name, value in conf.items()}
    chosen = master or texts.pop("spark.master", None) or os.environ.get("MASTER") or "local[*]"
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName(app_name)
    if chosen.startswith("sc://"):
        return _configured(builder.remote(chosen), {**_DEFAULTS, **texts})
    os.environ["JAVA_HOME"] = str(java_home())
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    defaults = {**_DEFAULTS, **_PROCESS_DEFAULTS}
    if chosen.startswith("local"):
        # Otherwise the driver listens on, and looks up, the name of the machine: which may not resolve.
        defaults["spark.driver.bindAddress"] = defaults["spark.driver.host"] = "127.0.0.1"
    return _configured(builder.master(chosen), {**defaults, **texts})


def _configured(builder: Any, conf: dict[str, str]) -> "SparkSession":
    for name, value in conf.items():
        builder = builder.config(name, value)
    created: SparkSession = builder.getOrCreate()
    return created


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
