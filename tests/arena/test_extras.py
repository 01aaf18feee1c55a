"""Whatever optional package is missing, one kind of sentence says who needs it and what to install."""

import re
import sys
import tomllib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from ballcourt.arena.extras import EXTRAS
from ballcourt.cli.commands import app
from ballcourt.contest.create import make_contest
from ballcourt.contest.sign_in.issuers import issuers_of
from ballcourt.contest.store.contest import open_contest
from ballcourt.leaderboard.store.database import open_database

ROOT = Path(__file__).parents[2]
USERS = re.compile(r"ballcourt\.(env|bots\.llm)")
"""The modules that import packages of extras as soon as they are imported."""
OURS = re.compile(r"ballcourt\.(?!engine\.|v1\.)")
"""The modules that may import them, at once or later; not games, which are registered."""
FOR_DEVELOPERS = {"dev", "docs", "full", "release", "types"}


def imports(name: str) -> Callable[[], object]:
    return lambda: import_module(name)


def runs(*words: str) -> Callable[[], object]:
    return lambda: app(words, standalone_mode=False)


def connects() -> None:
    with open_database("postgresql://localhost/none") as database:
        database.results()


def signs_in() -> None:
    make_contest(Path("cup"), "cup", "http://127.0.0.1:8000", "maya", 2, unconfined=True)
    with Path("cup/contest.toml").open("a") as file:
        file.write('[[sign_in]]\nname = "uni"\ntitle = "Uni"\nclient = "cup"\nissuer = "https://uni.example.org"\n')
    with open_contest(Path("cup/contest.toml")) as contest:
        issuers_of(contest)


def opens_a_bucket() -> None:
    make_contest(Path("cup"), "cup", "http://127.0.0.1:8000", "maya", 2, unconfined=True)
    file = Path("cup/contest.toml")
    file.write_text(f'archives = "s3://cup"\n{file.read_text()}')
    with open_contest(file):
        pass


def renders() -> None:
    from ballcourt.env.rendering import Shown

    Shown()._show("rgb_array")


USES = [
    ("contest", "python_multipart", runs("serve", "runs", "--contest", "contest.toml")),
    (
        "cluster",
        "distributed",
        runs(
            "tournament", "--game", "maya", "--bot", "random", "--bot", "greedy", "--seats", "2", "--cluster", "local:1"
        ),
    ),
    ("data", "pyarrow", runs("replay", "export", "runs", "--output", "data")),
    ("data", "pyarrow", imports("ballcourt.env.dataset")),
    ("llm", "httpx2", imports("ballcourt.bots.llm.bot")),
    ("mcp", "mcp", runs("mcp", "maya", "agent", "random")),
    ("metrics", "prometheus_client", runs("serve", "runs", "--contest", "contest.toml", "--monitor", "0")),
    ("oidc", "authlib", signs_in),
    ("plot", "matplotlib", renders),
    ("postgres", "psycopg", connects),
    ("reflection", "grpc_reflection", runs("host", "event.toml", "--reflection")),
    ("rl", "gymnasium", imports("ballcourt.env.gymnasium")),
    ("rl", "gymnasium", imports("ballcourt.env.pettingzoo")),
    ("rl", "pettingzoo", imports("ballcourt.env.pettingzoo")),
    ("rl", "pyspiel", imports("ballcourt.env.openspiel")),
    ("s3", "obstore", opens_a_bucket),
    ("sign", "cryptography", runs("event", "key", "mine.pem")),
    ("web", "fastapi", runs("serve", "runs")),
    ("web", "jinja2", runs("study", "report", "maya", "--plot", "plots")),
    ("web", "uvicorn", runs("replay", "analyse", "a.match")),
]


@pytest.mark.parametrize(("extra", "module", "use"), USES)
def test_a_missing_package_is_named_with_its_extra(
    extra: str,
    module: str,
    use: Callable[[], object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    known = {*sys.modules}
    for name in [name for name in sys.modules if USERS.match(name) or name.partition(".")[0] == module]:
        parent, _, own = name.rpartition(".")
        if parent in sys.modules:  # else it would name the module that is imported again, for all later tests
            monkeypatch.delattr(sys.modules[parent], own, raising=False)
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    sentence = ""
    try:
        use()
    except (Exception, SystemExit) as error:
        sentence = str(error)
    finally:
        for name in filter(OURS.match, {*sys.modules} - known):  # they have imported what is forgotten again
            del sys.modules[name]
            parent, _, own = name.rpartition(".")
            if parent in sys.modules:
                vars(sys.modules[parent]).pop(own, None)
    wanted = rf"(.*: )?[\w\[\] -]+ needs? {module}, which is not installed; run pip install 'ballcourt\[{extra}\]'"
    message = (sentence or capsys.readouterr().err).strip().rpartition("\n")[2]
    assert re.fullmatch(wanted, message), message


def test_every_extra_has_been_tried() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"].keys()
    assert {extra for extra, _, _ in USES} == declared - FOR_DEVELOPERS == EXTRAS.keys() | {"llm"}
