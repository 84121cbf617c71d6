"""The table that `run` shows: redrawn every second on a terminal, a line every five seconds elsewhere."""

import threading
import time
from typing import TextIO

from ottla.pipeline.status import STARTING, PipelineStatus

_COLUMNS = ("PIPELINE", "STATE", "BATCH", "ROWS", "ROWS/S", "LAG", "BATCH MS", "DEAD", "LATE")
_LINE_EVERY_S = 5.0


def cells(status: PipelineStatus) -> tuple[str, ...]:
    def number(value: float | None) -> str:
        return "-" if value is None else f"{value:,.0f}"

    return (
        status.name,
        status.state,
        number(status.batch),
        number(status.rows),
        number(status.rows_per_second),
        number(status.lag),
        number(status.batch_ms),
        number(status.dead_letters),
        number(status.late_rows),
    )


def table(statuses: list[PipelineStatus]) -> list[str]:
    rows = [_COLUMNS, *(cells(status) for status in statuses)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = [
        "  ".join(
            text.rjust(w) if i > 1 else text.ljust(w) for i, (text, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    for status in statuses:
        lines += [
            f"  {status.name}: {count:,} rows refused by {rule}" for rule, count in status.refused.items() if count
        ]
        if status.last_error:
            lines.append(f"  {status.name}: {status.last_error}")
    return lines


class LiveTable:
    """Any thread may call it."""

    def __init__(self, out: TextIO, *, is_terminal: bool, is_quiet: bool = False) -> None:
        self._out = out
        self._is_terminal = is_terminal
        self._is_quiet = is_quiet
        self._statuses: dict[str, PipelineStatus] = {}
        self._drawn = 0
        self._last_line: dict[str, tuple[float, str]] = {}
        self._lock = threading.Lock()

    def __call__(self, status: PipelineStatus) -> None:
        if self._is_quiet:
            return
        with self._lock:
            self._statuses[status.name] = status
            if self._is_terminal:
                self._draw()
            else:
                self._line(status)

    def _draw(self) -> None:
        lines = table(list(self._statuses.values()))
        up = f"\x1b[{self._drawn}A" if self._drawn else ""
        self._out.write(up + "".join(f"\x1b[2K{line}\n" for line in lines) + "\x1b[J")
        self._out.flush()
        self._drawn = len(lines)

    def _line(self, status: PipelineStatus) -> None:
        now = time.monotonic()
        last, state = self._last_line.get(status.name, (0.0, ""))
        if status.state == state and now - last < _LINE_EVERY_S:
            return
        self._last_line[status.name] = (now, status.state)
        text = f"{status.name}: {status.state}"
        if status.state not in (STARTING,):
            named = zip(_COLUMNS[2:], cells(status)[2:], strict=True)
            text += ", " + ", ".join(f"{name.lower()} {value}" for name, value in named)
        if status.last_error:
            text += f": {status.last_error}"
        print(text, file=self._out, flush=True)
