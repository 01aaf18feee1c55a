import pytest

from ballcourt.arena.bots.version import BotVersion


def test_a_version_is_written_as_its_name_and_version() -> None:
    assert str(BotVersion("ann", "1.0.0", "c0ffee")) == "ann 1.0.0"


def test_what_is_written_is_read_again() -> None:
    version = BotVersion("ann", "2 beta", "c0ffee")
    assert BotVersion.parse(str(version), "c0ffee") == version


@pytest.mark.parametrize("text", ["", "ann", "ann ", " 1"])
def test_a_text_without_name_and_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a bot's name and version, such as 'greedy 1\.0\.0'"):
        BotVersion.parse(text)


def test_other_content_under_the_same_name_is_another_version() -> None:
    assert BotVersion("ann", "1", "a") != BotVersion("ann", "1", "b")


def test_versions_are_sorted_by_name_then_version_then_content() -> None:
    first, second, third = BotVersion("ann", "1", "b"), BotVersion("ann", "2", "a"), BotVersion("bea", "1", "a")
    assert sorted([third, second, first]) == [first, second, third]
