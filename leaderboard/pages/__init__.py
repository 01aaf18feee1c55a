"""The results of a tournament as pages for a browser: leaderboard, bots, matches and replays."""
