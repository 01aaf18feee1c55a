"""A contest that strangers can enter: accounts, teams, submissions, limits and private reports, around a ladder.

From the ground up: `settings` (contest.toml), `create`, `backup`, `http_client` (bounded requests to other servers);
`client` (what runs on an author's machine); `store` (tables, transactions, archives in a folder or a bucket);
`people` (accounts, teams, tokens, sessions), `sign_in` (OpenID Connect, GitHub), `notifications` (mail and webhooks);
`submissions` (uploads, states, limits, scrimmages), `examining` (the queue with its leases, unpacking, examiners,
handing over), `decisions` (in a chain of hashes), `visible` (who sees what: the only way from a request to a row),
`web`, `monitoring`.

The database of a contest is the truth, not a cache. What it does not hold is what the ladder decides: contest and
ladder are two processes, which speak by files in the ladder's folder (`arena/ladder/arrivals/handed.py`), and either
may be ended at any time. The queue is a table: an examiner leases a submission or a scrimmage and sends heartbeats;
what it answers after its lease has passed to another is thrown away. In SQLite every transaction that writes takes
the lock at its beginning (`store/opening.py`); in PostgreSQL it locks the row of the team on which it decides. There
is one schema so far and no migrations: another one is refused. The length of an archive's file is what has been
received, so no row is written for a part, and its hash is computed when it is whole. Archives are unpacked by a
program that knows the standard library alone (`examining/unpacker.py`), in the sandbox, with bounds on time, memory
and disk.
"""
