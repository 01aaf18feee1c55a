"""`ballcourt tournament --cluster` and `ballcourt admin worker` with wrong input, and as a whole."""

import json
from pathlib import Path

import pytest

from ballcourt.arena.records.store import read_record
from ballcourt.arena.sandbox.tiers import Sandbox
from ballcourt.arena.tournament.folder.output import record_files
from tests.arena.hosted import make_certificate
from tests.arena.ladder.in_process import let_in
from tests.cli.conftest import Refused, Run
from tests.needs import library

library("distributed")

CUP = (
    "tournament",
    "--game",
    "bluff",
    "--bot",
    "./low",
    "--bot",
    "./any",
    "--seats",
    "2",
    "--seed",
    "3",
    "--rounds",
    "2",
)


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--cluster", "here"], "the cluster is 'here'; it must be local:N, tls://HOST:PORT or tcp://HOST:PORT"),
        (["--cluster", "local:0"], "after local: comes a number of workers, 1 to 256"),
        (["--cluster", "tls://localhost:1"], "uses certificates on both sides; give ca, cert, key too"),
        (["--cluster", "local:2", "--workers", "2"], "each worker says how many matches it plays (--slots)"),
        (["--set", "cluster.ca=ca.pem"], "cluster.ca, cluster.cert and cluster.key are for --cluster tls://HOST:PORT"),
        (["--cluster", "local:2", "--set", "cpus=1024"], "do not fit into"),
    ],
)
def test_wrong_input_is_refused_before_anything_is_written(
    refused: Refused, place: Path, flags: list[str], sentence: str
) -> None:
    assert sentence in refused(*CUP, *flags)
    assert not (place / "runs").exists()


def test_a_cluster_that_is_not_there_is_refused(refused: Refused, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ballcourt.arena.cluster.runner.CONNECT_S", 0.2)
    assert "ballcourt: no cluster answers at tcp://127.0.0.1:1; start one with `dask scheduler`" in refused(
        *CUP, "--cluster", "tcp://127.0.0.1:1"
    )
    assert not (place / "runs").exists()


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["tcp://127.0.0.1:1", "--wait", "1"], "no cluster answers at tcp://127.0.0.1:1, tried for 1 s"),
        (["there:1"], "the cluster is 'there:1'; it must be"),
        (["tcp://127.0.0.1:1", "--name", "a b"], "it is 'a b'; it must be 1 to 40 letters"),
        (["tcp://127.0.0.1:1", "--processors", "9999"], "the processors are '9999'; they must be some of 0"),
        (["tls://127.0.0.1:1"], "give ca, cert, key too"),
    ],
)
def test_a_worker_that_cannot_join_says_why(refused: Refused, flags: list[str], sentence: str) -> None:
    assert sentence in refused("admin", "worker", *flags)


def test_certificates_that_cannot_be_read_are_named(refused: Refused, place: Path) -> None:
    made = make_certificate(place)
    assert "cannot use ca none.pem: No such file or directory" in refused(
        "admin", "worker", "tls://127.0.0.1:1", "--ca", "none.pem", "--cert", str(made.path), "--key", str(made.key)
    )


@pytest.mark.gate
@pytest.mark.slow
def test_a_tournament_on_two_workers_has_the_table_of_one_machine(succeeds: Run) -> None:
    tables = []
    for flags in (("--cluster", "local:2"), ("--workers", "1")):
        shown = succeeds(*CUP, "--json", *flags, "--output", flags[1])
        tables.append(shown.stdout)
    assert tables[0] == tables[1]


@pytest.mark.slow
def test_a_bot_that_a_worker_cannot_build_is_refused_with_what_the_build_said(refused: Refused, place: Path) -> None:
    (place / "low" / "bot.toml").write_text(
        'name = "low"\nversion = "1"\ncommand = ["./low"]\nbuild = ["sh", "-c", "echo no compiler; exit 3"]\n'
    )
    complaint = refused(*CUP, "--cluster", "local:1")
    assert "worker local-1: bot low cannot be built: 'sh -c echo no compiler; exit 3' ended with exit" in complaint
    assert "| no compiler" in complaint


@pytest.mark.slow
def test_a_build_that_exceeds_a_limit_on_a_worker_is_refused_with_what_its_author_can_do(
    run: Run, place: Path, tier_1: Sandbox
) -> None:
    with (place / "low" / "bot.toml").open("a") as file:
        file.write('build = ["sh", "-c", "echo begun; sleep 1000"]\n')
    shown = run(*CUP, "--cluster", "local:1", "--sandbox", "1", "--set", "sandbox.build.time_s=1")
    assert shown.exit_code == 2
    ended = (
        "worker local-1: bot low cannot be built: 'sh -c echo begun; sleep 1000' took longer than 1 s; make it quicker"
    )
    assert f"{ended}, or ask the organiser for more: sandbox.build.time_s" in " ".join(shown.stderr.split())


@pytest.mark.slow
def test_a_comparison_on_a_cluster_finds_what_one_machine_finds(run: Run) -> None:
    asked = ("compare", "./any", "./low", "--game", "bluff", "--seats", "2", "--seed", "3", "--at-most", "4", "--json")
    found = []
    for flags in (("--cluster", "local:1"), ("--workers", "1")):
        shown = run(*asked, *flags, "--output", flags[1])
        assert shown.exit_code == 1, shown.stderr
        found.append(json.loads(shown.stdout))
    assert found[0]["matches"] == 4
    assert found[0]["evidence"] == found[1]["evidence"]


@pytest.mark.slow
def test_a_ladder_is_played_by_a_cluster_and_goes_on_without_one(succeeds: Run, place: Path) -> None:
    (place / "bots").mkdir()
    for name in ("low", "any"):
        (place / name).rename(place / "bots" / name)
    file = place / "ladder.toml"
    file.write_text('game = "bluff"\nbots = "bots"\nseats = 2\nseed = 3\nworkers = 1\noutput = "out"\n')
    let_in(file)
    for matches, flags in ((6, ("--cluster", "local:1")), (8, ())):
        succeeds("ladder", "ladder.toml", "--matches", str(matches), *flags)
    workers = [read_record(file).worker for file in record_files(place / "out")]
    assert workers == [""] * 2 + ["local-1"] * 4 + [""] * 2


@pytest.mark.parametrize("command", [("ladder", "ladder.toml"), ("compare", "./low", "./any", "--game", "bluff")])
def test_other_commands_refuse_a_wrong_cluster_before_anything_is_written(
    refused: Refused, place: Path, command: tuple[str, ...]
) -> None:
    (place / "bots").mkdir()
    (place / "ladder.toml").write_text('game = "bluff"\nbots = "bots"\nseats = 2\n')
    for flags, sentence in (
        (["--cluster", "here"], "the cluster is 'here'; it must be"),
        (["--set", "cluster.ca=ca.pem"], "cluster.ca, cluster.cert and cluster.key are for --cluster"),
    ):
        assert sentence in refused(*command, *flags)
