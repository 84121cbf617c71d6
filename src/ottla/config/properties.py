"""Parses settings: Java properties, TOML, `key=value` flags. Files are read elsewhere.

Every parser returns a `Settings`: the values, where each of them is set, and one sentence for each problem, so that a
start can report all of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
_BLANKS = " \t\f"


class Settings(NamedTuple):
    values: dict[str, str]
    problems: list[str]
    #: Setting -> where it is set: `server.properties:4`, a variable or a flag.
    origins: dict[str, str]

    def set(self, name: str, value: str, origin: str) -> None:
        self.values[name] = value
        self.origins[name] = origin


def parse_properties(text: str, file: str = "") -> Settings:
    """Java's format: escapes, lines continued by a backslash, `#` and `!` comments.

    Java lets the last one of two equal keys win; here two different values are a problem.
    """
    found = Settings({}, [], {})
    for number, line in _logical_lines(text.removeprefix("\ufeff")):
        origin = _at_line(file, number)
        try:
            key, value = _split(line)
        except ValueError as error:
            found.problems.append(f"{origin}: {error}")
            continue
        if found.values.get(key, value) != value:
            found.problems.append(f"{origin}: {key} is set twice, to different values")
        found.set(key, value, origin)
    return found


def parse_toml(text: str, file: str = "") -> Settings:
    """Nested tables become dotted names; lists become comma-separated texts."""
    import tomllib  # seldom used, and not cheap to load

    text = text.removeprefix("\ufeff")
    found = Settings({}, [], {})
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found.problems.append(f"{file}: not valid TOML: {error}".removeprefix(": "))
        return found
    numbers = _toml_line_numbers(text)
    for name, value in _flattened("", document):
        origin = _at_line(file, numbers[name]) if name in numbers else file
        setting = _toml_text(value)
        if setting is None:
            found.problems.append(f"{origin}: {name}: a setting cannot be a {type(value).__name__}".removeprefix(": "))
        elif name in found.values:
            found.problems.append(f"{origin}: {name} is set twice".removeprefix(": "))
        else:
            found.set(name, setting, origin)
    return found


def parse_overrides(pairs: Iterable[str]) -> Settings:
    """`key=value` texts of flags; the last one wins."""
    found = Settings({}, [], {})
    for pair in pairs:
        key, separator, value = pair.partition("=")
        if separator and key.strip():
            found.set(key.strip(), value.strip(), "--override")
        else:
            found.problems.append(f"--override {pair!r} is not of the form key=value")
    return found


def located(problem: str, origins: Mapping[str, str]) -> str:
    """The problem behind the places where the settings that it names are set."""
    import re  # only a problem needs it

    names = [word.rstrip(".-") for word in re.findall(r"[A-Za-z][A-Za-z0-9._-]*", problem)]
    places = dict.fromkeys(origins[name] for name in names if name in origins)
    known = [place for place in places if place and not problem.startswith(place)]
    return f"{', '.join(known)}: {problem}" if known else problem


def combine(layers: Sequence[Settings]) -> Settings:
    """Later layers take precedence."""
    combined = Settings({}, [], {})
    for layer in layers:
        combined.values.update(layer.values)
        combined.origins.update(layer.origins)
        combined.problems.extend(layer.problems)
    return combined


def _at_line(file: str, number: int) -> str:
    return f"{file}:{number}" if file else f"line {number}"


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


def _flattened(prefix: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flattened(f"{prefix}.{key}" if prefix else str(key), inner)
    else:
        yield prefix, value


def _toml_line_numbers(text: str) -> dict[str, int]:
    """Dotted name -> the line where its key stands. The parser of the standard library does not report it."""
    import re  # seldom used, and a start loads this module first

    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line)
        key = re.match(r"\s*([^=#\[\]]+?)\s*=", line)
        if header is not None:
            table = _toml_name(header[1]) + "."
        elif key is not None:
            found.setdefault(table + _toml_name(key[1]), number)
    return found


def _toml_name(text: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in text.split("."))


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
