"""Who sends a request."""

from typing import NamedTuple


class Client(NamedTuple):
    """As it is shown in descriptions of groups."""

    client_id: str
    client_host: str
