"""What Spark's exceptions say, in one line, and which of them pass by themselves."""

import logging
import re
import time
from collections.abc import Callable
from typing import Final, TypeVar

from ottla.pipeline.problems import PipelineFailed, PipelineFileInvalid

T = TypeVar("T")
log = logging.getLogger(__name__)
_PATIENCE_S: Final = 180.0
_TOO_BUSY: Final = ("failed to connect back", "Can not open socket")
_GATEWAY: Final = "An error occurred while calling"
_TRACEBACK: Final = "Traceback (most recent call last):"
_CAUSE: Final = "Caused by: "


def spark_exceptions() -> tuple[type[Exception], ...]:
    """Analysis, parsing, and whatever else Spark or its JVM raises."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    return PySparkException, Py4JError


def is_too_busy(error: str) -> bool:
    return any(sign in error for sign in _TOO_BUSY)


def patiently(what: str, work: Callable[[], T]) -> T:
    """Tries again where a machine is too busy for Spark: its Python processes have ten seconds to connect back."""
    caught: tuple[type[Exception], ...] = (PipelineFailed, PipelineFileInvalid, *spark_exceptions())
    deadline = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return work()
        except caught as error:
            if not is_too_busy(str(error)) or time.monotonic() > deadline:
                raise
            log.warning("%s: tried again: %s", what, summary(error))


def silence_query_logs() -> None:
    """PySpark logs every wrong query as JSON with a stack trace, beside raising it."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).disabled = True


def summary(error: BaseException) -> str:
    """The message without plan, stack trace and SQLSTATE; the cause where a failed job carries one."""
    text = str(error)
    raised = re.search(r"\[USER_RAISED_EXCEPTION\]\s*(.+)", text)
    if raised:
        return _short(raised[1])
    if _GATEWAY in text:
        text = text[text.rindex(_GATEWAY) :]
    of_python = _of_python(text)
    if of_python is not None:
        return _short(of_python)
    lines = _lines(text)
    if not lines:
        return type(error).__name__
    return _short(_of_the_jvm(lines) if _GATEWAY in text else lines[0])


def _of_python(text: str) -> str | None:
    """The message of the last exception that Python has raised, without its class."""
    raised = re.findall(r"^(?:\w+\.)*[A-Z]\w+: (.+)", text.rpartition(_TRACEBACK)[2], re.MULTILINE)
    return str(raised[0]) if _TRACEBACK in text and raised else None


def _of_the_jvm(lines: list[str]) -> str:
    """What happened behind the gateway is in the last cause, or in the line that follows."""
    causes = [line.removeprefix(_CAUSE) for line in lines if line.startswith(_CAUSE)]
    return (causes[-1:] or [line.removeprefix(": ") for line in lines[1:]] or lines)[0]


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _short(text: str) -> str:
    without_state = re.sub(r"\s*SQLSTATE: \w+", "", text)
    return without_state.strip().rstrip(";").strip()[:600]
