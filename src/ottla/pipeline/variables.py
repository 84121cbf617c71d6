"""`${VAR}` and `${VAR:-default}` in values of a pipeline file; `$${` is a literal `${`."""

import re
from collections.abc import Mapping

_REFERENCE = re.compile(r"\$\$\{|\$\{(?P<name>[^}:]*)(?::-(?P<default>[^}]*))?(?P<end>\}?)")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


class VariableError(ValueError):
    """A reference that cannot be expanded; the message names it."""


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
