"""The recipe for MaskablePPO. CI has no PyTorch, which is large, so there this is skipped."""

import re

import pytest

from tests.env.test_training_pages import TEXT
from tests.needs import library

pytest.importorskip("sb3_contrib", reason="sb3-contrib, with PyTorch, is not installed: pip install sb3-contrib")
library("gymnasium")


@pytest.mark.slow
def test_the_recipe_for_maskable_ppo_plays_a_match_to_its_end() -> None:
    (recipe,) = (program for program in re.findall(r"^```py\n(.*?)^```$", TEXT, re.M | re.S) if "Maskable" in program)
    names: dict[str, object] = {"__name__": "page"}
    exec(compile(recipe, "the recipe", "exec"), names)
    assert names["over"]
    assert names["reward"] in (-1, 0, 1)
