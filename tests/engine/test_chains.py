"""The lines by which two builds of the engine are compared."""

from tests.engine.chains import lines


def test_the_printout_names_every_match_and_is_the_same_every_time() -> None:
    printed = lines(3)
    assert printed == lines(3)
    assert [line.split()[:3] for line in printed if line.startswith("bluff")] == [
        ["bluff", "1", "0"],
        ["bluff", "2", "1"],
        ["bluff", "3", "2"],
    ]
