"""Apache Kafka's own Java client: codecs, admin, transactions of both generations. Groups are in test_groups.py."""

import uuid

import pytest

from tests.support.java_programs import JavaPrograms


def tell(java: JavaPrograms, address: str, story: str, *words: str) -> None:
    name = f"java-{uuid.uuid4().hex[:8]}"
    assert java.run("Story", story, address, name, *words).endswith("done\n")


@pytest.mark.parametrize("story", ["codecs", "admin", "transactions", "fencing", "time-out"])
def test_the_java_client_tells(java: JavaPrograms, address: str, story: str) -> None:
    tell(java, address, story)


def test_the_java_client_works_with_the_older_transactions(java: JavaPrograms, address: str) -> None:
    """transaction.version 1: partitions are added by request, the epoch stays over many transactions."""
    tell(java, address, "transaction-version", "1")
    try:
        tell(java, address, "transactions")
        tell(java, address, "fencing")
    finally:
        tell(java, address, "transaction-version", "2")
