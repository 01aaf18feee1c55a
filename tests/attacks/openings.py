"""How each wall besides the sandbox is opened, so that the attacks on it do harm."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tests.attacks.flooding import OF_A_HOLDER


@dataclass(frozen=True)
class Opening:
    """A wall, open."""

    wall: str
    changes: Mapping[str, str]
    """Statements that are carried out in modules of the arena when they are loaded, by the module's name."""
    ways: Mapping[str, str]
    """What the harm of each attack on it looks like, a regular expression."""
    tier: int = 0
    is_endless: bool = False
    """Whether the harm is that the attack, and what waits for it, does not end."""


def _defaults(model: str, **values: object) -> str:
    """Return the statement that gives fields of a frozen dataclass other defaults."""
    kept = f"tuple({values!r}.get(name, value) for name, value in zip({model}.__match_args__, _of, strict=True))"
    return f"_of = {model}.__init__.__defaults__; {model}.__init__.__defaults__ = {kept}"


NO_WATCH: Final = "Watchdog._look = lambda self: None"
IMPATIENT: Final = {
    "tests.arena.conftest": "PATIENCE_S = 10.0",
    "tests.attacks.classes.door": "PATIENCE_S = 15.0",
    "tests.attacks.classes.pages": "PATIENCE_S, TRIES = 15.0, 1",
}
"""Tests wait less long for what does not come."""
ANY_ACTION: Final = """
class Any(int):
    __hash__ = int.__hash__
    def __eq__(self, other):
        return True
_answered = _answer
def _answer(reply, decision, think_us, seats):
    reply.action.decision_id = decision
    answer = _answered(reply, decision, think_us, seats)
    return answer._replace(action=Any(answer.action))
"""
ANY_ANSWER: Final = """
_answered = _answer
def _answer(reply, decision, think_us, seats):
    reply.action.decision_id = decision
    return _answered(reply, decision, think_us, seats)
_replied = Seat._reply
async def _reply(self, kind, decision=0):
    return await _replied(self, kind)
Seat._reply = _reply
"""
NO_LIMIT_OF_FOLDERS: Final = """
DEEPEST = MOST_NAMES = LONGEST_PATH = 1 << 60
_begun = _Walk.__init__
def _begin(self, folder, ignore, most):
    _begun(self, folder, ignore, 1 << 60)
_Walk.__init__ = _begin
"""
ANY_FILE: Final = """
import types
AT_ONCE = 0
stat = types.SimpleNamespace(**{**vars(stat), "S_ISREG": lambda mode: not stat_of(mode)})
def stat_of(mode):
    import stat
    return stat.S_ISDIR(mode) or stat.S_ISLNK(mode)
"""
READ_FIRST: Final = """
_passed = Guard.__call__
async def _call(self, scope, receive, send):
    body = []
    while scope["type"] == "http":
        message = await receive()
        body.append(message.get("body", b""))
        if not message.get("more_body"):
            break
    await _passed(self, scope, receive, send)
Guard.__call__ = _call
"""
ANY_HEAD: Final = """
from functools import partial
from types import SimpleNamespace
config = partial(uvicorn.Config, h11_max_incomplete_event_size=1 << 40)
uvicorn = SimpleNamespace(**{**vars(uvicorn), "Config": config})
"""
HOST_OPEN: Final = _defaults(
    "HostLimits", unproven_bytes=1 << 60, bytes_per_s=1e12, per_s=1e9, accepted_per_s=1e9, refusals=1 << 60
)

