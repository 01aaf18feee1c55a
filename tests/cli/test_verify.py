"""`ballcourt event bundle` and `ballcourt event verify`: finals that anybody can check and play again."""

import json
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from ballcourt.arena.records.store import read_record, write_record
from ballcourt.arena.tournament.event.manifest import MANIFEST
from ballcourt.arena.tournament.event.model import Event
from ballcourt.arena.tournament.event.reading import read_event
from ballcourt.arena.tournament.event.tables import SetUpTable
from ballcourt.arena.tournament.folder.events import MatchPlayed
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.organiser.signed_bundle import INDEX, SIGNATURE
from ballcourt.arena.tournament.organiser.signing import read_key, sign
from ballcourt.arena.tournament.schedules.stop import parse_rule
from ballcourt.cli import verify
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.tournament.in_process import events, play_all
from tests.cli.conftest import Refused, Run

SETUPS = (SetUpTable(seats=(2, 3)), SetUpTable(seats=(2,), options={"rounds": ("1",)}))


@pytest.fixture
def cup(place: Path) -> Event:
    return Event().replaced(game="bluff", bots=(str(place / "low"), f"twin={place / 'any'}"), seats=2, blocks=2)


def bundled(name: str, succeeds: Run) -> Result:
    """Sign an event that is over; its bundle is NAME.zip."""
    succeeds("event key key")
    return succeeds(f"event bundle {name} --key key --output {name}.zip")


def three(place: Path) -> Event:
    """Return the settings of an event of three bots."""
    bots = (str(place / "low"), f"any={place / 'any'}", f"twin={place / 'any'}")
    return Event().replaced(game="bluff", bots=bots)


@pytest.fixture
def bundle(cup: Event, place: Path, succeeds: Run) -> Path:
    play_all(place / "cup", cup)
    assert "the event is closed" in bundled("cup", succeeds).stderr
    return place / "cup.zip"


@pytest.fixture
def pool(place: Path, succeeds: Run) -> None:
    """An event with three set-ups, which is over and has a signed bundle."""
    play_all(place / "pool", three(place).replaced(setup=SETUPS, blocks=5))
    bundled("pool", succeeds)


def commitment(place: Path) -> str:
    return str(tomllib.loads((place / "cup" / "tournament.toml").read_text())["seed"])


def forged(bundle: Path, change: dict[str, bytes], key: Path) -> None:
    """Change files of a bundle, leave out those that are empty, and sign it again."""
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()} | change
    files = {name: data for name, data in files.items() if data}
    index = json.loads(files[INDEX])
    signed = {name: sha256(data).hexdigest() for name, data in files.items() if name not in (INDEX, SIGNATURE)}
    files[INDEX] = json.dumps(index | {"files": signed}).encode()
    files[SIGNATURE] = "\n".join(sign(files[INDEX], read_key(key))).encode()
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)


def fails(run: Run, name: str) -> str:
    """Return what is printed of a bundle that is not right."""
    checked = run(f"event verify {name}.zip")
    assert checked.exit_code == 1
    return checked.stdout


def written(record: MatchRecord, folder: Path) -> bytes:
    return write_record(folder / "forged", record).read_bytes()


def test_an_honest_bundle_agrees_in_everything(bundle: Path, place: Path, succeeds: Run) -> None:
    with zipfile.ZipFile(bundle) as archive:
        public = archive.read(SIGNATURE).decode().split()[0]
    checked = succeeds("event", "verify", "cup.zip", "--key", public, "--commitment", commitment(place), "--json")
    assert [(check["check"], check["agrees"]) for check in json.loads(checked.stdout)] == [
        (name, True) for name in ("signature", "files", "seed", "schedule", "rules", "table")
    ]


@pytest.fixture
def final(place: Path, succeeds: Run) -> Path:
    """The signed bundle of an elimination."""
    play_all(place / "final", three(place).replaced(seats=2, format="single-elimination"))
    bundled("final", succeeds)
    return place / "final.zip"


