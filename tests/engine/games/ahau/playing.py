"""Helpers for the rule tests: positions by keyword, decisions as strings.

state = turn(region=1, seat={0: {"reserve": ["pt08"]}})
play(state, "place_worker uxmal", "summon rain", "summon_discard pt08 yellow", "summon_discard null null")
assert offered(state, "rain_site") == ["s01", "s06", "s11"]
"""

import json
from pathlib import Path
from typing import Any

from ballcourt.engine.games.ahau.state import AhauState
from tests.engine.games.ahau.decisions import Decision, apply, legal
from tests.engine.games.ahau.positions import dump, state_from

VECTORS = {
    vector["id"]: vector for vector in json.loads((Path(__file__).parent / "vectors.json").read_text())["vectors"]
}

EACH_ROLE = ["merchant", "war_captain", "queen", "master_builder", "high_priestess", "dancer"]
SIDES = ("day", "night")
TABLES: tuple[tuple[int, dict[str, str]], ...] = (
    *((seats, {"board": board}) for seats in (2, 3, 4, 5) for board in SIDES),
    *((seats, {"mode": "family"}) for seats in (2, 3, 4, 5)),
    *((seats, {"shadow": "yes"}) for seats in (2, 3, 4)),
    (3, {"personal": "yes"}),
    (4, {"personal": "yes", "shadow": "yes", "board": "night"}),
    *((1, {"difficulty": level, "solo_board": side}) for level in ("easy", "moderate", "hard") for side in SIDES),
    *((1, {"personality": role, "board": "night"}) for role in EACH_ROLE),
)
"""Every mode with every number of seats that it allows."""
COLOURS = ("yellow", "blue", "black", "brown", "white")
GODS = ("chief", "rain", "trade", "sun", "jaguar")
CITY_GODS = {
    "chichen_itza": "sun",
    "uxmal": "rain",
    "tulum": "chief",
    "edzna": "trade",
    "calakmul": "sun",
    "lamanai": "trade",
    "palenque": "chief",
    "tikal": "jaguar",
    "yaxchilan": "rain",
    "quirigua": "jaguar",
}
SITES = {
    "s01": "ps01",
    "s02": "ps04",
    "s03": "ps07",
    "s04": "ps10",
    "s05": "ps13",
    "s06": "ps02",
    "s07": "ps05",
    "s08": "ps08",
    "s09": "ps11",
    "s10": "ps14",
    "s11": "ps03",
    "s12": "ps06",
    "s13": "ps09",
    "s14": "ps12",
    "s15": "ps15",
}
"""Yellow on s01, s06, s11; blue on s02, s07, s12; black on s03, s08, s13; brown on s04, s09, s14; white on the rest."""
BAG = [f"pt{number}" for number in range(16, 56)]
SCORING = {"chief": "might", "rain": "symbols", "trade": "temples", "sun": "resource_colours", "jaguar": "city_gods"}
WINDOWS = ("trade_resources", "trade_tiles", "queen")
STOPS = ("build_stop", "trade_stop", "katun_done", "queen_pass")


def expected(name: str) -> dict[str, Any]:
    """Return the expectations of a vector in vectors.json."""
    found: dict[str, Any] = VECTORS[name]["expected"]
    return found


# -- positions


def at_table(players: int = 2, seat: dict[int, dict[str, Any]] | None = None, **changes: Any) -> AhauState:  # noqa: ANN401
    """Build a position at the start of a round, empty except for the changes."""
    return state_from(described(players, seat, **changes))


