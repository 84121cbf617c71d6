"""Settings out of text: Java properties, TOML, environment variables, `key=value` flags. Files are read elsewhere.

Every reader gives a `Settings`: what it found, and one sentence for each problem, so that a start can show all of them.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_BLANKS = " \t\f"
#: Variables of Kafka's images and scripts that are about the JVM or the tools, not settings of the broker.
_NOT_SETTINGS = frozenset(
    {
        "KAFKA_BOOTSTRAP_SERVERS",
        "KAFKA_CLUSTER_ID",
        "KAFKA_DEBUG",
        "KAFKA_GC_LOG_OPTS",
        "KAFKA_HEAP_OPTS",
        "KAFKA_HOME",
        "KAFKA_JMX_HOSTNAME",
        "KAFKA_JMX_OPTS",
        "KAFKA_JMX_PORT",
        "KAFKA_JVM_PERFORMANCE_OPTS",
        "KAFKA_LOG4J_CMD_OPTS",
        "KAFKA_LOG4J_LOGGERS",
        "KAFKA_LOG4J_OPTS",
        "KAFKA_LOG4J_ROOT_LOGLEVEL",
        "KAFKA_LOG4J_TOOLS_ROOT_LOGLEVEL",
        "KAFKA_OPTS",
        "KAFKA_TOOLS_LOG4J_LOGLEVEL",
        "KAFKA_VERSION",
    }
)


class Settings(NamedTuple):
    values: dict[str, str]
    problems: list[str]


def parse_properties(text: str) -> Settings:
    """Java's format: escapes, lines continued by a backslash, `#` and `!` comments.

    Java lets the last one of two equal keys win; here two different values are a problem.
    """
    found = Settings({}, [])
    for number, line in _logical_lines(text.removeprefix("\ufeff")):
        try:
            key, value = _split(line)
        except ValueError as error:
            found.problems.append(f"line {number}: {error}")
            continue
        if found.values.get(key, value) != value:
            found.problems.append(f"line {number}: {key} is set twice, to different values")
        found.values[key] = value
    return found


def parse_toml(text: str) -> Settings:
    """Nested tables become dotted names; lists become comma-separated texts."""
    import tomllib  # seldom used, and not cheap to load

    try:
        document = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        return Settings({}, [f"not valid TOML: {error}"])
    found = Settings({}, [])
    _flatten("", document, found)
    return found


def parse_overrides(pairs: Iterable[str]) -> Settings:
    """`key=value` texts of flags; the last one wins."""
    found = Settings({}, [])
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if separator and key.strip():
            found.values[key.strip()] = value.strip()
        else:
            found.problems.append(f"override {pair!r} is not of the form key=value")
    return found


def from_environment(environment: Mapping[str, str], known: Collection[str] = ()) -> dict[str, str]:
    """KAFKA_LOG_DIRS is log.dirs; two underscores stand for one, three for a dash.

    OTTLA_LOG_DIRS means the same and counts more; OTTLA_LOG_LEVEL is ottla.log.level. With that prefix only `known`
    names are settings: clients have variables of their own.
    """
    found: dict[str, str] = {}
    for variable in sorted(environment):
        prefix, _, rest = variable.partition("_")
        name = _dotted(rest)
        if prefix == "KAFKA" and rest and variable not in _NOT_SETTINGS:
            found[name] = environment[variable]
        elif prefix == "OTTLA":
            fitting = [each for each in (name, f"ottla.{name}") if each in known]
            found.update((each, environment[variable]) for each in fitting[:1])
    return found


def ignored_variables(environment: Mapping[str, str]) -> list[str]:
    """Variables for Kafka's JVM and scripts that a broker in Python has no use for."""
    return sorted(
        name for name in environment if name in _NOT_SETTINGS and name.endswith(("_OPTS", "_PORT", "_LOGLEVEL"))
    )


def _dotted(variable: str) -> str:
    return variable.lower().replace("___", "-").replace("__", "\0").replace("_", ".").replace("\0", "_")


def combine(file: Settings, environment: Mapping[str, str], overrides: Settings) -> Settings:
    """Flag over environment over file."""
    values = {**file.values, **environment, **overrides.values}
    return Settings(values, [*file.problems, *overrides.problems])


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their first number: without blank ones and comments, continued ones joined."""
    lines = iter(enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1))
    for number, natural in lines:
        line = natural.lstrip(_BLANKS)
        if not line or line[0] in "#!":
            continue
        while _continues(line):
            _, following = next(lines, (0, ""))
            line = line[:-1] + following.lstrip(_BLANKS)
        yield number, line


def _continues(line: str) -> bool:
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def _split(line: str) -> tuple[str, str]:
    end = _key_end(line)
    rest = line[end:].lstrip(_BLANKS)
    if rest[:1] in ("=", ":"):
        rest = rest[1:].lstrip(_BLANKS)
    return _unescape(line[:end]), _unescape(rest)


def _key_end(line: str) -> int:
    position = 0
    while position < len(line):
        if line[position] == "\\":
            position += 1
        elif line[position] in "=:" + _BLANKS:
            break
        position += 1
    return min(position, len(line))


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    parts: list[str] = []
    position = 0
    while position < len(text):
        letter = text[position]
        position += 1
        if letter != "\\":
            parts.append(letter)
        elif text[position : position + 1] == "u":
            parts.append(_unicode(text[position + 1 : position + 5]))
            position += 5
        elif position < len(text):
            parts.append(_ESCAPES.get(text[position], text[position]))
            position += 1
    # Two \u escapes can be the halves of one character.
    return "".join(parts).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unicode(digits: str) -> str:
    if len(digits) != 4 or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        raise ValueError(f"\\u{digits} is not a character")
    return chr(int(digits, 16))


def _flatten(prefix: str, value: object, found: Settings) -> None:
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(f"{prefix}.{key}" if prefix else str(key), inner, found)
        return
    text = _toml_text(value)
    if text is None:
        found.problems.append(f"{prefix}: a setting cannot be a {type(value).__name__}")
    elif prefix in found.values:
        found.problems.append(f"{prefix} is set twice")
    else:
        found.values[prefix] = text


def _toml_text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    if isinstance(value, list):
        texts = [_toml_text(entry) for entry in value if not isinstance(entry, list | dict)]
        known = [text for text in texts if text is not None]
        return ",".join(known) if len(known) == len(value) else None
    return None
