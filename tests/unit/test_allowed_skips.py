"""A skip that nobody has written down fails the run."""

import pytest

from tests.support.allowed_skips import FILE, is_allowed, patterns

pytest_plugins = ["pytester"]

CONFTEST = """
from tests.support.allowed_skips import AllowedSkips

def pytest_configure(config):
    config.pluginmanager.register(AllowedSkips())
"""


@pytest.mark.parametrize(
    ("reason", "allowed"),
    [
        ("kcat is not installed (Debian package kcat)", True),
        ("no Python 3.12 here", True),
        ("there is no java on the PATH", True),
        ("flaky", False),
        ("", False),
    ],
)
def test_only_reasons_of_the_file_are_allowed(reason: str, allowed: bool) -> None:
    assert is_allowed(reason, patterns(FILE.read_text(encoding="utf-8"))) is allowed


@pytest.mark.parametrize(("reason", "code"), [("root may write anywhere", 0), ("flaky", 1)])
def test_a_run_with_an_unknown_skip_fails(pytester: pytest.Pytester, reason: str, code: int) -> None:
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(f"import pytest\n\ndef test_one():\n    pytest.skip({reason!r})\n\ndef test_two():\n    pass\n")

    result = pytester.runpytest("-p", "no:cacheprovider", "-p", "no:ottla")

    assert result.ret == code
    assert ("not in allowed-skips.txt: flaky" in result.stdout.str()) is bool(code)
