"""The conservation laws of the game: what no action may create or destroy (RULES §1)."""

from ballcourt.engine.core.bits import members
from ballcourt.engine.games.tzolkin import columns as at
from ballcourt.engine.games.tzolkin.state import TzolkinState
from ballcourt.engine.games.tzolkin.tables import (
    DUMMIES,
    FIRST_OF_AGE,
    MAX_WORKERS,
    MONUMENTS_DEALT,
    SKULLS_IN_GAME,
    START_WORKERS,
    TOP_STEP,
)


def violations(state: TzolkinState) -> list[str]:
    """List the broken laws of a position reached by play, one sentence each."""
    return [*_players(state), *_workers(state), *_skulls(state), *_jungle(state), *_tiles(state)]


def _players(state: TzolkinState) -> list[str]:
    broken = []
    for seat, player in enumerate(state.players):
        broken += [f"seat {seat} owns {player[column]} in column {column}" for column in _negative(player)]
        for temple in range(at.TEMPLES):
            if not 0 <= player[at.TEMPLE + temple] <= TOP_STEP[temple]:
                broken.append(f"seat {seat} stands on step {player[at.TEMPLE + temple]} of temple {temple}")
        for tech in range(at.TECHS):
            if not 0 <= player[at.TECH + tech] <= at.TOP_LEVEL:
                broken.append(f"seat {seat} is on level {player[at.TECH + tech]} of technology {tech}")
    for temple, top in enumerate(TOP_STEP):
        if sum(player[at.TEMPLE + temple] == top for player in state.players) > 1:
            broken.append(f"two markers share the top of temple {temple}")
    return broken


def _negative(player: list[int]) -> list[int]:
    owned = [*range(at.CORN, at.SKULLS + 1), at.HAND, at.CORN_TILES, at.WOOD_TILES, at.FREE_FOOD]
    return [column for column in owned if player[column] < 0]


def _workers(state: TzolkinState) -> list[str]:
    broken = []
    for seat, player in enumerate(state.players):
        seen = player[at.HAND] + state.slots.count(seat) + (state.table[at.START_SPACE] == seat)
        if seen != player[at.WORKERS] or not START_WORKERS <= seen <= MAX_WORKERS:
            broken.append(f"seat {seat} has {player[at.WORKERS]} workers in play, but {seen} are found")
    if state.slots.count(at.DUMMY) != DUMMIES[state.seats]:
        broken.append(f"{state.slots.count(at.DUMMY)} dummies are on the gears instead of {DUMMIES[state.seats]}")
    return broken


def _skulls(state: TzolkinState) -> list[str]:
    """There are thirteen skulls, always (§1.5)."""
    held = sum(player[at.SKULLS] for player in state.players)
    total = state.table[at.SKULL_BANK] + held + state.table[at.CHICHEN_USED].bit_count()
    return [] if total == SKULLS_IN_GAME else [f"there are {total} skulls instead of {SKULLS_IN_GAME}"]


def _jungle(state: TzolkinState) -> list[str]:
    """Wood lies on corn; corn tiles are kept, wood tiles kept or burned (§1.4)."""
    table = state.table
    broken = [
        f"jungle group {at.FIRST_GROUP + group}: {wood} wood tiles on {corn} corn tiles"
        for group in range(at.JUNGLE_GROUPS)
        for wood, corn in [(table[at.JUNGLE_WOOD + group], table[at.JUNGLE_CORN + group])]
        if not 0 <= wood <= corn
    ]
    corn = sum(table[at.JUNGLE_CORN : at.JUNGLE_CORN + at.JUNGLE_GROUPS]) + sum(
        player[at.CORN_TILES] for player in state.players
    )
    wood = sum(table[at.JUNGLE_WOOD : at.JUNGLE_WOOD + at.JUNGLE_GROUPS]) + sum(
        player[at.WOOD_TILES] for player in state.players
    )
    if corn != at.JUNGLE_GROUPS * state.seats:
        broken.append(f"there are {corn} corn tiles instead of {at.JUNGLE_GROUPS * state.seats}")
    if wood > (at.JUNGLE_GROUPS - 1) * state.seats:
        broken.append(f"there are {wood} wood tiles, more than the game has")
    return broken


def _tiles(state: TzolkinState) -> list[str]:
    """Every building and monument is in one place; those of Age 1 leave the game with it (§1.6)."""
    age = state.table[at.AGE]
    found = [building for building in state.row if building]
    for stack in range(2):
        found += state.stacks[stack][: state.table[at.STACK + stack]]
    found += [number for player in state.players for number in members(player[at.BUILDINGS])]
    broken = [] if len(found) == len(set(found)) else [f"a building is in two places: {sorted(found)}"]
    if age == 1 and len(found) != FIRST_OF_AGE[2] - 1:
        broken.append(f"{len(found)} buildings are in the game instead of {FIRST_OF_AGE[2] - 1}")
    monuments = state.display + [number for player in state.players for number in members(player[at.MONUMENTS])]
    if len(set(monuments)) != len(monuments) or len(monuments) != MONUMENTS_DEALT[state.seats]:
        broken.append(f"the monuments {sorted(monuments)} are not the {MONUMENTS_DEALT[state.seats]} that were dealt")
    return broken
