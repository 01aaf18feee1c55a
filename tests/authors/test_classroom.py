"""Authors who need no compiler get from `new-bot` to a rank in a ladder; `python -m tests.authors` has all."""

import pytest

from tests.arena.building.test_registries import registry  # noqa: F401  # a fixture
from tests.arena.conftest import folder_of_all, need_sandbox
from tests.authors.classroom import OF_PYTHON, attend, typed


@pytest.mark.slow
@pytest.mark.usefixtures("registry")
def test_a_class_gets_ranks_in_a_ladder_by_what_the_documents_say() -> None:
    need_sandbox()
    with folder_of_all() as place:
        ranks = attend(OF_PYTHON, place, tier=1)
    assert sorted(ranks) == ["greedy", "nina", "random", "wendy"]
    assert sorted(ranks.values())[0] == 1


def test_an_author_types_nothing_that_no_document_has() -> None:
    assert typed("ballcourt new-bot mine --lang rust")
    with pytest.raises(AssertionError, match="no document has 'ballcourt make-bot mine'"):
        typed("ballcourt make-bot mine")
