"""Any message, written and read back, is the same message; written again, the same bytes."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ottla.protocol.generator.schema import Schema
from tests.support.golden_messages import message_class, schemas
from tests.support.message_strategies import messages

_EXAMPLES_PER_VERSION = 4


@pytest.mark.parametrize("name", sorted(schemas()))
def test_message_survives_the_wire(name: str) -> None:
    schema = schemas()[name]
    for version in range(schema.versions.first, schema.versions.last + 1):
        _check(schema, version)


def _check(schema: Schema, version: int) -> None:
    cls = message_class(schema)

    @settings(
        max_examples=_EXAMPLES_PER_VERSION,
        deadline=None,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    @given(messages(schema, version), st.binary(max_size=3))
    def survives(message: object, rest: bytes) -> None:
        assert isinstance(message, cls)
        data = message.to_bytes(version)
        read, position = cls.decode(data + rest, 0, version)
        assert position == len(data)
        assert read == message
        assert read.to_bytes(version) == data

    survives()
