"""Settings out of text."""

import pytest

from ottla.config.properties import (
    Settings,
    combine,
    from_environment,
    ignored_variables,
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
    assert parse_properties(text) == Settings(values, [])


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
    assert parse_toml("a = 2020-01-01").problems == ["a: a setting cannot be a date"]
    assert parse_toml("a = [[1]]").problems == ["a: a setting cannot be a list"]
    assert parse_toml('"a.b" = 1\n[a]\nb = 2').problems == ["a.b is set twice"]
    assert parse_toml("a =").problems[0].startswith("not valid TOML")


def test_environment_variables_are_named_as_in_kafkas_images() -> None:
    variables = {
        "KAFKA_LOG_DIRS": "/data",
        "KAFKA_LISTENER_NAME_MY___LISTENER_SSL_KEY__X": "1",
        "KAFKA_HEAP_OPTS": "-Xmx1G",
        "KAFKA_VERSION": "4",
        "PATH": "/bin",
    }

    assert from_environment(variables) == {"log.dirs": "/data", "listener.name.my-listener.ssl.key_x": "1"}


def test_ottlas_own_variables_count_more_and_only_for_known_names() -> None:
    variables = {"KAFKA_LOG_DIRS": "/a", "OTTLA_LOG_DIRS": "/b", "OTTLA_LOG_LEVEL": "debug", "OTTLA_PROFILE": "x"}

    assert from_environment(variables, ["log.dirs", "ottla.log.level"]) == {
        "log.dirs": "/b",
        "ottla.log.level": "debug",
    }


def test_variables_for_the_jvm_are_named() -> None:
    assert ignored_variables({"KAFKA_HEAP_OPTS": "", "KAFKA_JMX_PORT": "1", "KAFKA_LOG_DIRS": ""}) == [
        "KAFKA_HEAP_OPTS",
        "KAFKA_JMX_PORT",
    ]


def test_the_last_override_wins_and_a_broken_one_is_reported() -> None:
    assert parse_overrides(["a=1", "a=2=3", "b", "=4"]) == Settings(
        {"a": "2=3"}, ["override 'b' is not of the form key=value", "override '=4' is not of the form key=value"]
    )


def test_a_flag_beats_the_environment_beats_the_file() -> None:
    file = Settings({"a": "file", "b": "file", "c": "file"}, ["bad line"])

    found = combine(file, {"b": "environment", "c": "environment"}, Settings({"c": "flag"}, ["bad flag"]))

    assert found == Settings({"a": "file", "b": "environment", "c": "flag"}, ["bad line", "bad flag"])
