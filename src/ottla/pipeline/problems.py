"""Mistakes in a pipeline file: collected, then reported all at once, each with file and line."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path


@dataclass(frozen=True, order=True)
class Problem:
    """`line` counts from 1; 0 is a value that came from `--set`."""

    line: int
    message: str


class PipelineFileInvalid(Exception):
    """The file cannot be used as it is: exit code 78."""

    def __init__(self, path: Path, problems: Iterable[Problem]) -> None:
        self.path = path
        self.problems = sorted(set(problems))
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        return [f"{self.path}:{problem.line}: {problem.message}" for problem in self.problems]


class PipelineFailed(Exception):
    """The pipeline could not start, or failed while running: exit code 1. The message says what to do."""


@dataclass
class Problems:
    """Collects problems of one file."""

    path: Path
    found: list[Problem] = field(default_factory=list)

    def add(self, line: int, message: str) -> None:
        self.found.append(Problem(line, message))

    def raise_if_any(self) -> None:
        if self.found:
            raise PipelineFileInvalid(self.path, self.found)


def suggestion(word: str, known: Iterable[str]) -> str:
    """`; did you mean 'trigger'?`, or nothing where no known word is close."""
    near = get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
