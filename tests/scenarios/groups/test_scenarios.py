"""Each text file is a story about a group. With OTTLA_GOLDEN=1 the files are written anew: review the difference."""

import os
from pathlib import Path

import pytest

from tests.scenarios.groups.runner import Scenario

HERE = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_everybody_gets_to_know_what_the_story_says(path: Path) -> None:
    told = path.read_text()

    happened = Scenario().run(told)

    if os.environ.get("OTTLA_GOLDEN"):
        path.write_text(happened)
    assert happened == told
