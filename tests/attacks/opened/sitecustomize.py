"""Opens a wall in each Python program that starts while OPENED is set: Python imports this module by its name.

OPENED is a JSON object with, by the name of a module, the statements that are carried out in it when it is loaded.
"""

import json
import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

OPENED = "BALLCOURT_ATTACKS_OPENED"
CHANGES: dict[str, str] = json.loads(os.environ.get(OPENED, "{}"))


class Opener(MetaPathFinder):
    """Finds the modules that are changed, and has the change made right after each is loaded."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where another finder has found a module; None for those that are not changed."""
        if not (change := CHANGES.get(fullname)):
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        spec = next(filter(None, (finder.find_spec(fullname, path, target) for finder in others)), None)
        if spec and (loader := spec.loader):
            load = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                exec(change, module.__dict__)

            loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


if CHANGES and __name__ == "sitecustomize":  # not where it is imported for the name OPENED
    sys.meta_path.insert(0, Opener())
