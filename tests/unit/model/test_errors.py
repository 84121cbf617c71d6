"""Errors must survive the way from a helper process to the broker."""

import pickle

import pytest

from ottla.model.error_codes import ErrorCode
from ottla.model.errors import CorruptLog, InvalidConfig, Refused


@pytest.mark.parametrize(
    "error",
    [
        CorruptLog("/a/00.log", 74, "the checksum is wrong"),
        Refused(ErrorCode.CORRUPT_MESSAGE, "why"),
        Refused(ErrorCode.NOT_CONTROLLER),
        InvalidConfig(["one", "two"]),
    ],
)
def test_errors_travel_between_processes(error: Exception) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is type(error)
    assert vars(copy) == vars(error)
    assert str(copy) == str(error)
