"""Every message against the bytes of Apache Kafka 4.3.0."""

import pytest

from tests.support.golden_messages import golden_messages, message_class, schemas


def test_there_is_a_golden_message_for_every_class_and_version() -> None:
    wanted = {
        (schema.class_name, version)
        for schema in schemas().values()
        for version in range(schema.versions.first, schema.versions.last + 1)
    }
    found = {(name, golden.version) for name, messages in golden_messages().items() for golden in messages}

    assert wanted == found
    assert sum(len(messages) for messages in golden_messages().values()) == 2202


@pytest.mark.parametrize("name", sorted(schemas()))
def test_message_has_kafkas_bytes_and_reads_back(name: str) -> None:
    cls = message_class(schemas()[name])
    for golden in golden_messages()[name]:
        assert golden.value.to_bytes(golden.version).hex() == golden.encoded.hex(), golden.label
        for data in (golden.encoded, memoryview(bytearray(golden.encoded))):
            read, position = cls.decode(data, 0, golden.version)
            assert position == len(golden.encoded), golden.label
            assert read == golden.value, golden.label
