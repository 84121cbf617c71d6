"""Runs `ottla` in this process against a broker of the testing kit; what it printed, with ids and times made equal."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest

from ottla.cli.main import main


class Finished(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()


#: A command, then its words; the bootstrap server is added.
RunCli = Callable[..., Finished]


def runner(address: str, capsys: pytest.CaptureFixture[str]) -> RunCli:
    def run(*words: str, connected: bool = True) -> Finished:
        capsys.readouterr()
        before = ["-b", address] if connected else []
        code = main([*before, *words])
        found = capsys.readouterr()
        return Finished(code, found.out, found.err)

    return run


def masked(text: str) -> str:
    """Topic ids, timestamps and addresses replaced, for comparison with a golden text."""
    text = re.sub(r"TopicId: \S{22}", "TopicId: ID", text)
    text = re.sub(r"127\.0\.0\.1:\d+", "HOST:PORT", text)
    return re.sub(r"\b1[6-9]\d{11}\b", "TIME", text)
