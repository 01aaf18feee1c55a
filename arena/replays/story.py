"""What decided a match: its turning points in words.

They follow from a document, so they have what its observer saw, and nothing else.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING, Any, Final

from ballcourt.arena.match.person import VERSION
from ballcourt.arena.match.policy import counted

if TYPE_CHECKING:
    from ballcourt.arena.replays.document import Appraisal, Document, Seat, TurningPoint

MOST_POINTS: Final = 5
LEAD: Final = 0.5
"""What a change at the top weighs, compared with all points of the winner."""
CHANCE: Final = 0.025
"""How likely a judge calls an action better that is not."""
SPREAD: Final = 1.06
"""The standard deviation between two results from -1 to 1, where a judge does not say it."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """A position of a match: the points of all players, and the round."""

    scores: list[float]
    round: int


def told(replay: "Document") -> "Document":
    """Return a document with its turning points."""
    replay["turning_points"] = turning_points(replay, [*_moments(replay)])
    return replay


def turning_points(replay: "Document", moments: list[_Moment]) -> "list[TurningPoint]":
    """Return the most important turning points, in the order of the match."""
    found: dict[int, tuple[float, str]] = {}
    for number, weight, title in _turns(replay, moments):
        if weight > found.get(number, (0.0, ""))[0]:
            found[number] = weight, title
    most = sorted(found, key=lambda number: -found[number][0])[:MOST_POINTS]
    return [
        {"step": number + 1, "title": f"{found[number][1]} (round {moments[number].round})"} for number in sorted(most)
    ]


def _turns(replay: "Document", moments: list[_Moment]) -> Iterator[tuple[int, float, str]]:
    """Yield decisions that may be turning points: their number, their weight and what happened, in words."""
    best = max(1.0, *(abs(score) for score in moments[-1].scores))
    for number, ((before, after), step) in enumerate(zip(pairwise(moments), replay["steps"], strict=True)):
        who, label = _name(replay, step["seat"]), step["label"]
        for player, (old, new) in enumerate(zip(before.scores, after.scores, strict=True)):
            if abs(new - old) > 0.05 * best:
                how = f" by {label}" if player == step["seat"] else ""
                yield number, abs(new - old) / best, f"{_name(replay, player)} {_gain(new - old)}{how}"
        top = _leader(after.scores)
        if top is not None and top != _leader(before.scores):
            yield number, LEAD * max(after.scores) / best, f"{_name(replay, top)} takes the lead"
        if step["judged"] and step["lost"]:
            yield number, step["lost"], f"{who}: {label}; {step['judged']['ranked'][0]['label']} looked better"
    for seat in replay["seats"]:
        if (lost := seat["vacated_at"]) is not None and lost < len(replay["steps"]):
            yield lost, 1.0, f"{_name(replay, seat['seat'])} loses its seat"


def name_of(seat: "Seat") -> str:
    """Return the name of who sat there, with the version of a bot."""
    return seat["bot"] if seat["version"] == VERSION else f"{seat['bot']} {seat['version']}"


def score_text(score: float) -> str:
    """Return points with a true minus."""
    return f"{score:g}".replace("-", "\u2212")


def short_text(replay: "Document") -> list[str]:
    """Return a match in a few lines, to be pasted into a message."""
    day = replay["started"][:10]
    lines = [f"{replay['title']}, {counted(len(replay['seats']), 'player')}, {day}: {replay['match']}"]
    ended = [(one["placement"], name_of(one), one["score"]) for one in replay["seats"]]
    ended += [(one["placement"], one["name"], one["score"]) for one in replay["rivals"]]
    lines += [
        f"{place}. {name}, {score_text(score)} point{'' if score == 1 else 's'}" for place, name, score in sorted(ended)
    ]
    return [*lines, *(f"- {one['title']}" for one in replay["turning_points"])]


def loss(estimate: "Appraisal", action: int) -> float | None:
    """Return how much better than an action the favourite of a judge was, as far as that is not by chance.

    None if the judge did not value the action.
    """
    worth = {one["action"]: one for one in estimate["ranked"]}
    if action not in worth:
        return None
    best, own = estimate["ranked"][0], worth[action]
    tries = best["visits"], own["visits"]
    ahead = best["value"] - own["value"]
    if all(tries):
        noise = estimate.get("spread", SPREAD) * fmean(1 / count for count in tries) ** 0.5
        return ahead if ahead > noise * errors(min(tries), len(worth) - 1) else 0.0
    return ahead


def errors(tries: int, others: int = 1) -> float:
    """Return how many standard errors a mean of `tries` must be from 0 where chance would take one of `others` there.

    The quantile of Student's t with `tries` - 1 degrees of freedom, by its expansion (Abramowitz and Stegun 26.7.5),
    at `CHANCE` divided by the comparisons that are made (Bonferroni).
    """
    freedom, z = max(1, tries - 1), NormalDist().inv_cdf(1 - CHANCE / max(1, others))
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + (z**3 + z) / (4 * freedom) + second + third


def _moments(replay: "Document") -> Iterator[_Moment]:
    """Yield all positions. Only what a moment has is followed, which takes a tenth of the time of whole scenes."""
    moment = _moment(replay["first"])
    yield moment
    for step in replay["steps"]:
        for path, *new in step["ops"]:
            moment = _after(moment, path, new[0]) if new else moment
        yield moment


def _moment(scene: Any) -> _Moment:  # noqa: ANN401 (JSON values)
    return _Moment([player["score"] for player in scene["players"]], scene["round"])


def _after(moment: _Moment, path: list[Any], new: Any) -> _Moment:  # noqa: ANN401
    """Return a moment after something at a path of the scene has become new."""
    match path:
        case []:
            return _moment(new)
        case ["round"]:
            return replace(moment, round=new)
        case ["players"]:
            return replace(moment, scores=[player["score"] for player in new])
        case ["players", int(player)]:
            return replace(moment, scores=_with(moment.scores, player, new["score"]))
        case ["players", int(player), "score"]:
            return replace(moment, scores=_with(moment.scores, player, new))
    return moment


def _with(scores: list[float], player: int, score: float) -> list[float]:
    return [*scores[:player], score, *scores[player + 1 :]]


def _leader(scores: list[float]) -> int | None:
    """Return who has the most points; None if several have."""
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def _gain(points: float) -> str:
    return f"gains {points:g}" if points > 0 else f"loses {-points:g}"


def _name(replay: "Document", player: int) -> str:
    names = [name_of(seat) for seat in replay["seats"]]
    if player < len(names):
        return f"{names[player]} (player {player + 1})" if names.count(names[player]) > 1 else names[player]
    return replay["first"]["players"][player]["name"]
