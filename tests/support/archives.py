"""Archives of test data."""

import tarfile
from pathlib import Path


def unpack(archive: Path, directory: Path) -> None:
    with tarfile.open(archive) as tar:
        # `extractall(filter=…)` came with Python 3.11.4; Debian 12 has 3.11.2, where this attribute has no effect.
        tar.extraction_filter = getattr(tarfile, "data_filter", None)
        tar.extractall(directory)
