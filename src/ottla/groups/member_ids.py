"""Member ids that the coordinator makes."""

from ottla.doors.rng import Rng
from ottla.model.topic import id_text


def text_uuid(rng: Rng) -> str:
    """A random uuid as 36 characters: the end of a classic member id."""
    digits = rng.uuid().hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def short_uuid(rng: Rng) -> str:
    """A random uuid as 22 characters: a member id in a consumer group."""
    return id_text(rng.uuid())
