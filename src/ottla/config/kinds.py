"""The nine types a Kafka setting can have: their wire codes, how text becomes a value, how a value becomes text.

The texts follow Java's rules, because `DescribeConfigs` shows a parsed value again: `007` is shown as `7`, a double as
Java prints it.
"""

from enum import Enum, IntEnum

_WHOLE_NUMBER_BITS = {"INT": 32, "SHORT": 16, "LONG": 64}


class Kind(IntEnum):
    """The type codes of DescribeConfigs."""

    BOOLEAN = 1
    STRING = 2
    INT = 3
    SHORT = 4
    LONG = 5
    DOUBLE = 6
    LIST = 7
    CLASS = 8
    PASSWORD = 9


class Update(Enum):
    """Who may change a broker setting while the broker runs."""

    READ_ONLY = "read-only"
    PER_BROKER = "per-broker"
    CLUSTER_WIDE = "cluster-wide"


class Importance(Enum):
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


class Secret:
    """A password. Printing, logging or formatting it shows `***`; only `reveal` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        return self._value

    def __repr__(self) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))


def parse_boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "false"):
        raise ValueError("Expected value to be either true or false")
    return word == "true"


def parse_string(text: str) -> str:
    return text.strip()


def parse_int(text: str) -> int:
    return _parse_whole_number(text, "INT")


def parse_short(text: str) -> int:
    return _parse_whole_number(text, "SHORT")


def parse_long(text: str) -> int:
    return _parse_whole_number(text, "LONG")


def parse_double(text: str) -> float:
    word = text.strip()
    # Python reads "1_0" and "infinity" in any case; Java does not.
    if "_" in word:
        raise ValueError("Not a number of type DOUBLE")
    try:
        return float(word)
    except ValueError:
        raise ValueError("Not a number of type DOUBLE") from None


def parse_list(text: str) -> tuple[str, ...]:
    """Entries in order; what stands twice counts once, as in Kafka."""
    word = text.strip()
    return tuple(dict.fromkeys(part.strip() for part in word.split(","))) if word else ()


def parse_password(text: str) -> Secret:
    return Secret(text.strip())


def _parse_whole_number(text: str, type_name: str) -> int:
    word = text.strip()
    digits = word[1:] if word[:1] in ("+", "-") else word
    limit = 1 << (_WHOLE_NUMBER_BITS[type_name] - 1)
    # 20 digits are more than any Java number has; a longer text is not worth the conversion.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 20) or not -limit <= int(word) < limit:
        raise ValueError(f"Not a number of type {type_name}")
    return int(word)


def text_of(value: object) -> str | None:
    """The text DescribeConfigs shows for a value; None for null and for secrets."""
    if value is None or isinstance(value, Secret):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return java_double(value)
    if isinstance(value, tuple):
        return ",".join(value)
    return str(value)


def java_double(value: float) -> str:
    """Java's Double.toString: plain between 1e-3 and 1e7, else one digit before the point and an exponent."""
    if value != value or value in (float("inf"), float("-inf")):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    digits = repr(abs(value)).partition("e")[0].replace(".", "").strip("0")
    exponent = int(f"{abs(value):.16e}".partition("e")[2])
    return f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{exponent}"
