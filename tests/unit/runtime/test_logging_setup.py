"""The program's own log."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from ottla.model.errors import InvalidConfig
from ottla.runtime.log_levels import current_levels, level_word, parse_levels, set_level
from ottla.runtime.logging_setup import escape, setup_logging

LOGGER = logging.getLogger("ottla.test_lamp")


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    LOGGER.setLevel(logging.NOTSET)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_elsewhere_than_on_a_terminal_every_event_is_a_json_line() -> None:
    out = io.StringIO()
    setup_logging(stream=out)

    LOGGER.warning("lamp %s broke", "desk", extra={"topic": "lamps", "partition": 3})

    found = json.loads(out.getvalue())
    assert {name: found[name] for name in ("level", "logger", "event", "topic", "partition")} == {
        "level": "WARN",
        "logger": "ottla.test_lamp",
        "event": "lamp desk broke",
        "topic": "lamps",
        "partition": 3,
    }
    assert out.getvalue().count("\n") == 1


def test_on_a_terminal_lines_are_for_people() -> None:
    out = Terminal()
    setup_logging(stream=out)

    LOGGER.info("ready")

    assert out.getvalue().endswith(" INFO  test_lamp: ready\n")


@pytest.mark.parametrize("as_json", [True, False])
def test_nobody_can_fake_a_line_or_paint_the_terminal(as_json: bool) -> None:
    out = io.StringIO()
    setup_logging(stream=out, as_json=as_json)

    LOGGER.info("client %s", "x\r\n12:00 INFO fake \x1b[31m \x9b \u202e \u2028")

    text = out.getvalue()
    assert text.count("\n") == 1
    assert not any(sign in text for sign in "\r\x1b\x9b\u202e\u2028")


def test_an_exception_is_written_with_its_traceback() -> None:
    out, json_out = Terminal(), io.StringIO()
    for stream in (out, json_out):
        setup_logging(stream=stream)
        try:
            raise ValueError("dark")
        except ValueError:
            LOGGER.exception("failed")

    assert "ValueError: dark" in out.getvalue()
    assert "ValueError: dark" in json.loads(json_out.getvalue())["error"]


def test_levels_are_given_for_all_or_for_one_logger() -> None:
    assert parse_levels(["warning", "ottla.log=debug, ottla.broker=TRACE"]) == {
        "root": "WARN",
        "ottla.log": "DEBUG",
        "ottla.broker": "TRACE",
    }


def test_a_word_that_is_no_level_is_refused() -> None:
    with pytest.raises(InvalidConfig, match="log level 'loud'"):
        parse_levels(["loud"])


def test_a_level_changes_while_the_program_runs() -> None:
    out = io.StringIO()
    setup_logging(["info"], stream=out)

    LOGGER.debug("before")
    set_level("ottla.test_lamp", "DEBUG")
    LOGGER.debug("during")
    set_level("ottla.test_lamp", None)
    LOGGER.debug("after")

    assert [json.loads(line)["event"] for line in out.getvalue().splitlines()] == ["during"]


def test_current_levels_are_effective_and_in_kafkas_words() -> None:
    setup_logging(["warn", "ottla.test_lamp=critical"], stream=io.StringIO())

    levels = current_levels()

    assert (levels["root"], levels["ottla.test_lamp"]) == ("WARN", "FATAL")


def test_every_number_has_a_word() -> None:
    assert [level_word(number) for number in (1, 5, 10, 20, 30, 40, 50, 99)] == [
        "TRACE", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "FATAL",
    ]  # fmt: skip


def test_plain_text_is_not_escaped() -> None:
    assert escape("größe 5 · ok") == "größe 5 · ok"
