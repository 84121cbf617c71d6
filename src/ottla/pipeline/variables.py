"""`${VAR}` and `${VAR:-default}` in values of a pipeline file; `$${` is a literal `${`."""

import re
from collections.abc import Iterator, Mapping

_REFERENCE = re.compile(r"\$\$\{|\$\{(?P<name>[^}:]*)(?::-(?P<default>[^}]*))?(?P<end>\}?)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class VariableError(ValueError):
    """A reference that cannot be expanded; the message names it."""


class UsedVariables(Mapping[str, str]):
    """An environment that remembers which of its variables were asked for."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self._asked.add(name)
        return self._environment[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._environment)

    def __len__(self) -> int:
        return len(self._environment)

    def used(self) -> dict[str, str]:
        return {name: self._environment[name] for name in sorted(self._asked) if name in self._environment}


def expanded(text: str, environment: Mapping[str, str]) -> str:
    """Raises VariableError. Values are not expanded a second time."""

    def value(found: re.Match[str]) -> str:
        if found[0] == "$${":
            return "${"
        name = found["name"]
        if not found["end"] or not _NAME.match(name):
            raise VariableError(f"{found[0]!r} is not a variable; write ${{NAME}}, or $${{ for a literal ${{")
        default = found["default"]
        if name in environment and (environment[name] or default is None):
            return environment[name]
        if default is None:
            raise VariableError(f"variable {name} is not set; set it, or write ${{{name}:-default}}")
        return str(default)

    return _REFERENCE.sub(value, text)
