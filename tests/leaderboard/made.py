"""Made-up match results."""

from ballcourt.leaderboard.results import Entrant, Ladder, MatchResult, RivalResult, SeatResult


def entrant(name: str, version: str = "1", content_hash: str = "") -> Entrant:
    return Entrant(name, version, content_hash)


def match(key: str, *places: str, options: tuple[tuple[str, str], ...] = ()) -> MatchResult:
    """Return a result: `match("k", "ann", "bob cid")` means ann won, bob and cid share second place.

    The seats are in alphabetical order.
    """
    results: list[SeatResult] = []
    for group in places:
        ahead = len(results)
        results += [
            SeatResult(entrant(name), ahead + 1, 10.0 - ahead, fault=name.startswith("faulty"))
            for name in group.split()
        ]
    seated = tuple(sorted(results, key=lambda result: result.entrant))
    return MatchResult(key, f"id {key}", f"deal {key}", Ladder("bluff", "1", len(seated), options), seated)


def alone(deal: str, name: str, score: float, house: float = 3.0, *, tournament: str = "cup") -> MatchResult:
    """Return a match of one seat against the house, which wins if it has more points."""
    faulty = name.startswith("faulty")
    seat = SeatResult(entrant(name), 1 + (house > score), score, fault=faulty, termination="CRASH" if faulty else "OK")
    rival = RivalResult("the house", 1 + (score > house), house)
    key = f"{tournament} {deal} {name}"
    return MatchResult(key, f"id {key}", deal, Ladder("bluff", "1", 1, ()), (seat,), (rival,))
