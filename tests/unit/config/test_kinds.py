"""Texts and values, by Java's rules."""

import pytest

from ottla.config.kinds import java_double, parse_boolean, parse_double, parse_int, parse_list, parse_long, parse_short


@pytest.mark.parametrize(("text", "value"), [("007", 7), ("+5", 5), (" -3 ", -3), ("2147483647", 2**31 - 1)])
def test_whole_numbers_are_read_as_java_reads_them(text: str, value: int) -> None:
    assert parse_int(text) == value


@pytest.mark.parametrize("text", ["", "x", "1.0", "1_000", "0x10", "2147483648", "--1", "٣", "9" * 5000])
def test_what_is_no_int_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Not a number of type INT"):
        parse_int(text)


def test_short_and_long_have_their_own_ranges() -> None:
    assert parse_short("-32768") == -32768
    assert parse_long("9223372036854775807") == 2**63 - 1
    with pytest.raises(ValueError, match="SHORT"):
        parse_short("32768")
    with pytest.raises(ValueError, match="LONG"):
        parse_long("9223372036854775808")


@pytest.mark.parametrize("text", ["1_0", "x", "", "1,5"])
def test_what_is_no_double_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="DOUBLE"):
        parse_double(text)


def test_only_true_and_false_are_booleans() -> None:
    assert parse_boolean(" TRUE ") is True
    with pytest.raises(ValueError, match="either true or false"):
        parse_boolean("yes")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"),
        (0.0, "0.0"),
        (1e-5, "1.0E-5"),
        (1e7, "1.0E7"),
        (9999999.0, "9999999.0"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (-12345678.9, "-1.23456789E7"),
        (0.00012, "1.2E-4"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
        (float("nan"), "NaN"),
    ],
)
def test_doubles_are_printed_as_java_prints_them(value: float, text: str) -> None:
    assert java_double(value) == text


def test_an_entry_that_stands_twice_in_a_list_counts_once() -> None:
    assert parse_list(" a , b,a ") == ("a", "b")
    assert parse_list("  ") == ()
