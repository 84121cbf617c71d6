"""The exceptions of Ottla, by who handles them.

Refused             a request is not allowed: becomes an error code in the response
RemoteProtocolError the peer sent bytes that make no sense: its connection is closed
LocalProtocolError  we were about to send something impossible
InvalidConfig       the operator must change a setting
InUse               another process has a port or a directory; a later start may work
Bug                 an invariant is broken: never caught, stops the shard or the node
"""

from collections.abc import Sequence

from ottla.model.error_codes import ErrorCode


class Refused(Exception):
    """The request cannot be done; nothing was changed. The handler converts it to the code of its response."""

    def __init__(self, code: ErrorCode, message: str | None = None) -> None:
        super().__init__(f"{code.name}: {message}" if message else code.name)
        self.code = code
        self.message = message

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.code, self.message)


class ProtocolError(Exception):
    """Not raised itself: either the peer did it, or we did."""

    def __init__(self, message: str) -> None:
        if type(self) is ProtocolError:
            raise TypeError("raise RemoteProtocolError or LocalProtocolError")
        super().__init__(message)


class RemoteProtocolError(ProtocolError):
    pass


class LocalProtocolError(ProtocolError):
    pass


class InUse(Exception):
    """Another process has a port or a directory that this one needs. It may be free later."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = list(problems)


class InvalidConfig(Exception):
    """One or more settings are wrong; `problems` has one sentence for each, naming key, value and rule.

    >>> try:
    ...     Producer(bootstrap_servers=servers, linger_ms="soon")
    ... except InvalidConfig as error:
    ...     len(error.problems), "linger.ms" in error.problems[0]
    (1, True)
    """

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = list(problems)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.problems,)


class CorruptLog(Exception):
    """Stored bytes below the recovery point do not make sense. The partition goes offline; nothing is deleted."""

    def __init__(self, path: str, position: int, reason: str) -> None:
        super().__init__(f"{path} at byte {position}: {reason}")
        self.path = path
        self.position = position
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        # Raised in a helper process, handled in the broker's: it must survive the way between them.
        return type(self), (self.path, self.position, self.reason)


class Bug(Exception):
    pass


def check(condition: object, message: str) -> None:
    """An assertion that stays on in production."""
    if not condition:
        raise Bug(message)
