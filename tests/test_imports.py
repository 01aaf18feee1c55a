"""Which folder may import which, checked in the source."""

import ast
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PREFIX = "ballcourt."
FOLDERS = ("engine", "arena", "bots", "web", "leaderboard", "contest", "env", "evaluation", "cli")
HOMES = {
    name: ROOT / "src" / "ballcourt" / name for name in ("web", "contest", "env", "evaluation", "cli")
}  # the others lie at the top level
OURS = (*FOLDERS, "v1", "contract", "tests")

ALLOWED = {
    "engine": {"engine"},
    "arena": {"arena", "engine", "v1", "contract"},
    "bots": {"bots", "v1"},
    "env": {"env", "engine"},
    "evaluation": {"evaluation", "arena", "engine", "leaderboard", "v1"},
    "cli": {"cli", "arena", "contest", "engine", "evaluation", "leaderboard", "site", "v1", "web"},
    "contest": {"contest", "arena", "engine", "evaluation", "leaderboard", "web"},
    "site": {"site", "arena", "engine", "v1"},
    "web": {"web", "arena.printable"},
    "leaderboard": {
        "leaderboard",
        "v1",
        "web",
        "arena.bots.version",
        "arena.printable",
        "arena.records",
        "arena.replays",
        "arena.tournament.folder.events",
    },
}
EXCEPTIONS = {  # additional imports that a folder or file may have
    "arena/browser/": {"web"},
    "arena/replays/page.py": {"web.style"},
    "cli/export.py": {"env"},
    "bots/evolved/": {"engine"},
    "bots/greedy/": {"engine"},  # the rules of the games it knows
    "bots/learned/": {"engine"},
    "bots/llm/": {"engine", "arena.files", "arena.printable"},
    "bots/planner/": {"engine"},
    "bots/policies.py": {"engine"},
    "bots/trained/": {"engine", "env"},
    "bots/sdk/python/bridge.py": {"engine"},
    "bots/sdk/python/rules.py": {"engine"},
    "bots/sdk/python/simulate.py": {"engine"},
    "env/": {"arena.extras"},
    "env/dataset.py": {"arena.faults", "arena.files", "arena.records", "v1"},
    "env/bots.py": {"arena.match.spec", "bots.sdk", "v1"},
    "site/first_bot.py": {"simulate"},
    "site/host.py": {"bots.sdk"},
    "leaderboard/store/folder.py": {"arena.tournament"},
    "leaderboard/store/imported.py": {"arena.models"},
    "leaderboard/store/retention.py": {"arena.tournament"},
    "leaderboard/show/by_rules.py": {"arena.tournament.schedules.placing"},
    "leaderboard/show/markdown.py": {"arena.tournament.schedules.placing"},
    "leaderboard/show/terminal.py": {"arena.tournament.schedules.placing"},
    "leaderboard/studies/forecast.py": {"arena.tournament"},
    "leaderboard/studies/seeds_advice.py": {"arena.tournament"},
    "leaderboard/studies/deals.py": {"arena.tournament.schedules.schedule", "arena.tournament.event.seeds"},
    "leaderboard/model/arrays.py": {"arena.bots.entrant"},  # who owns the residents of a ladder
    "leaderboard/model/estimates.py": {"arena.bots.entrant"},
    "leaderboard/model/precision.py": {"arena.tournament.schedules.schedule", "arena.tournament.schedules.stop"},
    "leaderboard/model/results.py": {"engine"},  # WrongInput
    "leaderboard/pages/refresh.py": {"engine"},  # WrongInput
    "leaderboard/pages/site.py": {"arena.files"},
    "leaderboard/show/setups.py": {"engine"},  # titles and defaults of games
    "leaderboard/store/": {"arena.files"},
    "leaderboard/store/connecting.py": {"arena.extras", "arena.faults", "arena.locks"},
    "leaderboard/pages/source.py": {"arena.files", "arena.temporary", "arena.tournament"},
    "leaderboard/pages/live.py": {
        "arena.tournament.folder.output",
        "arena.tournament.folder.log",
        "arena.tournament.folder.overview",
        "engine",  # games
    },
    "leaderboard/pages/outlooks.py": {"engine"},  # games, their rules and observations
    "leaderboard/pages/summaries.py": {"arena.tournament.schedules.placing"},
    "leaderboard/pages/views.py": {"arena.durations", "arena.tournament.schedules.placing"},
    "leaderboard/pages/tournament.py": {"arena.ladder.divisions", "arena.tournament"},
}
LIBRARY_HOMES = {  # libraries that only these folders or files import
    "authlib": ("contest/sign_in/",),
    "dask": ("arena/cluster/",),
    "distributed": ("arena/cluster/", "arena/tournament/playing/cluster.py"),
    "fastapi": ("arena/browser/", "cli/serve.py", "contest/web/", "leaderboard/pages/", "web/"),
    "httpx2": ("bots/llm/",),
    "joserfc": ("contest/sign_in/",),
    "matplotlib": ("env/rendering.py",),
    "mcp": ("arena/agents/",),
    "grpc": ("arena/match/stream/session.py", "arena/remote/connect.py", "arena/remote/services.py", "bots/sdk/"),
    "numpy": (
        "bots/trained/",
        "env/",
        "evaluation/",
        "leaderboard/model/fit/",
        "leaderboard/model/arrays.py",
        "leaderboard/model/by_points.py",
        "leaderboard/studies/deals.py",
        "leaderboard/model/estimates.py",
        "leaderboard/model/sums.py",
        "leaderboard/store/reading.py",
        "leaderboard/pages/summaries.py",
        "leaderboard/model/precision.py",
        "arena/tournament/schedules/balance.py",
        "arena/tournament/schedules/strengths.py",
    ),
    "prometheus_client": ("cli/serve_contest.py", "contest/monitoring/"),
    "gymnasium": ("env/gymnasium.py", "env/pettingzoo.py"),
    "pettingzoo": ("env/pettingzoo.py",),
    "pyarrow": ("env/dataset.py",),
    "pyspiel": ("env/openspiel.py",),
    "scipy": ("leaderboard/model/fit/",),
    "sqlalchemy": (
        "contest/",
        "leaderboard/store/connecting.py",
        "leaderboard/store/database.py",
        "leaderboard/store/listing.py",
        "leaderboard/store/reading.py",
        "leaderboard/store/tables.py",
        "leaderboard/store/tallies.py",
        "leaderboard/store/writer.py",
    ),
    "packaging": ("arena/bots/packages.py", "arena/bots/requirements.py"),
    "threadpoolctl": ("leaderboard/model/fit/",),
    "typer": ("cli/",),
}

