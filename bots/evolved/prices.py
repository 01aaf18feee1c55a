"""Copies of modules in which some constants have other values."""

from importlib.util import find_spec, module_from_spec
from types import ModuleType


def priced(name: str, **prices: object) -> ModuleType:
    """Load a module again, apart from the one that others import, and give some of its constants other values.

    Raises AttributeError for a constant that the module does not have.
    """
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"there is no module {name}")
    copy = module_from_spec(spec)
    spec.loader.exec_module(copy)
    if unknown := sorted(set(prices) - set(vars(copy))):
        raise AttributeError(f"{name} has no constant {', '.join(unknown)}")
    vars(copy).update(prices)
    return copy
