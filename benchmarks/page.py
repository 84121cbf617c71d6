"""The Markdown page of one run, with its picture: docs/results/<date>-<name>.md and .png."""

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.plot import draw
from benchmarks.results import Outcome
from benchmarks.table import markdown_table, summary


class RunFacts(NamedTuple):
    """What a reader needs to judge the figures or to measure again."""

    date: str
    name: str
    command: str
    revision: str
    rounds: int
    settings: str
    reference: str
    tested: str
    load_before: float


def write_page(folder: Path, facts: RunFacts, outcomes: Sequence[Outcome], notes: Sequence[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{facts.date}-{facts.name}"
    picture = folder / f"{stem}.png"
    has_picture = draw(outcomes, picture, f"Ottla beside Apache Kafka, {facts.date}")
    page = folder / f"{stem}.md"
    page.write_text(page_text(facts, outcomes, notes, picture.name if has_picture else None))
    return page


def page_text(facts: RunFacts, outcomes: Sequence[Outcome], notes: Sequence[str], picture: str | None) -> str:
    parts = [
        f"# Speed and memory, {facts.date} ({facts.name})",
        f"`{facts.command}` at revision {facts.revision}.",
        (
            f"{facts.tested} and {facts.reference} in one run, same client, same settings, rounds in turn; "
            f"{facts.rounds} round{'s' if facts.rounds != 1 else ''} ({facts.settings}). Machine: {machine()}, "
            f"load average before the run {facts.load_before:.1f}. "
            "Figures are medians, in brackets the range over the rounds; a ratio is the median over the rounds. "
            "Client and broker share the machine: compare ratios, not absolutes."
        ),
        f"**{summary(outcomes)}**",
        markdown_table(outcomes, facts.reference, facts.tested),
    ]
    if picture is not None:
        parts.append(f"![Ratios to {facts.reference}]({picture})")
    if notes:
        parts.append("## Notes\n\n" + "\n".join(f"- {note}" for note in notes))
    return "\n\n".join(parts) + "\n"


def machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.release()}, Python {platform.python_version()}"