OPENINGS: Final = (
    Opening(
        "the clocks of a match",
        {"ballcourt.arena.match.watchdog": NO_WATCH, "ballcourt.arena.match.spec": "Bank.is_overdrawn = False"},
        dict.fromkeys(
            ("drips its answer", "thinks on the grace", "thinks on an empty bank", "holds back the last byte"),
            "ended OK, not TIMEOUT",
        ),
    ),
    Opening(
        "the clocks of a match, for what never comes",
        {"ballcourt.arena.match.watchdog": NO_WATCH},
        dict.fromkeys(
            (
                "hangs",
                "takes no question",
                "stops itself",
                "spins, then hangs",
                "never connects",
                "connects and is silent",
                "drips its Hello",
            ),
            "",
        ),
        is_endless=True,
    ),
    Opening(
        "the check of actions",
        {"ballcourt.arena.match.seats": ANY_ACTION},
        {"illegal": "ended OK", "out of range": "ended OK", "unasked answer": "ended OK"},
    ),
    Opening(
        "the numbers of questions",
        {"ballcourt.arena.match.seats": ANY_ANSWER},
        {"stale answers": "changed the match", "answers twice": "changed the match"},
    ),
    Opening(
        "only one Hello for a token",
        {
            "ballcourt.arena.match.stream.session": """
def _next_expected(self, token):
    game, arrival = self._expected[token][0]
    return game, asyncio.get_running_loop().create_future() if arrival.done() else arrival
BotServer._next_expected = _next_expected
"""
        },
        {"connects twice": "ended CRASH"},
    ),
    Opening(
        "a fault costs a seat, not the match",
        {
            "ballcourt.arena.match.referee": """
async def _remedied(self, seat, lowest, fault, spent_us):
    raise ArenaError(fault.sentence) from fault
from ballcourt.arena.faults import ArenaError
Match._remedied = _remedied
"""
        },
        dict.fromkeys(("exits after an answer", "orphan and crash", "deaf to SIGTERM"), "ended the run"),
    ),
    Opening(
        "what ends orphans",
        {"ballcourt.arena.processes.tree": "own_children = lambda: []\nend_strays = lambda: None", **IMPATIENT},
        {"orphan": "left", "hides its token": "left"},
    ),
    Opening(
        "the limit of a message",
        {
            "ballcourt.arena.match.stream.session": """
OPTIONS = [(name, -1 if name == "grpc.max_receive_message_length" else value) for name, value in OPTIONS]
"""
        },
        {"100 MB message": "ended PROTOCOL_ERROR"},
    ),
    Opening(
        "that bots are stopped out of turn",
        {"ballcourt.arena.processes.handles": "LaunchedProcess.stop = LaunchedProcess.resume = lambda self: None"},
        {"computes beside a vfork": "unseen"},
    ),
    Opening(
        "what is computed while stopped",
        {
            "ballcourt.arena.processes.family": "Descendants.stolen_us = lambda self: 0",
            "tests.attacks.classes.freezing": "ATTACKS = tuple(_thinking(attack.way, 500) for attack in ATTACKS)",
        },
        {"thaws itself with a timer": "unseen", "thirty that thaw themselves": "unseen"},
    ),
    Opening(
        "how files of a bot are opened",
        {
            "ballcourt.arena.files": """
open_regular = lambda path: open(path, "rb")
read_regular = lambda path, most: path.read_bytes()
""",
            "tests.attacks.classes.folders": "PATIENCE[2] = '10'",
        },
        {"a pipe for a bot.toml": "ended with 124", "a device for a bot.toml": "ended with"},
    ),
    Opening(
        "limits of a bot.toml",
        {
            "ballcourt.arena.files": "_check_keys = _check_numbers = lambda value: None; MOST_ENTRIES = 1 << 60",
            "ballcourt.arena.naming": "lines_objection = lambda lines: ''",
            "ballcourt.arena.bots.parameters": "MOST = float('inf')",
            "tests.attacks.classes.folders": "PATIENCE[2] = '10'",
        },
        {
            "a key of many dots": "ended with (3|124)",
            "a number without end": "ended with 0",
            "thousands of patterns": "ended with 124",
        },
    ),
    Opening(
        "how a directory is resolved",
        {
            "ballcourt.arena.bots.bot": """
def _directory(file, folder, values):
    directory = (folder / values.get("directory", ".")).resolve()
    if not directory.is_dir():
        raise BotError("none")
    return directory
"""
        },
        {"a directory that loops": "ended with 3", "a directory of smileys": "ended a ladder"},
    ),
    Opening(
        "limits of a bot's folder",
        {"ballcourt.arena.bots.contents": NO_LIMIT_OF_FOLDERS, "tests.attacks.classes.folders": "PATIENCE[2] = '10'"},
        {
            "a path longer than any may be": "ended with",
            "a terabyte that takes no room": "ended with 124",
            "folders without end": "ended with 3",
            "hidden folders without end": "ended the run",
        },
    ),
    Opening(
        "which files a bot may have",
        {"ballcourt.arena.bots.contents": ANY_FILE, "tests.attacks.classes.folders": "PATIENCE[2] = '10'"},
        {"a pipe in a folder": "ended with 124"},
    ),
    Opening(
        "what is looked at after a build",
        {"ballcourt.arena.building.builds": "_check_result = lambda bot, copy: None"},
        {"leaves a pipe in its build": "the message is:"},
    ),
    Opening(
        "rights of what a build leaves",
        {
            "ballcourt.arena.building.steps": """
_run = run
run = lambda *words: None if "chmod" in words else _run(*words)
"""
        },
        {"leaves a setuid program": "left .*/sh"},
    ),
    Opening(
        "what ends the processes of a build",
        {"ballcourt.arena.processes.tree": "own_children = lambda: []\nend_strays = lambda: None", **IMPATIENT},
        {"goes on after its build": "goes on"},
    ),
    Opening(
        "addresses of this machine",
        {
            "ballcourt.arena.fetching.destinations": """
async def addresses(self, place):
    return [*map(str, await resolved(place))]
Destinations.addresses = addresses
"""
        },
        {"reaches what listens on this machine": "CONNECT"},
        tier=1,
    ),
    Opening(
        "the time of a build",
        {"ballcourt.arena.building.watching": "Watch.seconds = 0.0"},
        {"sleeps in its build": ""},
        is_endless=True,
    ),
    Opening(
        "how many files are mounted",
        {"ballcourt.arena.bots.image": "MOST_SHARED = 1 << 60"},
        {"more files than can be mounted": "ended the run|void"},
        tier=1,
    ),
    Opening(
        "what a tournament file opens is said",
        {"ballcourt.arena.sandbox.tiers": "Sandbox.cautions = lambda self: []"},
        {"an unsafe tournament file": r"said only \[\]"},
        tier=1,
    ),
    Opening(
        "numbers of a tournament file",
        {"ballcourt.arena.files": "_check_keys = _check_numbers = lambda value: None"},
        {"a tournament file beyond bounds": "ended with|printed"},
        tier=1,
    ),
    Opening(
        "what a bot prints is not always text",
        {"ballcourt.arena.processes.tail": "Tail.text = property(lambda self: self._kept.decode())"},
        {"mumbles": "ended the run"},
    ),
    Opening(
        "the name of a process is not always text",
        {
            "ballcourt.arena.processes.family": """
_cpu_us = lambda pid: int(Path(f"/proc/{pid}/stat").read_text().split()[14])
"""
        },
        {"renames itself": "ended the run"},
    ),
    Opening(
        "how much output is read at a time",
        {
            "ballcourt.arena.processes.child": """
def drain(self):
    while True:
        self.tail.add(os.read(self.output, READ_BYTES) if select.select([self.output], [], [])[0] else b"")
import select
Child.drain = drain
"""
        },
        {"floods its output": ""},
        is_endless=True,
    ),
    Opening(
        "connections of a bot",
        {
            "ballcourt.arena.match.stream.session": "SOCKET_LIMITS = ()",
            "ballcourt.arena.match.stream.flood_guard": "FloodGuard._close = lambda self, path: None",
        },
        {"connects often": "ended OK"},
    ),
    Opening(
        "what HTTP/2 allows a bot",
        {
            "ballcourt.arena.match.stream.session": """
SOCKET_LIMITS = ()
OPTIONS = (("grpc.max_receive_message_length", -1), ("grpc.max_metadata_size", 1 << 30))
""",
            "ballcourt.arena.match.stream.flood_guard": "FloodGuard._close = lambda self, path: None",
        },
        dict.fromkeys(
            (
                "floods with pings",
                "resets streams in a loop",
                "sends a gzip bomb",
            ),
            "cost|grew|void",
        ),
    ),
    Opening(
        "who is suspected when the arena fails",
        {
            "ballcourt.arena.workers.queue": """
DEATHS = ATTEMPTS = 1
PAUSES_S = (0.0, 0.0)
Queue._culprit = lambda self, attempt: ""
def _doubtful(self, spoiled):
    raise spoiled.error()
Queue._doubtful = _doubtful
"""
        },
        {"kills the arena": "ended the run", "stops the arena and leaves": "ended the run"},
    ),
    Opening(
        "invalid host names",
        {"ballcourt.contest.web.guard": "_named = lambda host: urlsplit(f'//{host}').hostname"},
        {"requests beyond bounds at a contest": "is answered with b'HTTP/1.1 5|traceback"},
    ),
    Opening(
        "reports of examiners",
        {
            "ballcourt.contest.submissions.uploads": "RESERVE = -(1 << 40)",
            "ballcourt.contest.web.examiners": "ExamReport.model_validate_json = staticmethod(lambda text: None)",
        },
        {"an examiner that lies at a contest": "the author gets 500"},
    ),
    Opening(
        "escapes in pages",
        {"ballcourt.arena.replays.page": "escape = lambda text, quote=True: text"},
        {"views of games that are not here": "runs their script"},
    ),
    Opening(
        "a version that comes back is what it was",
        {
            "ballcourt.arena.ladder.roster": """
_took = Roster._let_in
def _let_in(self, decision):
    self._indices.pop(decision.bot, None)
    _took(self, decision)
Roster._let_in = _let_in
"""
        },
        {"leaves a ladder and comes back": "nothing is known"},
    ),
    Opening(
        "records follow from their decisions",
        {"ballcourt.arena.records.replay": "verify = lambda record: Verification(0)"},
        {"numbers in a record": "it was exported"},
    ),
    Opening(
        "what a search can have written",
        {"ballcourt.evaluation.ledger": "Ledger._checked = lambda self, row: row"},
        {"numbers in a search": "goes on|failed"},
    ),
    Opening(
        "modes, links and folders in the hash",
        {"ballcourt.arena.bots.contents": "_line = lambda item, content: content.encode()"},
        {"a copy with the same hash": "is not in the hash"},
    ),
    Opening(
        "words of names",
        {"ballcourt.arena.naming": "name_objection = version_objection = line_objection = lambda text: ''"},
        {"escapes in a name": "was accepted"},
    ),
    Opening(
        "escapes in what is printed",
        {"ballcourt.arena.printable": "printable = lambda text: text"},
        {
            "escapes in a build's output": "printed",
            "escapes in its output": "printed",
        },
    ),
    Opening(
        "words of records, and escapes in what is printed",
        {
            "ballcourt.arena.naming": "name_objection = version_objection = line_objection = lambda text: ''",
            "ballcourt.arena.printable": "printable = lambda text: text",
        },
        {"escapes in a record": "printed"},
    ),
    Opening(
        "base64 around what a bot wrote in a page",
        {"ballcourt.arena.replays.page": "_packed = lambda replays: as_json(replays, indent=None)"},
        {"thoughts in a record": "runs their script"},
    ),
    Opening(
        "a folder is one bot",
        {"ballcourt.arena.ladder.roster": "Roster.outdated = lambda self, versions: iter(())"},
        {"joins a ladder under one name after another": "one folder has the bots"},
    ),
    Opening(
        "bots of an account",
        {"ballcourt.arena.ladder.arrivals.admission": "Admission._crowd = lambda *_: ''"},
        {"enters many copies in a ladder": "one account has 12 bots"},
    ),
    Opening(
        "secret seeds",
        {"ballcourt.arena.tournament.event.seeds": "draw_seed = lambda: Seed(9, '0' * 32)"},
        {"guesses the seed": "found a seed that was drawn"},
    ),
    Opening(
        "a deal for each match",
        {
            "ballcourt.arena.tournament.folder.planning": """
_deals = lambda *_: Deals.BLOCK
_lifetime = lambda *_: Lifetime.TOURNAMENT
"""
        },
        {"knows the next rotation": "same cards", "asks for the same deal again": "same cards"},
    ),
    Opening(
        "what a record of a worker proves",
        {"ballcourt.arena.cluster.lies": "lie_in = lambda *_: None"},
        {"a worker of a cluster makes up winners": "its lies count"},
    ),
    Opening(
        "what visitors may do without a token",
        {"ballcourt.arena.remote.limits": HOST_OPEN, **IMPATIENT},
        {"guesses on one connection": "were answered"},
    ),
    Opening(
        "the journal of failures",
        {"ballcourt.arena.remote.limits": _defaults("HostLimits", failures=1 << 60, refusals=1 << 60)},
        {
            "knocks and runs": "lines of the journal",
            "botched handshakes": "lines of the journal",
            "guesses tokens": "lines of the journal",
        },
    ),
    Opening(
        "who has to leave for another",
        {
            "ballcourt.arena.remote.limits": _defaults("HostLimits", grace_s=1e9, hello_s=1e9),
            "ballcourt.arena.remote.visitors": """
def enter(self, end, visitor):
    _enter(self, end, visitor)
    guest = self._guests[visitor]
    self._stop_listening(guest)
    self._ready.append(guest)
    self._arrival.set()
_enter = WaitingRoom.enter
WaitingRoom.enter = enter
""",
            **IMPATIENT,
        },
        {"silent crowd": "no answer"},
    ),
    Opening(
        "how often a token may be used",
        {"ballcourt.arena.remote.admission": "AdmissionServer._limit = lambda self, token: None"},
        {"storm of good Hellos": "in a row"},
    ),
    Opening(
        "connections without a proof end",
        {
            "ballcourt.arena.remote.proxy": """
async def _expect_proof(self, visitor):
    await asyncio.Event().wait()
TcpProxy._expect_proof = _expect_proof
""",
            **IMPATIENT,
        },
        {"hoards connections": "one token keeps"},
    ),
    Opening(
        "messages of a host that no one reads",
        {
            "ballcourt.arena.remote.limits": HOST_OPEN,
            "ballcourt.arena.remote.sessions": """
MOST_UNREAD = MOST_UNREAD_BYTES = 1 << 60
RemoteSession._take = lambda self, data: bool(self._inbox.append(parsed(data)))
""",
        },
        {"large when parsed": "grew by"},
    ),
    Opening(
        "requests are refused before they are read",
        {"ballcourt.web.guard": READ_FIRST, **IMPATIENT},
        {
            f"flood of {way} at serve": "it grew by"
            for way in ("long bodies", "foreign bodies", "chunks", "bodies of pages")
        },
    ),
    Opening(
        "how long a head may be",
        {"ballcourt.web.server": ANY_HEAD, **IMPATIENT},
        {f"flood of {way} at serve": "it (grew by|keeps)" for way in ("long lines", "many headers", "noise at a page")},
    ),
    Opening(
        "which connection has to leave",
        {
            "ballcourt.web.server": """
PATIENCE_S, MOST_UNREAD = 1e9, 1 << 60
web_server.__defaults__ = (PATIENCE_S,)
_by_leave = lambda connection: -connection.made_s
""",
            **IMPATIENT,
        },
        {
            f"flood of {way} at serve": "a browser gets no page"
            for way in (
                "silence",
                "slow heads",
                "slow bodies",
                "unfinished bodies",
                "unread pages",
                "unread replays",
                "unread streams",
            )
        },
    ),
    Opening(
        "how long a visitor may take to show a certificate, and that its memory is given back",
        {
            "ballcourt.arena.cluster.listening": """
HANDSHAKE_S, MOST_WAITING = 1e9, 1 << 60
Listener._clear_up = lambda self: None
"""
        },
        {f"flood of {way} at a scheduler": "it keeps" for way in ("half-open TLS", "slow handshakes")},
    ),
    Opening(
        "who may frame a page",
        {"ballcourt.web.guard": "HEADERS = {**HEADERS, 'Content-Security-Policy': \"default-src 'self'\"}"},
        {"frames pages of serve": "may be framed"},
    ),
)
OF_GRPC: Final = "with all limits of ours open it did no harm when that was tried: gRPC itself bounds it"
OF_HTTP: Final = "with all limits of ours open it did no harm when that was tried: h11 and uvicorn bound it"
OF_DASK: Final = "with all limits of ours open it did no harm when that was tried: Dask closes its connections"
BY_DESIGN: Final = "with all limits of ours open it did no harm in seconds: how the server reads and keeps bounds it"
WITHOUT: Final[Mapping[str, tuple[str, ...]]] = {
    OF_GRPC: (
        "floods with settings",
        "floods with empty frames",
        "floods with window updates",
        "floods with frames of no type",
        "reconnects in a loop",
        "dials in a loop",
        "sends headers without end",
        "half-closes its stream",
        "watches the health",
        *(
            f"flood of {way} at a host"
            for way in (
                "pings",
                "settings",
                "empty frames",
                "window updates",
                "frames of no type",
                "priorities",
                "continuations",
                "bodies",
                "streams",
                "rapid reset",
                "other paths",
                "health watches",
                "header bombs",
                "guesses",
                "noise in TLS",
            )
        ),
    ),
    OF_HTTP: tuple(
        f"flood of {way} at serve" for way in ("pipelined requests", "pipelined streams", "upgrades", "calls to a page")
    ),
    OF_DASK: tuple(f"flood of {way} at a scheduler" for way in ("slow bytes", "noise in TLS", "noise", "knocks")),
    BY_DESIGN: (
        "flood of sign-ins of devices at a contest",
        "flood of unfinished archives at a contest",
        *(f"flood of {way} at a host" for way in ("noise", "knocks", "half-open TLS", "slow handshakes", "slow bytes")),
        *(f"flood of {way} at a host by a bot" for way in OF_A_HOLDER),
    ),
    "no wall of ours is between: it costs others less than their clocks allow": (
        "hogs the memory bus",
        "spins outside its turn",
    ),
    "even a launcher that waits for its answers stays within the slowdown that this attack allows": (
        "leaves orphans without end",
    ),
    "there is no check that could be taken away: all results count for a rating": ("loses on purpose in a division",),
    "what it does is allowed by now, and a bot may play so": (
        "starts in a hidden folder",
        "a large file whose name is not text",
    ),
    "without the check before, it fails to start by itself": ("starts in a folder that is not built",),
    "it ends at the memory of a control as it does at the limit of the sandbox": ("memory hog",),
    "what unpacks archives is a program that takes nothing from its environment, so nothing in it can be opened": (
        "hostile archives in a contest",
    ),
}
UNOPENED: Final = {way: why for why, ways in WITHOUT.items() for way in ways}
"""The attacks without a control, and why they have none."""
