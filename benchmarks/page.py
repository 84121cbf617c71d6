"""One Markdown page of results with its plot, `<name>.md` and `<name>.png`: named by what it measures.

The newest run replaces the older one of the same name; its date, command and revision are on the page.
"""

import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.plot import draw
from benchmarks.results import NOISE_LIMIT, Outcome
from benchmarks.table import markdown_table, summary


class RunFacts(NamedTuple):
    """What a reader needs to judge the figures or to measure again."""

    date: str
    command: str
    revision: str
    rounds: int
    settings: str
    reference: str
    tested: str
    load_before: float


def write_page(folder: Path, name: str, facts: RunFacts, outcomes: Sequence[Outcome], notes: Sequence[str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    picture = folder / f"{name}.png"
    picture.unlink(missing_ok=True)
    has_picture = draw(outcomes, picture, f"{facts.tested} beside {facts.reference}: {name}, {facts.date}")
    page = folder / f"{name}.md"
    page.write_text(page_text(name, facts, outcomes, notes, picture.name if has_picture else None))
    return page


def page_text(
    name: str, facts: RunFacts, outcomes: Sequence[Outcome], notes: Sequence[str], picture: str | None
) -> str:
    parts = [
        f"# Speed and memory: {name}",
        f"{facts.date}, `{facts.command}` at revision {facts.revision}.",
        (
            f"{facts.tested} and {facts.reference} in one run, same client, same settings, rounds in turn; "
            f"{facts.rounds} round{'s' if facts.rounds != 1 else ''} ({facts.settings}). Machine: {machine()}, "
            f"load average before the run {facts.load_before:.1f}. "
            "Figures are medians, in brackets the range over the rounds; a ratio is the median over the rounds. "
            "The spread is that range as a share of the median, of the ratio where there is one; "
            f"above {NOISE_LIMIT:.0%} the row is noisy. "
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
