"""Results of matches that nobody played."""

from leaderboard.results import Entrant, Ladder, MatchResult, SeatResult


def entrant(name: str, version: str = "1", content_hash: str = "") -> Entrant:
    return Entrant(name, version, content_hash)


def match(key: str, *places: str, options: tuple[tuple[str, str], ...] = ()) -> MatchResult:
    """`match("k", "ann", "bob cid")`: ann won, bob and cid share the second place; seated in alphabetical order."""
    results: list[SeatResult] = []
    for group in places:
        ahead = len(results)
        results += [
            SeatResult(entrant(name), ahead + 1, 10.0 - ahead, fault=name.startswith("faulty"))
            for name in group.split()
        ]
    seated = tuple(sorted(results, key=lambda result: result.entrant))
    return MatchResult(key, f"id {key}", Ladder("bluff", "1", len(seated), options), seated)