def test_the_placing_by_the_rules_is_signed_and_checked(final: Path, place: Path, run: Run) -> None:
    with zipfile.ZipFile(final) as archive:
        placing = json.loads(archive.read("placing.json"))
        table = json.loads(archive.read("table.json"))
    assert placing == json.loads((place / "final" / "placing.json").read_text())
    assert "ok      placing: it follows from the matches" in run("event verify final.zip").stdout
    assert "By the rules of single-elimination: 1. " in run("event certificate final").stdout
    assert json.loads(run("event certificate final --json").stdout)["placing"] == placing
    places = placing["placing"]["places"]
    places[0]["entrant"], places[1]["entrant"] = places[1]["entrant"], places[0]["entrant"]
    forged(final, {"placing.json": json.dumps(placing).encode()}, place / "key")
    checked = run("event verify final.zip")
    assert checked.exit_code == 1
    assert "ok      table" in checked.stdout
    assert "FAILED  placing: it does not follow from the matches" in checked.stdout
    del table["placing"], table["ladders"][0]["unplayed"]
    forged(final, {"placing.json": b"", "table.json": json.dumps(table).encode()}, place / "key")
    assert run("event verify final.zip").exit_code == 0, "bundles of earlier versions have none"


def test_a_placing_where_ratings_decide_fails(bundle: Path, place: Path, run: Run) -> None:
    forged(bundle, {"placing.json": b"{}"}, place / "key")
    assert "FAILED  placing" in run("event verify cup.zip").stdout


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--key", "00"], "FAILED  signature: it is by "),
        (["--commitment", "sha256:00"], "FAILED  seed: the bundle is for sha256:"),
    ],
)
def test_another_key_or_commitment_than_was_published_fails(
    bundle: Path, run: Run, flags: list[str], sentence: str
) -> None:
    checked = run("event", "verify", "cup.zip", *flags)
    assert checked.exit_code == 1
    assert checked.stdout.splitlines()[-1].startswith(sentence), "nothing else of a bundle by another is looked at"


def test_a_check_whose_value_a_shell_left_empty_is_not_left_out(bundle: Path, refused: Refused) -> None:
    for flag in ("--key", "--commitment"):
        for words in ([flag, ""], [f"{flag}="]):
            assert f"Invalid value for {flag}: it is empty; give a value, or leave it out" in refused(
                "event", "verify", "cup.zip", *words
            )


def test_a_schedule_without_an_end_is_walked_as_far_as_there_are_matches(bundle: Path, place: Path, run: Run) -> None:
    with zipfile.ZipFile(bundle) as archive:
        manifest = archive.read(MANIFEST)
    endless = manifest.replace(b"2 blocks", b"%d blocks" % 10**18)
    forged(bundle, {MANIFEST: endless}, place / "key")
    assert "FAILED  schedule: b000002-r0 is missing" in fails(run, "cup")


def test_a_changed_result_fails_even_if_it_is_signed(bundle: Path, place: Path, run: Run, tmp_path: Path) -> None:
    record = read_record(record_files(place / "cup")[0])
    record.results[0].score += 1
    forged(bundle, {f"records/{record.key}.match": written(record, tmp_path)}, place / "key")
    checked = run("event verify cup.zip")
    assert checked.exit_code == 1
    assert "ok      signature" in checked.stdout
    assert f"FAILED  rules: {record.key}: the result of seat 0 differs" in checked.stdout


def test_a_match_that_was_left_out_fails(bundle: Path, place: Path, run: Run) -> None:
    forged(bundle, {"records/b000001-r0.match": b""}, place / "key")
    assert "FAILED  schedule: b000001-r0 is missing" in fails(run, "cup")


def test_another_deal_than_the_seed_gives_fails(bundle: Path, place: Path, run: Run, tmp_path: Path) -> None:
    first, second = record_files(place / "cup")[:2]
    record, other = read_record(first), read_record(second)
    record.seed = other.seed
    forged(bundle, {f"records/{record.key}.match": written(record, tmp_path)}, place / "key")
    assert "is the record of another match" in fails(run, "cup")


def test_a_table_that_does_not_follow_from_the_matches_fails(bundle: Path, place: Path, run: Run) -> None:
    with zipfile.ZipFile(bundle) as archive:
        table = json.loads(archive.read("table.json"))
    table["ladders"][0]["standings"].reverse()
    forged(bundle, {"table.json": json.dumps(table).encode()}, place / "key")
    assert "FAILED  table: it does not follow from the matches" in fails(run, "cup")


