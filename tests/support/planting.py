"""Puts a mutation of `tests.mutations` in place of the function that it names."""

import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

import tests.mutations


def mutation_names() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(tests.mutations.__path__))


def load_mutation(name: str) -> ModuleType:
    return import_module(f"tests.mutations.{name}")


@contextmanager
def plant(name: str) -> Iterator[ModuleType]:
    """The bug is in the product until the block ends."""
    mutation = load_mutation(name)
    owner, attribute = _owner_of(mutation.TARGET)
    original = getattr(owner, attribute)
    setattr(owner, attribute, mutation.planted(original))
    try:
        yield mutation
    finally:
        setattr(owner, attribute, original)


def _owner_of(target: str) -> tuple[Any, str]:
    module_name, class_name, attribute = target.rsplit(".", 2)
    return getattr(import_module(module_name), class_name), attribute
