"""Addresses as the system names the peers of connections."""


def is_loopback_address(host: str) -> bool:
    """Whether a numeric address is this machine's own. Not for names: what `127.example.org` means, only DNS knows."""
    return host.startswith(("127.", "::ffff:127.")) or host == "::1"
