from pathlib import Path

import pytest

from ottla.protocol.generator.__main__ import main, stale_files, write
from ottla.protocol.generator.modules import module
from ottla.protocol.generator.naming import class_names, snake
from ottla.protocol.generator.schema import Versions, load, parse
from ottla.protocol.generator.shapes import Shapes


def test_generated_modules_are_fresh() -> None:
    assert stale_files() == [], "run python -m ottla.protocol.generator"


def test_check_notices_a_changed_a_missing_and_a_foreign_file(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "produce_request.py").write_text("# changed\n")
    (tmp_path / "fetch_request.py").unlink()
    (tmp_path / "foreign.py").write_text("")

    assert stale_files(tmp_path) == ["fetch_request.py", "foreign.py", "produce_request.py"]


def test_writing_removes_modules_of_messages_that_are_gone(tmp_path: Path) -> None:
    (tmp_path / "gone_request.py").write_text("")
    write(tmp_path)
    assert stale_files(tmp_path) == []


def test_unknown_argument_is_refused() -> None:
    assert main(["--frobnicate"]) == 2


def test_all_messages_of_kafka_are_there() -> None:
    kinds = [schema.kind for schema in load()]
    assert (kinds.count("request"), kinds.count("response"), kinds.count("record")) == (89, 89, 94)


@pytest.mark.parametrize(
    ("text", "first", "last"), [("3+", 3, 32767), ("3-12", 3, 12), ("0", 0, 0)], ids=["open", "closed", "single"]
)
def test_version_ranges(text: str, first: int, last: int) -> None:
    assert Versions.parse(text) == (first, last)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Vote request key", "x.txt line 1: not a heading"),
        ("A record versions 0-0 flexible none\n  a: int33 0+", "x.txt line 2: unknown type int33"),
        ("A record versions 0-0 flexible none\n  a int32", "x.txt line 2: not a field"),
        ("A record versions 0-0 flexible none\n  a: [] 0+", "a: structs have fields"),
        ("A record versions 0-0 flexible none\n  a: int8 0+\n      b: int8 0+", "line 3: wrong indentation"),
    ],
)
def test_broken_schemas_are_refused_with_file_and_line(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse(text, "x")


def test_equal_versions_share_a_reader() -> None:
    (schema,) = parse("A record versions 0-3 flexible 3+\n  a: int8 0+\n  b: int8 2+", "x")
    shapes = Shapes(schema).by_version

    assert shapes[0] is shapes[1]
    assert shapes[1] is not shapes[2]
    assert shapes[2] is not shapes[3]


def test_neighbouring_fixed_fields_and_the_next_length_are_one_struct_call() -> None:
    (schema,) = parse(
        "A record versions 0-0 flexible 0+\n  a: int8 0+\n  b: int64 0+\n  c: uuid 0+\n  d: string 0+", "x"
    )

    assert 'Struct(">bq16sB").unpack_from' in module(schema)


def test_names_of_structs_that_clash() -> None:
    text = """
A record versions 0-0 flexible none
  groups: [] 0+
    topics: [] 0+
      id: uuid 0+
  topics: [] 0+
    name: string 0+
  one: {} 0+
    leaf: {} 0+
      x: int8 0+
  two: {} 0+
    leaf: {} 0+
      y: int8 0+
  three: {} 0+
    end: {} 0+
      z: int8 0+
  four: {} 0+
    end: {} 0+
      z: int8 0+
"""
    names = class_names(parse(text, "x")[0])

    assert names["topics",] == "Topics"
    assert names["groups", "topics"] == "GroupsTopics"
    assert (names["one", "leaf"], names["two", "leaf"]) == ("OneLeaf", "TwoLeaf")
    assert (names["three", "end"], names["four", "end"]) == ("End", "End")


def test_snake_case_of_message_names() -> None:
    assert snake("KRaftVersionRecord") == "kraft_version_record"
    assert snake("OffsetForLeaderEpochRequest") == "offset_for_leader_epoch_request"
