"""The results database: what it holds, how it is filled and read.

Records are the truth, and the database is a cache of them: whatever is wrong with it is one sentence that names the
command that makes it again. `tests.bench.storage` says what a million matches cost.

- Packs (`packs`) hold what ratings are made of: many matches in one value with a checksum. Rows of matches and seats
  serve lists.
- The digest (`digest_of` in `tables`) covers bots, ladders and the checksums of all packs.
- Kept tables (`snapshot`): a fit takes seconds, a kept table is read in milliseconds. They are valid as long as the
  digest is the same, or as long as a running tournament promises newer ones. `kept` reads them from an SQLite file
  without SQLAlchemy, whose import takes longer than the rest.

The tables of a shared database are kept up to date by one process (`refresh`) for all arenas that fill it. What pages
say about ladders and bots is not kept: `leaderboard/pages/refresh.py` makes it in a process of its own, and `serve`
shows it until the next one comes. So `serve` changes no database, and needs no right to.
"""
