"""What every web application of the project shares.

- `guard`: headers, hosts and floods; `server`: how a page is served on this machine
- `once`: answers that are made once and asked for often; `errors`: refusals as pages and as JSON
- `atom`: feeds
- `render`: pages from templates; `style`: the style sheets of all pages

The table in a browser (`arena/browser`), the leaderboard and the contest are built on it; replays use its style.
"""
