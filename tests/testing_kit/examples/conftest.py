"""OTTLA_TESTING_KIT_REPEAT=20 runs each example so often in one session, for tools/testing_kit_soak.py."""

import os

import pytest

REPEAT = int(os.environ.get("OTTLA_TESTING_KIT_REPEAT", "1"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if REPEAT > 1:
        metafunc.fixturenames.append("run_number")
        metafunc.parametrize("run_number", range(REPEAT))
