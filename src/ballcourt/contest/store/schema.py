"""The tables of a contest's database. Times are Unix times in seconds; ids in addresses are 64 random bits."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    column,
    func,
)

SCHEMA: Final = "13"
"""The number of the schema. A database with another one is refused."""
CONTEST: Final = MetaData()
ID, NAME, HASH, WORD = String(16), String(40), String(64), String(16)
MAILBOX = String(254)
Time = Float(53)

CONTEST_ABOUT = Table(
    "contest",
    CONTEST,
    Column("id", Integer, primary_key=True),
    Column("schema", String(16), nullable=False),
    Column("identity", String(32), nullable=False),  # random, and never changed
)
ACCOUNTS = Table(
    "accounts",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("handle", NAME, nullable=False),
    Column("look", NAME, nullable=False, unique=True),  # what is the same for handles that are mistaken for another
    Column("shown", String(200), nullable=False),
    Column("role", WORD, nullable=False),
    Column("state", WORD, nullable=False),
    Column("email", MAILBOX, index=True),  # only where mail is set up, and once its owner has confirmed it
    Column("created", Time, nullable=False),
)
IDENTITIES = Table(
    "identities",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    Column("issuer", String(200), nullable=False),
    Column("subject", String(255), nullable=False),
    Column("shown", String(200), nullable=False),
    Column("created", Time, nullable=False),
    Column("used", Time, nullable=False),
    UniqueConstraint("issuer", "subject"),
)
TEAMS = Table(
    "teams",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("name", NAME, nullable=False),
    Column("look", NAME, nullable=False, unique=True),
    Column("state", WORD, nullable=False),
    Column("submitted", Integer, nullable=False, default=0),  # the number of its last submission
    Column("examined", Time, nullable=False, default=0.0),  # when work for it was taken up last
    Column("scrimmages", Boolean, nullable=False, default=True),  # whether other teams may ask it for some
    Column("created", Time, nullable=False),
)
MEMBERS = Table(
    "members",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("team", ForeignKey(TEAMS.c.id), nullable=False, index=True),
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False),
    Column("since", Time, nullable=False),
    Column("left", Time),
)
Index(
    "one_team_at_a_time",
    MEMBERS.c.account,
    unique=True,
    sqlite_where=MEMBERS.c.left.is_(None),
    postgresql_where=MEMBERS.c.left.is_(None),
)
TOKENS = Table(
    "tokens",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("hash", HASH, nullable=False, unique=True),
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    Column("label", String(200), nullable=False),
    Column("scopes", String(100), nullable=False),
    Column("bot", NAME, nullable=False),  # the only one that it is good for; empty for all of the team
    Column("created", Time, nullable=False),
    Column("used", Time),
    Column("until", Time, nullable=False),
    Column("revoked", Time),
)
LINKS = Table(
    "links",
    CONTEST,
    Column("hash", HASH, primary_key=True),
    Column("purpose", WORD, nullable=False),
    Column("account", ForeignKey(ACCOUNTS.c.id)),
    Column("team", ForeignKey(TEAMS.c.id)),
    Column("email", MAILBOX),
    Column("uses", Integer, nullable=False),
    Column("created", Time, nullable=False),
    Column("until", Time, nullable=False),
)
SESSIONS = Table(
    "sessions",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("hash", HASH, nullable=False, unique=True),
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    Column("browser", String(200), nullable=False),
    Column("created", Time, nullable=False),
    Column("seen", Time, nullable=False),
)
GRANTS = Table(
    "grants",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("team", ForeignKey(TEAMS.c.id), nullable=False, index=True),
    Column("phase", NAME, nullable=False),
    Column("accepted", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("scrimmages", Integer, nullable=False),
    Column("reason", Text, nullable=False),
    Column("created", Time, nullable=False),
)
BOTS = Table(
    "bots",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("team", ForeignKey(TEAMS.c.id), nullable=False, index=True),
    Column("name", NAME, nullable=False),
    Column("look", NAME, nullable=False, unique=True),
    Column("remote", Boolean, nullable=False),  # whether it dials in, instead of being entered as archives
    Column("state", WORD, nullable=False),
    Column("chosen", ID),  # the submission that plays in the finals; by default the newest that was accepted
    Column("created", Time, nullable=False),
)
UPLOADS = Table(
    "uploads",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False, index=True),
    Column("bytes", BigInteger, nullable=False),
    Column("sha256", HASH, nullable=False),
    Column("created", Time, nullable=False),
    Column("until", Time, nullable=False),
)
SUBMISSIONS = Table(
    "submissions",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("team", ForeignKey(TEAMS.c.id), nullable=False),
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False),
    Column("bot", NAME, nullable=False),
    Column("version", NAME, nullable=False, default=""),
    Column("phase", NAME, nullable=False),
    Column("archive", HASH, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("kept", Boolean, nullable=False, default=True),  # whether the archive is still there
    Column("note", String(200), nullable=False),
    Column("origin", String(200), nullable=False),
    Column("state", WORD, nullable=False),
    Column("sentence", Text, nullable=False, default=""),
    Column("report", Text, nullable=False, default=""),
    Column("content_hash", HASH, nullable=False, default="", index=True),
    Column("files_hash", HASH, nullable=False, default=""),  # without bot.toml, in which copies have another name
    Column("created", Time, nullable=False),
    Column("changed", Time, nullable=False),
    Column("handed", Time),  # when the ladder got it
    UniqueConstraint("team", "number"),
    Index("submissions_by_age", "created", "number"),
    Index("submissions_by_state", "state", "created", "number"),
    Index("submissions_of_team", "team", "created", "number"),
    Index("submissions_of_team_by_state", "team", "state", "created", "number"),
    Index("submissions_of_bot", "bot", "team", "created", "number"),
    Index("submissions_by_archive", "archive", "team", "created"),
    Index("submissions_by_files", "files_hash", "team", "created"),
)
STATES = Table(
    "states",
    CONTEST,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("submission", ForeignKey(SUBMISSIONS.c.id), nullable=False, index=True),
    Column("state", WORD, nullable=False),
    Column("at", Time, nullable=False),
    Column("detail", Text, nullable=False),
)
SCRIMMAGES = Table(
    "scrimmages",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("team", ForeignKey(TEAMS.c.id), nullable=False, index=True),  # which asked for it
    Column("account", ForeignKey(ACCOUNTS.c.id), nullable=False),
    Column("submission", ForeignKey(SUBMISSIONS.c.id), nullable=False),
    Column("opponent", NAME, nullable=False),  # the name of the other bot
    Column("against", ForeignKey(SUBMISSIONS.c.id)),  # what plays; none of a bot of the arena
    Column("other", ForeignKey(TEAMS.c.id), index=True),  # the team of that
    Column("matches", Integer, nullable=False),  # how many; more than one are an evaluation
    Column("state", WORD, nullable=False),
    Column("sentence", Text, nullable=False, default=""),
    Column("published", Boolean, nullable=False, default=False),  # whether the team lets others see it
    Column("agreed", Boolean, nullable=False),  # whether the other one does
    Column("created", Time, nullable=False),
    Column("changed", Time, nullable=False),
)
WORK = Table(
    "work",
    CONTEST,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("kind", WORD, nullable=False),
    Column("subject", ID, nullable=False),  # the id of a submission or of a scrimmage
    Column("team", ForeignKey(TEAMS.c.id), nullable=False),
    Column("state", WORD, nullable=False, index=True),
    Column("tries", Integer, nullable=False, default=0),
    Column("holder", String(200), nullable=False, default=""),
    Column("until", Time, nullable=False, default=0.0),
    Column("fence", Integer, nullable=False, default=0),
    Column("created", Time, nullable=False),
    UniqueConstraint("kind", "subject"),
)
EXAMINERS = Table(
    "examiners", CONTEST, Column("holder", String(200), primary_key=True), Column("seen", Time, nullable=False)
)
AUDIT = Table(
    "audit",
    CONTEST,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Time, nullable=False),
    Column("who", String(200), nullable=False),
    Column("action", String(40), nullable=False),
    Column("subject", String(200), nullable=False),
    Column("reason", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("hash", HASH, nullable=False),
    Index("audit_by_action", "action", "who"),
)
ANNOUNCEMENTS = Table(
    "announcements",
    CONTEST,
    Column("id", Integer, primary_key=True),
    Column("at", Time, nullable=False),
    Column("who", String(200), nullable=False),
    Column("title", String(200), nullable=False),
    Column("text", Text, nullable=False),
)
HOOKS = Table(
    "hooks",
    CONTEST,
    Column("id", ID, primary_key=True),
    Column("team", ForeignKey(TEAMS.c.id), nullable=False, index=True),
    Column("url", String(500), nullable=False),
    Column("secret", String(100), nullable=False),  # not its hash: what is sent is signed with it
    Column("failures", Integer, nullable=False, default=0),  # in a row
    Column("trouble", Text, nullable=False, default=""),  # why the last call failed; empty if it did not
    Column("created", Time, nullable=False),
)
OUTBOX = Table(
    "outbox",
    CONTEST,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("event", String(80), nullable=False),
    Column("channel", WORD, nullable=False),
    Column("target", MAILBOX, nullable=False, index=True),  # an address of mail, or the id of a hook
    Column("title", String(300), nullable=False),
    Column("body", Text, nullable=False),
    Column("state", WORD, nullable=False),
    Column("tries", Integer, nullable=False, default=0),
    Column("due", Time, nullable=False),
    Column("fence", Integer, nullable=False, default=0),
    Column("created", Time, nullable=False),
    UniqueConstraint("event", "channel", "target"),
    Index("outbox_by_due", "state", "due"),
    Index("outbox_by_address", func.lower(column("target")), "created"),  # case does not tell addresses apart
)
