"""Ratings, the results database and the tables shown after a tournament."""

if __name__ != "ballcourt.leaderboard":
    raise ImportError(
        "import this package as ballcourt.leaderboard; a second copy of its classes would not match the first"
    )
