"""The features of this release: what it supports, and what a new cluster agrees on."""

from collections.abc import Mapping

from ottla.metadata.broker_registration import VersionRange
from ottla.metadata.image import METADATA_VERSION

#: Ranges of this release. share, streams and eligible leader replicas join when they are served.
SUPPORTED_FEATURES: Mapping[str, VersionRange] = {
    METADATA_VERSION: VersionRange(7, 30),
    "group.version": VersionRange(0, 1),
    "kraft.version": VersionRange(0, 1),
    "transaction.version": VersionRange(0, 2),
}

#: What a new cluster agrees on. kraft.version is kept by the quorum itself, in control records.
FIRST_LEVELS: Mapping[str, int] = {METADATA_VERSION: 30, "group.version": 1, "transaction.version": 2}


def unsupported_level(levels: Mapping[str, int]) -> str | None:
    """Why a log with these levels must not be opened: it may hold records that this release cannot read.

    Features that this release does not serve are no reason: their records are known and kept.
    """
    for name, level in levels.items():
        supported = SUPPORTED_FEATURES.get(name)
        if supported is not None and not supported.covers(level):
            known = f"this release supports {supported.min_version}-{supported.max_version}"
            by = "a newer release wrote it" if level > supported.max_version else "an older release wrote it"
            return f"{name} is {level}, {known}; {by}"
    return None
