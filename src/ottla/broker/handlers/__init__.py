"""One file per API of Kafka: translate, ask, respond."""

import importlib
import pkgutil

from ottla.broker.requests.registry import Entry, registered


def load_handlers() -> dict[int, Entry]:
    """Imports every module of this package and gives the table of what is served."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return registered()
