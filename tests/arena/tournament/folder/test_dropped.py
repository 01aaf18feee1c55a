"""Results of matches whose records are no longer kept."""

from pathlib import Path

from ballcourt.arena.tournament.folder.dropped import (
    dropped_files,
    dropped_keys,
    forget_results,
    keep_results,
    read_dropped,
)


def kept(folder: Path) -> dict[str, object]:
    return {key: value for file in dropped_files(folder) for key, value in read_dropped(file).items()}


def test_results_of_a_match_that_is_played_again_replace_no_results_that_were_kept_with_its_first_ones(
    tmp_path: Path,
) -> None:
    keep_results(tmp_path, {"b1-r0": "first", "b1-r1": "other", "b2-r0": "third"})
    forget_results(tmp_path, ["b1-r0"])
    keep_results(tmp_path, {"b1-r0": "again", "b3-r0": "fourth"})
    assert kept(tmp_path) == {"b1-r0": "again", "b1-r1": "other", "b2-r0": "third", "b3-r0": "fourth"}
    forget_results(tmp_path, ["b1-r0", "b3-r0"])
    assert dropped_keys(tmp_path) == {"b1-r1", "b2-r0"} and len(dropped_files(tmp_path)) == 1


def test_results_that_are_all_forgotten_leave_no_file(tmp_path: Path) -> None:
    keep_results(tmp_path, {"b1-r0": "first"})
    forget_results(tmp_path, ["b1-r0", "b9-r0"])
    assert dropped_files(tmp_path) == []
