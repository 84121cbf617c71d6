"""A progress bar on stderr: done, total, rate, time left. Without a terminal a plain line every five seconds."""

import sys
import time
from types import TracebackType
from typing import Self

_REDRAW_S = 0.1
_LINE_S = 5.0
_WIDTH = 24


class Progress:
    """Used as a context manager; `advance` is cheap and may be called for each record."""

    def __init__(self, label: str, total: int | None, *, is_shown: bool, unit: str = "records") -> None:
        self._label = label
        self._total = total
        self._unit = unit
        self._is_shown = is_shown
        self._is_terminal = is_shown and sys.stderr.isatty()
        self._pause_s = _REDRAW_S if self._is_terminal else _LINE_S
        self._began = time.monotonic()
        self._next = self._began + self._pause_s
        self.done = 0

    def advance(self, count: int = 1) -> None:
        self.done += count
        if self._is_shown and time.monotonic() >= self._next:
            self._show()

    def _show(self) -> None:
        now = time.monotonic()
        self._next = now + self._pause_s
        text = progress_line(self._label, self.done, self._total, now - self._began, self._unit, self._is_terminal)
        print(f"\r\x1b[K{text}" if self._is_terminal else text, end="" if self._is_terminal else "\n", file=sys.stderr)
        sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._is_terminal:
            self._show()
            print(file=sys.stderr)


def progress_line(label: str, done: int, total: int | None, seconds: float, unit: str, with_bar: bool) -> str:
    rate = done / seconds if seconds > 0 else 0.0
    if total is None or total <= 0:
        return f"{label}  {done:,} {unit}, {rate:,.0f}/s"
    share = min(1.0, done / total)
    filled = int(share * _WIDTH)
    bar = f" [{'#' * filled}{'.' * (_WIDTH - filled)}]" if with_bar else ""
    left = f", {duration_text((total - done) / rate)} left" if rate > 0 and done < total else ""
    return f"{label}{bar} {share:4.0%}  {done:,}/{total:,} {unit}, {rate:,.0f}/s{left}"


def duration_text(seconds: float) -> str:
    """5 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
