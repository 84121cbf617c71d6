"""Who sends a request."""

from typing import Final, NamedTuple


class Principal(NamedTuple):
    """As Kafka writes it in ACLs and logs: `User:alice`."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


#: Whoever connects to a listener without authentication.
ANONYMOUS: Final = Principal("User", "ANONYMOUS")