Import = tuple[str, int, str]
"""Path below the root, line, and the dotted name imported, in our own packages without `ballcourt.`."""


@cache
def imports() -> tuple[Import, ...]:
    return tuple(_imports())


def _imports() -> Iterator[Import]:
    for folder in FOLDERS:
        home = HOMES.get(folder, ROOT / folder)
        for path in sorted(home.rglob("*.py")):
            name = f"{folder}/{path.relative_to(home).as_posix()}"
            if name.startswith("engine/starter/"):  # a package of its own
                continue
            yield from ((name, line, module) for line, module in _modules(ast.parse(path.read_text())))
    for path in sorted((ROOT / "src" / "ballcourt").glob("*.py")):  # what scripts and notebooks import
        yield from ((path.name, line, module) for line, module in _modules(ast.parse(path.read_text())))


def _modules(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.removeprefix(PREFIX)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # `from ballcourt.engine.games import tzolkin` names a module too
            yield from ((node.lineno, f"{node.module}.{alias.name}".removeprefix(PREFIX)) for alias in node.names)


def _offenders(is_wrong: Iterator[Import]) -> list[str]:
    return [f"{path}:{line} imports {module}" for path, line, module in is_wrong]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_imports_only_its_permitted_packages(folder: str) -> None:
    inside = [entry for entry in imports() if entry[0].startswith(f"{folder}/")]
    assert inside
    assert _offenders(entry for entry in inside if not _may(folder, *entry)) == []


def _may(folder: str, path: str, line: int, module: str) -> bool:
    if module.partition(".")[0] not in OURS:
        return True
    extra = [allowed for home, allowed in EXCEPTIONS.items() if path.startswith(home)]
    if _is_wire(path):
        extra.append({"v1"})
    return any(f"{module}.".startswith(f"{name}.") for name in ALLOWED[folder].union(*extra))


def _is_wire(path: str) -> bool:
    in_game = path.startswith("engine/games/") and path.endswith("/wire.py")
    return in_game or path == "engine/core/messages/protobuf.py"


def test_what_scripts_import_does_without_the_command_line() -> None:
    found = [entry for entry in imports() if "/" not in entry[0] and entry[0] != "__main__.py"]
    assert {"__init__.py", "functions.py"} <= {path for path, _, _ in found}
    assert _offenders(entry for entry in found if f"{entry[2]}.".startswith("cli.")) == []


CIRCLES = {
    ("engine/games/tzolkin/economy/effects.py", "engine/games/tzolkin/economy/construct.py"),  # the rules are recursive
    ("engine/games/tzolkin/economy/effects.py", "engine/games/tzolkin/gears/spaces.py"),
    ("arena/replays/sheets.py", "arena/replays/document.py"),  # a type
    ("arena/replays/story.py", "arena/replays/document.py"),  # a type
}
"""Who imports whom where the two import each other."""


def test_no_other_files_import_each_other_not_even_inside_of_functions() -> None:
    files = {path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): path for path, _, _ in imports()}
    arrows: dict[str, set[str]] = {}
    for path, _, module in imports():
        imported = files.get(module) or files.get(module.rpartition(".")[0])  # a file, or a name in one
        if imported and imported != path and (path, imported) not in CIRCLES:
            arrows.setdefault(path, set()).add(imported)
    assert "cli/commands.py" in arrows
    TopologicalSorter(arrows).prepare()  # raises CycleError, which names the files of a circle


