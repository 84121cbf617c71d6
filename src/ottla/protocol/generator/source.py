"""Lines of Python with indentation, and the precompiled struct formats that they use."""

from collections.abc import Iterator
from contextlib import contextmanager


class Source:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        self.lines.append("    " * self._depth + text if text else "")

    @contextmanager
    def block(self, heading: str) -> Iterator[None]:
        self.line(heading)
        self._depth += 1
        yield
        self._depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


class Formats:
    """Module-level names for bound `pack` and `unpack_from` methods, in order of first use."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def unpack(self, codes: str) -> str:
        return self._name("_u_", codes, "unpack_from")

    def pack(self, codes: str) -> str:
        return self._name("_p_", codes, "pack")

    def _name(self, prefix: str, codes: str, method: str) -> str:
        name = prefix + codes.replace("?", "t")
        self._names[name] = f'{name} = _Struct(">{codes}").{method}'
        return name

    def definitions(self) -> list[str]:
        return list(self._names.values())
