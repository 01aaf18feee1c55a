"""The attacks, a module per class. Each module lists its own as ATTACKS."""

import pkgutil
from importlib import import_module

from tests.attacks.attack import Attack
from tests.attacks.in_match import InMatch
from tests.needs import library

library("distributed")  # some attack clusters
_MODULES = [import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
CLASSES: tuple[tuple[Attack, ...], ...] = tuple(module.ATTACKS for module in _MODULES)
ATTACKS = tuple(attack for attacks in CLASSES for attack in attacks)
IN_MATCH = tuple(attack for attack in ATTACKS if isinstance(attack, InMatch))
