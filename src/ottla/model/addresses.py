"""Addresses as the system names the peers of connections."""

from typing import Final

LOOPBACK_V4: Final = "127.0.0.1"
LOOPBACK_V6: Final = "::1"


def is_loopback_address(host: str) -> bool:
    """Whether a numeric address is this machine's own. Not for names: what `127.example.org` means, only DNS knows."""
    return host.startswith(("127.", "::ffff:127.")) or host == "::1"
