"""Names and ids of topics."""

import pytest

from ottla.model.topic import TopicPartition, id_from_text, id_text, name_problem


@pytest.mark.parametrize("name", ["orders", "a.b_c-D9", "x" * 249, "..."])
def test_legal_names_have_no_problem(name: str) -> None:
    assert name_problem(name) is None


@pytest.mark.parametrize("name", ["", ".", "..", "x" * 250, "a b", "a/b", "č", "a\n"])
def test_illegal_names_have_a_problem(name: str) -> None:
    assert name_problem(name)


def test_id_text_round_trips() -> None:
    topic_id = bytes(range(16))

    assert len(id_text(topic_id)) == 22
    assert id_from_text(id_text(topic_id)) == topic_id


@pytest.mark.parametrize("text", ["", "short", "!" * 22, "A" * 23])
def test_text_that_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a uuid"):
        id_from_text(text)


def test_topic_partition_is_found_by_a_plain_tuple() -> None:
    found: dict[tuple[str, int], str] = {TopicPartition("orders", 1): "here"}

    assert found["orders", 1] == "here"
