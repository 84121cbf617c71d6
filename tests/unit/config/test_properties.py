"""Settings out of text."""

import pytest

from ottla.config.environment import from_environment, ignored_variables, unknown_variables
from ottla.config.properties import (
    Settings,
    combine,
    located,
    parse_overrides,
    parse_properties,
    parse_toml,
)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a=b", {"a": "b"}),
        ("a = b ", {"a": "b "}),
        ("a : b", {"a": "b"}),
        ("a b c", {"a": "b c"}),
        ("a", {"a": ""}),
        ("a==b", {"a": "=b"}),
        ("a=b=c", {"a": "b=c"}),
        ("# a=b\n! c=d\n\n  e=f", {"e": "f"}),
        ("a=b\\\n   c\\\n\td", {"a": "bcd"}),
        ("a=b\\\\\nc=d", {"a": "b\\", "c": "d"}),
        ("a=b\\", {"a": "b"}),
        ("a\\=b=c", {"a=b": "c"}),
        ("a\\:b\\ c d", {"a:b c": "d"}),
        ("a=\\t\\n\\q\\u00e9", {"a": "\t\nq\u00e9"}),
        ("a=\\ud83d\\ude00", {"a": "\U0001f600"}),
        ("a=1\r\nb=2\rc=3", {"a": "1", "b": "2", "c": "3"}),
        ("\ufeffa=1", {"a": "1"}),
        ("a=1\na=1", {"a": "1"}),
        ("path=C\\:\\\\data", {"path": "C:\\data"}),
        ("a=b # no comment", {"a": "b # no comment"}),
        ("a=\\\n# still the value", {"a": "# still the value"}),
    ],
)
def test_properties_are_read_as_java_reads_them(text: str, values: dict[str, str]) -> None:
    found = parse_properties(text)

    assert (found.values, found.problems) == (values, [])


def test_a_key_with_two_values_is_reported_with_its_line() -> None:
    assert parse_properties("a=1\n\na=2").problems == ["line 3: a is set twice, to different values"]


def test_a_broken_escape_is_reported_and_the_rest_is_read() -> None:
    found = parse_properties("a=\\u12g4\nb=2")

    assert found.values == {"b": "2"}
    assert found.problems == ["line 1: \\u12g4 is not a character"]


def test_toml_tables_become_dotted_names() -> None:
    text = '"node.id" = 3\n[log]\ndirs = ["/a", "/b"]\nretention.ms = 5\n[log.cleaner]\nenable = true\n'

    assert parse_toml(text).values == {
        "node.id": "3",
        "log.dirs": "/a,/b",
        "log.retention.ms": "5",
        "log.cleaner.enable": "true",
    }


def test_what_cannot_be_a_setting_is_reported() -> None:
    assert parse_toml("a = 2020-01-01").problems == ["line 1: a: a setting cannot be a date"]
    assert parse_toml("a = [[1]]").problems == ["line 1: a: a setting cannot be a list"]
    assert parse_toml('"a.b" = 1\n[a]\nb = 2').problems == ["line 1: a.b is set twice"]
    assert parse_toml("a =").problems[0].startswith("not valid TOML")


def test_environment_variables_are_named_as_in_kafkas_images() -> None:
    variables = {
        "KAFKA_LOG_DIRS": "/data",
        "KAFKA_LISTENER_NAME_MY___LISTENER_SSL_KEY__X": "1",
        "KAFKA_HEAP_OPTS": "-Xmx1G",
        "KAFKA_VERSION": "4",
        "PATH": "/bin",
    }

    assert from_environment(variables).values == {"log.dirs": "/data", "listener.name.my-listener.ssl.key_x": "1"}


def test_ottlas_own_variables_count_more_and_only_for_known_names() -> None:
    variables = {"KAFKA_LOG_DIRS": "/a", "OTTLA_LOG_DIRS": "/b", "OTTLA_LOG_LEVEL": "debug", "OTTLA_PROFILE": "x"}

    found = from_environment(variables, ["log.dirs", "ottla.log.level"])

    assert found.values == {"log.dirs": "/b", "ottla.log.level": "debug"}
    assert found.origins == {"log.dirs": "OTTLA_LOG_DIRS", "ottla.log.level": "OTTLA_LOG_LEVEL"}


def test_a_misspelt_variable_of_ours_is_reported_with_the_nearest_name() -> None:
    variables = {"OTTLA_LOG_DRIS": "/a", "OTTLA_LOG_LEVEL": "info", "OTTLA_PURE": "1", "KAFKA_ANYTHING": "1"}

    assert unknown_variables(variables, ["log.dirs", "ottla.log.level"]) == [
        "environment variable OTTLA_LOG_DRIS is not a setting and has no effect; did you mean OTTLA_LOG_DIRS?"
    ]


def test_variables_for_the_jvm_are_named() -> None:
    assert ignored_variables({"KAFKA_HEAP_OPTS": "", "KAFKA_JMX_PORT": "1", "KAFKA_LOG_DIRS": ""}) == [
        "KAFKA_HEAP_OPTS",
        "KAFKA_JMX_PORT",
    ]


def test_the_last_override_wins_and_a_broken_one_is_reported() -> None:
    found = parse_overrides(["a=1", "a=2=3", "b", "=4"])

    assert (found.values, found.origins) == ({"a": "2=3"}, {"a": "--override"})
    assert found.problems == [f"--override '{pair}' is not of the form key=value" for pair in ("b", "=4")]


def test_a_flag_beats_the_environment_beats_the_file() -> None:
    file = Settings({"a": "1", "b": "1", "c": "1"}, ["bad line"], {"a": "f:1", "b": "f:2", "c": "f:3"})
    environment = Settings({"b": "2", "c": "2"}, [], {"b": "KAFKA_B", "c": "KAFKA_C"})

    found = combine([file, environment, Settings({"c": "3"}, ["bad flag"], {"c": "--override c"})])

    assert found.values == {"a": "1", "b": "2", "c": "3"}
    assert found.origins == {"a": "f:1", "b": "KAFKA_B", "c": "--override c"}
    assert found.problems == ["bad line", "bad flag"]


def test_a_problem_names_the_places_of_the_settings_in_it() -> None:
    origins = {"broker.id": "f:1", "node.id": "f:7", "log.dirs": "KAFKA_LOG_DIRS"}

    assert located("broker.id=1 and node.id=2 must be the same", origins) == (
        "f:1, f:7: broker.id=1 and node.id=2 must be the same"
    )
    assert located("log.dirs: /a is not a directory", origins) == "KAFKA_LOG_DIRS: log.dirs: /a is not a directory"
    assert located("something else", origins) == "something else"


def test_settings_of_toml_know_their_lines() -> None:
    text = '# comment\n"node.id" = 7\n\n[log.retention]\nhours = 24\n[log]\ndirs = ["/a", "/b"]\n'

    assert parse_toml(text, "o.toml").origins == {
        "node.id": "o.toml:2",
        "log.retention.hours": "o.toml:5",
        "log.dirs": "o.toml:7",
    }
