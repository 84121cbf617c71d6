"""The client's side of a SASL login, without I/O: which bytes to send next.

`PLAIN` is here, SCRAM in `ottla.security.scram`. Kafka's framing of the bytes is the channel's business.
"""

from typing import Protocol


class LoginFailed(Exception):
    """The broker refused the login, or did not prove that it knows the password. Another attempt will not help."""


class SaslExchange(Protocol):
    """One login. A new one is created for each connection and for each re-authentication."""

    @property
    def mechanism(self) -> str: ...

    def first_message(self) -> bytes: ...

    def next_message(self, challenge: bytes) -> bytes | None:
        """The response to what the broker sent; None when the login is complete. Raises LoginFailed."""


class PlainExchange:
    """RFC 4616: the password itself. Only for encrypted connections."""

    mechanism = "PLAIN"

    def __init__(self, username: str, password: str) -> None:
        if "\0" in username or "\0" in password:
            raise ValueError("user name and password must not contain NUL")
        self._message = b"\0" + username.encode() + b"\0" + password.encode()

    def first_message(self) -> bytes:
        return self._message

    def next_message(self, challenge: bytes) -> bytes | None:
        return None
