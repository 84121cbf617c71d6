"""The examples of docs/testing.md, as a reader would run them."""

import re
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]
PAGE = Path(__file__).parents[2] / "docs" / "testing.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_the_examples_of_the_page_run(pytester: pytest.Pytester) -> None:
    count = sum(example.count("\ndef test_") + example.startswith("def test_") for example in EXAMPLES)
    for number, example in enumerate(EXAMPLES):
        pytester.makepyfile(**{f"test_{number}": example})

    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--strict-markers")

    assert count >= 12
    result.assert_outcomes(passed=count)