def retyped(value: Any) -> Iterator[Any]:  # noqa: ANN401  # JSON values
    """Yield a JSON value with one value in it replaced by an equal one of another type."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            for other in retyped(inner):
                copied = value.copy()
                copied[key] = other
                yield copied
    elif isinstance(value, int | float):
        others = (bool(value), int(value), float(value))
        yield from (other for other in others if other == value and type(other) is not type(value))


def test_a_table_with_equal_values_of_another_type_fails(bundle: Path, place: Path, run: Run) -> None:
    with zipfile.ZipFile(bundle) as archive:
        table = json.loads(archive.read("table.json"))
    found = [*retyped(table)]
    assert len(found) > 20
    assert verify._same(table, table)
    assert not any(verify._same(other, table) for other in found)
    forged(bundle, {"table.json": json.dumps(found[0]).encode()}, place / "key")
    assert "FAILED  table: it does not follow from the matches" in fails(run, "cup")


def test_an_index_with_a_value_of_another_type_is_refused(bundle: Path, refused: Refused) -> None:
    with zipfile.ZipFile(bundle) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files[INDEX] = json.dumps(json.loads(files[INDEX]) | {"commitment": False}).encode()
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    assert "cup.zip is damaged: bundle.json: commitment must be of the type string" in refused(
        "event", "verify", "cup.zip"
    )


def test_a_table_much_larger_than_the_matches_give_is_not_even_read(bundle: Path, place: Path, run: Run) -> None:
    forged(bundle, {"table.json": b"[" * 10_000 + b"]" * 10_000}, place / "key")
    failed = run("event verify cup.zip")
    assert failed.exit_code == 1
    assert "FAILED  table: it does not follow from the matches: it is larger than" in failed.stdout


def test_a_revealed_seed_that_was_not_committed_to_fails(bundle: Path, place: Path, run: Run) -> None:
    with zipfile.ZipFile(bundle) as archive:
        index = json.loads(archive.read(INDEX))
    forged(bundle, {INDEX: json.dumps(index | {"seed": f"8 {'0' * 32}"}).encode()}, place / "key")
    assert "FAILED  seed: 8 00000000000000000000000000000000 is not what sha256:" in fails(run, "cup")


def played_again(place: Path, name: str) -> tuple[list[MatchRecord], Path]:
    """Play the event of a bundle again elsewhere, as it was played; return the records and the tournament file."""
    with zipfile.ZipFile(place / f"{name}.zip") as archive:
        archive.extract("event.toml", place / "elsewhere")
        if "decisions.jsonl" in archive.namelist():
            archive.extract("decisions.jsonl", place / "again")
    for bot in ("low", "any"):
        shutil.copytree(place / bot, place / "elsewhere" / "bots" / bot)
    file = place / "elsewhere" / "event.toml"
    play_all(place / "again", read_event(file))
    first, again = ([read_record(file) for file in record_files(place / folder)] for folder in (name, "again"))
    for one, other in zip(first, again, strict=True):
        assert (one.key, one.seed, one.options, one.results) == (other.key, other.seed, other.options, other.results)
        assert one.decisions.actions == other.decisions.actions
    return first, file


def test_the_tournament_file_in_a_bundle_plays_the_event_again(bundle: Path, place: Path) -> None:
    _, file = played_again(place, "cup")
    (place / "elsewhere" / "bots" / "low" / "more").write_text("")
    with pytest.raises(Exception, match="the files of low 1 are not those that are asked for: their content hash is"):
        next(iter(events(place / "third", read_event(file))))


def test_an_event_is_played_again_with_the_decisions_of_its_bundle(cup: Event, place: Path, succeeds: Run) -> None:
    play_all(place / "cup", cup)
    for decision in (
        ("repeat", "cup", "b000000"),
        ("void", "cup", "b000001-r0"),
        ("add", "cup", f"late={place / 'any'}"),
        ("lengthen", "cup", "--blocks", "5"),
    ):
        succeeds("event", *decision, "--reason", "why not")
    play_all(place / "cup", cup)
    bundled("cup", succeeds)
    played, _ = played_again(place, "cup")
    assert {bot.name for record in played for bot in record.entrants} == {"low", "twin", "late"}


def test_a_bundle_of_several_set_ups_agrees_in_everything(place: Path, succeeds: Run, pool: None) -> None:
    checked = succeeds("event verify pool.zip")
    assert checked.stdout.count("ok ") == 6, checked.stdout
    with zipfile.ZipFile(place / "pool.zip") as archive:
        assert len(json.loads(archive.read("table.json"))["ladders"]) == 3
    played_again(place, "pool")


def test_a_match_of_another_set_up_fails(place: Path, run: Run, pool: None, tmp_path: Path) -> None:
    records = [read_record(file) for file in record_files(place / "pool")]
    record = next(found for found in records if len(found.entrants) == 2 and found.options["rounds"] == "3")
    record.options["rounds"] = "1"
    forged(place / "pool.zip", {f"records/{record.key}.match": written(record, tmp_path)}, place / "key")
    assert f"{record.key}.match is the record of another match" in fails(run, "pool")


def test_a_match_of_one_set_up_that_was_left_out_fails(place: Path, run: Run, pool: None) -> None:
    of_three = next(record for file in record_files(place / "pool") if len((record := read_record(file)).entrants) == 3)
    forged(place / "pool.zip", {f"records/{of_three.key}.match": b""}, place / "key")
    assert f"FAILED  schedule: {of_three.key} is missing" in fails(run, "pool")


def test_a_closed_event_neither_changes_nor_goes_on(bundle: Path, succeeds: Run, refused: Refused, cup: Event) -> None:
    assert "nothing can be decided any more: the event is closed" in refused("event pause cup --reason x")
    assert "cannot be longer: the event is closed" in refused("tournament cup/tournament.toml --blocks 9")
    succeeds("event bundle cup --key key --output again.zip")


def test_only_an_event_that_is_over_is_bundled(cup: Event, place: Path, run: Run, refused: Refused) -> None:
    running = events(place / "cup", cup)
    while not record_files(place / "cup"):
        next(running)
    running.close()  # type: ignore[attr-defined]
    run("event key key")
    assert "the event is not over: b000000-r1 is still to be played; run the tournament again first" in refused(
        "event bundle cup --key key --output cup.zip"
    )
    assert not (place / "cup.zip").exists()
    assert not (place / "cup" / "decisions.jsonl").exists()
    nowhere = run("event bundle nowhere --key key --output cup.zip")
    assert "nowhere is not the output folder of a tournament" in nowhere.stderr


@pytest.mark.parametrize("output", ["nowhere/cup.zip", "low/bot.toml/cup.zip", "low"])
def test_an_event_whose_bundle_cannot_be_written_is_not_closed(
    cup: Event, place: Path, run: Run, refused: Refused, output: str
) -> None:
    play_all(place / "cup", cup)
    run("event key key")
    assert f"{output} cannot be written: " in refused("event", "bundle", "cup", "--key", "key", "--output", output)
    assert not (place / "cup" / "decisions.jsonl").exists()


def test_what_is_not_a_bundle_is_wrong_input(place: Path, run: Run) -> None:
    (place / "cup.zip").write_bytes(b"PK")
    refused = run("event verify cup.zip")
    assert refused.exit_code == 2
    assert refused.stderr == "ballcourt: cup.zip is not a bundle: File is not a zip file\n"


def test_an_event_that_ended_because_its_results_say_enough_is_over(place: Path, run: Run, succeeds: Run) -> None:
    bots = ["--bot", "./low", "--bot", "./any"]
    short = ["tournament", "--game", "bluff", *bots, "--set", "stop=±4.0", "--output", "cup", "--workers", "1"]
    succeeds(*short)
    succeeds("event key key")
    succeeds("event bundle cup --key key --output cup.zip")
    checked = run("event verify cup.zip")
    assert (checked.exit_code, "FAILED" in checked.stdout) == (0, False)


@pytest.mark.slow
def test_an_event_with_a_time_limit_is_over_only_when_that_has_passed(
    place: Path, run: Run, succeeds: Run, cup: Event
) -> None:
    for stop, is_over in (("0.001 s", True), ("9 d", False)):
        asked = cup.replaced(blocks=100, stop=(parse_rule(stop),), seats=2)
        with closing(events(place / stop, asked)) as running:  # type: ignore[type-var]
            for event in running:
                if isinstance(event, MatchPlayed) and event.key == "b000001-r1":
                    break
        succeeds("event", "key", f"{stop}.key")
        made = run("event", "bundle", stop, "--key", f"{stop}.key", "--output", f"{stop}.zip")
        assert (made.exit_code == 0, "b000002-r0 is still to be played" in made.stderr) == (is_over, not is_over)
    succeeds("event", "verify", "0.001 s.zip")