def described(players: int = 2, seat: dict[int, dict[str, Any]] | None = None, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the fields of the position that `at_table` builds."""
    small = players < 4
    table: dict[str, Any] = {
        "mode": "standard",
        "players": players,
        "personal": False,
        "shadow": False,
        "board": "day",
        "solo_board": "day",
        "difficulty": "easy",
        "start_seat": 0,
        "phase": "round",
        "katun": 1,
        "round": 1,
        "city_gods": CITY_GODS | changes.pop("city_gods", {}),
        "sites": {link: site for link, site in SITES.items() if not small or link != "s13"} | changes.pop("sites", {}),
        "calendar": ["ps09"] if small else [],
        "bag": list(BAG),
        "tile_discard": [],
        "regions": {str(number): _region(number, changes) for number in range(1, 6 if small else 7)},
        "offer": [None, None, None],
        "building_stack": [],
        "building_discard": [],
        "temples": {god: changes.get("temples", {}).get(god, [None] * 5) for god in GODS},
        "scoring": SCORING,
        "might": [list(range(players)), *[[] for _ in range(10)]],
        "role_deck": [],
        "summaries": {},
        "player": {str(number): _player(seat.get(number, {}) if seat else {}) for number in range(players)},
    }
    changes = {name: value for name, value in changes.items() if name not in ("tiles", "buildings", "temples", "cubes")}
    for number, automaton in (seat or {}).items():
        if number >= players:
            table["player"][str(number)] = automaton
    return table | changes


def _region(number: int, changes: dict[str, Any]) -> dict[str, Any]:
    return {
        "tiles": list(changes.get("tiles", {}).get(number, [None, None])),
        "building": changes.get("buildings", {}).get(number),
        "resources": changes.get("cubes", {}).get(number, []),
    }


def _player(changes: dict[str, Any]) -> dict[str, Any]:
    workers = {city: [0, 0] for city in CITY_GODS} | changes.get("workers", {})
    plain = {
        "kind": "human",
        "pool": 12 - sum(map(sum, workers.values())),
        "weapons": 0,
        "ruler": 0,
        "discard": [],
        "fame": 0,
        "reserve": [],
        "pyramid": {},
        "buildings": [],
        "role": None,
        "summary": None,
        "hand": [1, 2, 3, 4, 5, 6],
    }
    return plain | changes | {"workers": workers, "resources": dict.fromkeys(COLOURS, 0) | changes.get("resources", {})}


def turn(region: int = 1, right: Any = None, other: int | None = None, **given: Any) -> AhauState:  # noqa: ANN401
    """Run until seat 0 places its worker, with its ruler alone in this region."""
    state = at_table(**given)
    elsewhere = iter([number for number in (5, 4, 3, 2, 1) if number not in (region, other)])
    plan = {0: (region, right)}
    plan |= {seat: (next(elsewhere) if other is None else other, None) for seat in range(1, state.seats)}
    select(state, plan)
    return until(state, 0, "place_worker")


def select(state: AhauState, plan: dict[int, tuple[Any, Any]]) -> AhauState:
    """Select (left, right) for the seats; None as the right card means the lowest other Region card."""
    for seat, (left, right) in plan.items():
        hand = dump(state)["player"][str(seat)]["hand"]
        lowest = next((card for card in sorted(hand, key=str) if card != left), None)
        apply(state, [seat, "select_cards", left, lowest if right is None else right])
    return state


def until(state: AhauState, seat: int, name: str) -> AhauState:
    """Answer with `plainest` until this seat is asked this question."""
    for _ in range(400):
        asked = legal(state)
        if any(decision[:2] == [seat, name] for decision in asked):
            return state
        if not asked:
            break
        apply(state, plainest(asked))
    raise AssertionError(f"seat {seat} is never asked for {name}")


def next_round(state: AhauState) -> AhauState:
    """Answer with `plainest` until the round is over."""
    number = dump(state)["round"]
    while dump(state)["round"] == number and legal(state):
        apply(state, plainest(legal(state)))
    return state


def plainest(asked: list[Decision]) -> Decision:
    """Return the decision to do nothing if there is one, or else the first that is not a trade."""
    for decision in asked:
        if decision[1] in STOPS or decision[2:] in ([None], [None, None], [False], ["pass"]):
            return decision
    return next(decision for decision in asked if decision[1] not in WINDOWS)


# -- decisions


def play(state: AhauState, *moves: str) -> None:
    """Play decisions one after the other, each for the pending seat. Raises NotLegal.

    A trade_move without its last argument stands for the first legal one with the arguments given.
    """
    for text in moves:
        apply(state, decision(state, text))


def decision(state: AhauState, text: str) -> Decision:
    """Parse a decision of the pending seat: "pay blue white", "take_tile 3,0 4,1", "trade_move tikal lamanai"."""
    name, *words = text.split()
    asked = legal(state)
    seat = asked[0][0] if asked else -1
    if name == "pay":
        return [seat, name, words]
    if name == "take_tile":
        return [seat, name, [[int(part) for part in word.split(",")] for word in words]]
    wanted = [seat, name, *map(_word, words)]
    if name == "trade_move":
        return next((found for found in asked if found[:4] == wanted), wanted)
    return wanted


def _word(word: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(word)
    except ValueError:
        return word


def offered(state: AhauState, name: str) -> list[Any]:
    """List the legal arguments of a decision: single arguments, or lists if there are several."""
    found = [words[2] if len(words) == 3 else words[2:] for words in legal(state) if words[1] == name]
    return sorted(found, key=repr)


def asked(state: AhauState) -> set[str]:
    """Return the names of the legal decisions, without trades and the Queen."""
    return {words[1] for words in legal(state)} - set(WINDOWS)


def player(state: AhauState, seat: int = 0) -> dict[str, Any]:
    """Return the fields of one player."""
    found: dict[str, Any] = dump(state)["player"][str(seat)]
    return found


def fame(state: AhauState) -> list[int]:
    """List the Fame of all human players."""
    return [who["fame"] for who in dump(state)["player"].values() if who["kind"] == "human"]


def owned(state: AhauState, seat: int = 0) -> dict[str, int]:
    """Count the resources of a player by colour, omitting colours without any."""
    return {colour: count for colour, count in player(state, seat)["resources"].items() if count}


def step(state: AhauState, seat: int = 0) -> int:
    """Return the Might step of a seat."""
    return next(number for number, stack in enumerate(dump(state)["might"]) if seat in stack)
