"""An arena for CodeClash: its players write bots that meet in the sandbox of Ballcourt.

Put this file into `codeclash/arenas/ballcourt`, name `BallcourtArena` in the list `ARENAS` of `codeclash/arenas`, and
add a `Ballcourt.Dockerfile` whose `/workspace` is a git repository with what `ballcourt new-bot` writes, and with an
`origin` that can be fetched, which CodeClash does for each player. The part
`game` of a configuration has `name: Ballcourt` and `sims_per_round`; its `args` may have `game`, `seats`, `options` and
`tier`.

Containers only hold the code. It is copied out of them and played on this machine, confined: no player can read the
code of another one, or the token that CodeClash gives to the container of the game.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from codeclash.agents.player import Player
from codeclash.arenas.arena import CodeArena, RoundStats
from codeclash.constants import DIR_WORK, RESULT_TIE
from codeclash.utils.environment import copy_from_container, create_file_in_container

from ballcourt import load_records, play_tournament
from ballcourt.arena.bots.bot import check_plays, load_bot
from ballcourt.arena.checks.check import account
from ballcourt.engine.core import WrongInput
from ballcourt.engine.registry import find_game

RESULTS = "ballcourt.json"


class BallcourtArena(CodeArena):
    """Plays a round as a tournament in which every player meets every other in all seats."""

    name: str = "Ballcourt"
    submission: str = "bot.toml"
    description: str = """Your code base is a bot that plays a board game with hidden information.
`bot.toml` has the command that starts it; README and SDK are in the code base. Each round is a tournament in which
every player meets every other as often in each seat. Your score is the number of duels that you won; a tie counts half.
"""
    default_args: ClassVar[dict[str, Any]] = {"game": "maya", "seats": 2, "options": {}, "tier": 1}

    def validate_code(self, agent: Player) -> tuple[bool, str | None]:
        """Return whether the code base is a bot that plays the game, and if not, why."""
        with TemporaryDirectory() as place:
            try:
                bot = load_bot(_copied(agent.environment, str(DIR_WORK), Path(place) / "bot"))
                check_plays(bot, find_game(self._argument("game")))
            except WrongInput as error:
                return False, str(error).replace(place, "")
            return True, None

    def execute_round(self, agents: list[Player]) -> None:
        """Play a round, and write its results where CodeClash looks for logs of the game."""
        with TemporaryDirectory() as place:
            folders = [
                _copied(self.environment, f"/{agent.name}", Path(place) / str(number))
                for number, agent in enumerate(agents)
            ]
            named = {f"player{number}": agent.name for number, agent in enumerate(agents)}
            results = self._played(named, folders, Path(place) / "out")
        where = str(self.log_env / RESULTS)
        create_file_in_container(self.environment, content=json.dumps(results), dest_path=where)

    def get_results(self, agents: list[Player], round_num: int, stats: RoundStats) -> None:
        """Fill in the duels that each player won, and who won most."""
        results = json.loads((self.log_round(round_num) / RESULTS).read_text())
        stats.scores = {agent.name: float(results["won"][agent.name]) for agent in agents}
        for player, score in stats.scores.items():
            stats.player_stats[player].score = score
        stats.details = results["details"]
        best = [player for player, score in stats.scores.items() if score == max(stats.scores.values())]
        stats.winner = best[0] if len(best) == 1 else RESULT_TIE

    def _argument(self, name: str) -> Any:  # noqa: ANN401
        return self.game_config.get("args", {}).get(name, self.default_args[name])

    def _played(self, named: dict[str, str], folders: Sequence[Path], output: Path) -> dict[str, Any]:
        settings = {
            "game": self._argument("game"),
            "seats": self._argument("seats"),
            "options": self._argument("options"),
        }
        bots = [f"{label}={folder}" for label, folder in zip(named, folders, strict=True)]
        matches, walls = self.game_config["sims_per_round"], {"tier": self._argument("tier")}
        for _ in play_tournament(**settings, bots=bots, matches=matches, sandbox=walls, output=str(output)):
            pass
        won: dict[str, float] = dict.fromkeys(named.values(), 0.0)
        met = dict.fromkeys(named.values(), 0)
        lost: dict[str, str] = {}
        for record in load_records(output):
            players = [named[entrant.name] for entrant in record.entrants]
            places = [result.placement for result in record.results]
            for player, share in _duels(players, places):
                won[player] += share
                met[player] += 1
            for fault in record.faults:
                lost.setdefault(players[fault.seat], f"lost its seat in {record.key}: {account(fault)}")
        details = [f"{player} won {won[player]:g} of {met[player]} duels" for player in met]
        return {"won": won, "details": details + [f"{player} {why}" for player, why in lost.items()]}


def _duels(players: Sequence[str], places: Sequence[int]) -> Iterator[tuple[str, float]]:
    """Yield what the two of each pair at a table won of their duel."""
    for one, other in combinations(range(len(players)), 2):
        share = 0.5 if places[one] == places[other] else float(places[one] < places[other])
        yield players[one], share
        yield players[other], 1 - share


def _copied(container: Any, source: str, target: Path) -> Path:  # noqa: ANN401
    """Copy the content of a folder out of a container."""
    target.mkdir()
    copy_from_container(container=container, src_path=f"{source}/.", dest_path=target)
    return target