def test_the_engine_needs_only_the_standard_library() -> None:
    own = {"engine", *sys.stdlib_module_names}
    found = [
        (path, line, module)
        for path, line, module in imports()
        if path.startswith("engine/") and not _is_wire(path) and module.partition(".")[0] not in own
    ]
    # this one has a substitute at run time
    assert [entry for entry in found if entry[2] != "mypy_extensions.mypyc_attr"] == []


@pytest.mark.parametrize("library", LIBRARY_HOMES)
def test_a_library_is_imported_only_by_its_own_package(library: str) -> None:
    homes = LIBRARY_HOMES[library]
    users = [entry for entry in imports() if entry[2].partition(".")[0] == library]
    assert users
    assert _offenders(entry for entry in users if not entry[0].startswith(homes)) == []


def test_games_never_import_each_other() -> None:
    assert _offenders(entry for entry in imports() if _crosses(*entry)) == []


def _crosses(path: str, line: int, module: str) -> bool:
    home, target = path.split("/"), module.split(".")
    in_games = home[:2] == ["engine", "games"] and target[:2] == ["engine", "games"]
    return in_games and len(home) > 3 and target[2:3] != home[2:3]


def test_the_rest_of_the_engine_never_imports_a_game() -> None:
    found = [
        entry
        for entry in imports()
        if entry[2].startswith("engine.games.") and entry[0].startswith("engine/") and "/games/" not in entry[0]
    ]
    assert _offenders(iter(found)) == []


def test_the_packages_of_the_arena_import_each_other_in_one_direction() -> None:
    arrows: dict[str, set[str]] = {}
    for path, _, module in imports():
        if path.startswith("arena/") and module.startswith("arena."):
            arrows.setdefault(_part(path.removesuffix(".py").replace("/", ".")), set()).add(_part(module))
    assert {"match", "faults"} <= arrows.keys() | set().union(*arrows.values())
    TopologicalSorter(_between(arrows)).prepare()  # raises CycleError, which names the packages of a circle


@pytest.mark.parametrize("home", ["leaderboard", "contest", "arena.tournament"])
def test_the_rooms_of_a_large_package_import_each_other_in_one_direction(home: str) -> None:
    arrows: dict[str, set[str]] = {}
    for path, _, module in imports():
        importer, depth = path.removesuffix(".py").replace("/", "."), home.count(".") + 1
        if importer.startswith(f"{home}.") and module.startswith(f"{home}."):
            arrows.setdefault(_part(importer, depth), set()).add(_part(module, depth))
    assert len(arrows) > 4
    TopologicalSorter(_between(arrows)).prepare()


def _part(module: str, depth: int = 1) -> str:
    """Return the package that a module belongs to, below `depth` others; a module outside of packages counts as one."""
    return module.split(".")[depth]


def _between(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    return {part: imported - {part} for part, imported in arrows.items()}


def test_records_import_nothing_that_plays_matches() -> None:
    allowed = (
        "arena.records.",
        "arena.extras.",
        "arena.faults.",
        "arena.files.",
        "arena.naming.",
        "arena.printable.",
        "engine.",
        "v1.",
    )
    found = [entry for entry in imports() if entry[0].startswith("arena/records/") and entry[2].split(".")[0] in OURS]
    assert found
    assert _offenders(entry for entry in found if not entry[2].startswith(allowed)) == []


@pytest.mark.slow
def test_only_bots_import_relatively_and_only_their_own_files_so_that_copies_of_them_play() -> None:
    relative = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in (*FOLDERS, "tests")
        for path in HOMES.get(folder, ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.level and not (_is_of_a_bot(path) and node.level == 1)
    ]
    assert relative == []
    own = [
        (name, line, module)
        for name, line, module in imports()
        if _is_of_a_bot(ROOT / name) and _imports_own(name, module)
    ]
    assert _offenders(iter(own)) == []


def _is_of_a_bot(path: Path) -> bool:
    return path.parent.parent == ROOT / "bots"


def _imports_own(path: str, module: str) -> bool:
    return f"{module}.".startswith(f"bots.{Path(path).parent.name}.")
