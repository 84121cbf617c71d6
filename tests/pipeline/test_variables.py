"""Variables in values of a pipeline file."""

import pytest

from ottla.pipeline.variables import VariableError, expanded


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("${A}", "1"),
        ("x${A}y${B}", "x1y${A}"),
        ("${C:-d e}", "d e"),
        ("${EMPTY:-d}", "d"),
        ("${EMPTY}", ""),
        ("${C:-}", ""),
        ("$${A}", "${A}"),
        ("$A $", "$A $"),
    ],
)
def test_references_are_replaced_once(text: str, result: str) -> None:
    assert expanded(text, {"A": "1", "B": "${A}", "EMPTY": ""}) == result


@pytest.mark.parametrize(
    ("text", "problem"), [("${C}", "variable C is not set"), ("${A", "is not a variable"), ("${}", "is not")]
)
def test_a_reference_that_cannot_be_expanded_is_an_error(text: str, problem: str) -> None:
    with pytest.raises(VariableError, match=problem):
        expanded(text, {})
