"""What Spark's exceptions say, in one line."""

import logging
import re


def spark_exceptions() -> tuple[type[Exception], ...]:
    """Analysis, parsing, and whatever else Spark or its JVM raises."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return PySparkException, Py4JError


def silence_query_logs() -> None:
    """PySpark logs every wrong query as JSON with a stack trace, beside raising it."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).disabled = True


def summary(error: BaseException) -> str:
    """The message without plan, stack trace and SQLSTATE; the cause where a failed job carries one."""
    text = str(error)
    for pattern in (
        r"Caused by: org\.apache\.spark\.SparkRuntimeException: \[USER_RAISED_EXCEPTION\]\s*(.+)",
        r"\[USER_RAISED_EXCEPTION\]\s*(.+)",
        r"[A-Z]\w+(?:Error|Failed|Lost|Config|Exception): (?!.*Traceback)(.+)",
    ):
        found = re.search(pattern, text)
        if found and ("Traceback" in text or "USER_RAISED" in text):
            return _short(found[1])
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if lines and lines[0].startswith("An error occurred while calling"):
        # Of the gateway to the JVM: what happened there is in the cause.
        causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
        lines = causes[-1:] or [line.removeprefix(": ") for line in lines[1:]]
    return _short(lines[0] if lines else type(error).__name__)


def _short(text: str) -> str:
    without_state = re.sub(r"\s*SQLSTATE: \w+", "", text)
    return without_state.strip().rstrip(";").strip()[:600]
