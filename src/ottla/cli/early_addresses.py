"""Which addresses a start will listen on, guessed from its words before anything else is loaded.

A guess may be incomplete, never binding: `ottla.cli.settings` reads and checks everything a moment later, and sockets
that its plan does not name are closed unused. Only what is cheap to load may be imported here.
"""

from collections.abc import Iterator, Mapping, Sequence

from ottla.config.properties import parse_overrides, parse_properties
from ottla.model.addresses import LOOPBACK_V4, LOOPBACK_V6

_COMMANDS = ("serve", "server-start", "start")
_DEFAULT = "PLAINTEXT://localhost:9092"


def guess(words: Sequence[str], environment: Mapping[str, str]) -> list[tuple[str, int]]:
    """IP addresses with a port; none for words or files that are not understood."""
    if not words or words[0] not in _COMMANDS or "-daemon" in words or "--daemon" in words:
        return []
    file, overrides = _split(words[1:])
    listeners = (
        parse_overrides(overrides).values.get("listeners")
        or environment.get("OTTLA_LISTENERS")
        or environment.get("KAFKA_LISTENERS")
        or _of_file(file)
    )
    return list(_addresses(listeners))


def _split(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """The file and the overrides."""
    file: str | None = None
    overrides: list[str] = []
    rest = iter(words)
    for word in rest:
        if word.startswith("--override="):
            overrides.append(word.partition("=")[2])
        elif word == "--override":
            overrides.append(next(rest, ""))
        elif word in ("--log-level", "--log-format", "--ready-file"):
            next(rest, None)
        elif not word.startswith("-"):
            file = word
    return file, overrides


def _of_file(file: str | None) -> str:
    if file is None:
        return _DEFAULT
    if file.endswith(".toml"):
        return ""
    try:
        with open(file, encoding="utf-8") as source:
            return parse_properties(source.read()).values.get("listeners", _DEFAULT)
    except (OSError, UnicodeDecodeError):
        return ""


def _addresses(listeners: str) -> Iterator[tuple[str, int]]:
    for text in listeners.split(","):
        host, _, port = text.strip().rpartition("://")[2].rpartition(":")
        host = host.strip("[]")
        is_plain = bool(host) and (":" in host or host.replace(".", "").isdigit())
        hosts = (LOOPBACK_V4, LOOPBACK_V6) if host == "localhost" else (host,) if is_plain else ()
        if port.isdigit() and 0 < int(port) < 65536:
            yield from ((each, int(port)) for each in hosts)
