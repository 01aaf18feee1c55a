"""What pages cost when a contest has many submissions, in operations of SQLite, which are the same on every machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import event, insert, select, update

from ballcourt.contest.people.accounts import Member
from ballcourt.contest.store.schema import SUBMISSIONS
from tests.contest.made import Made, bot_archive
from tests.contest.test_pages import browser

FEW, MANY = 1_000, 3_000
COUNTED = 10
"""How many operations a further submission may cost on a page that counts submissions, which it does in an index."""
LISTS = "/submissions", "/submissions?state=refused", "/submissions?state=playing", "/submissions?page=3"
OTHERS = "/my-bots/mine", "/team", "/submit", "/scrimmages"


@contextmanager
def operations(made: Made) -> Iterator[Callable[[], int]]:
    """Yield what returns how many operations of SQLite there were so far."""
    done = [0]

    def note() -> int:
        done[0] += 1
        return 0

    engine = made.contest.store.engine
    engine.dispose()  # what has been opened so far is not counted

    def begin(connection: object, _record: object) -> None:
        connection.set_progress_handler(note, 1)  # type: ignore[attr-defined]

    event.listen(engine, "connect", begin)
    yield lambda: done[0]
    event.remove(engine, "connect", begin)


def fill(made: Made, first: int, last: int) -> None:
    """Add submissions of the team that has one: refused ones and old versions, of many bots."""
    about = made.read(select(SUBMISSIONS).limit(1)).one()._asdict()
    rows = [
        {
            **about,
            "id": f"{number:016x}",
            "number": number,
            "bot": f"b{number % 50}",
            "state": "refused" if number % 2 else "retired",
            "created": about["created"] - 1_000_000 + number * 60,
            **dict.fromkeys(("archive", "files_hash", "content_hash"), f"{number:064x}"),
        }
        for number in range(first, last)
    ]
    with made.contest.store.writing() as connection:
        connection.execute(insert(SUBMISSIONS), rows)


def test_pages_look_at_no_more_rows_however_many_submissions_there_are(made: Made, ann: Member, olga: Member) -> None:
    made.playing(ann)
    made.enter(ann, bot_archive("2"))
    with made.contest.store.writing() as connection:  # they are the newest
        connection.execute(update(SUBMISSIONS).values(number=SUBMISSIONS.c.number + MANY))
    organiser, author = browser(made, olga), browser(made, ann)
    asked = [(organiser, "/organiser"), *((who, one) for who in (organiser, author) for one in (*LISTS, *OTHERS))]
    costs: list[list[int]] = []
    number = 10
    with operations(made) as so_far:
        for most in (FEW, MANY):
            fill(made, number, most)
            number, costs = most, [*costs, []]
            for page, address in asked:
                assert page.get(address).status_code == 200, address
                before = so_far()
                page.get(address)
                costs[-1].append(so_far() - before)
    grown = [(address, (many - few) / (MANY - FEW)) for (_, address), few, many in zip(asked, *costs, strict=True)]
    assert [one for one in grown if one[1] > (1 if one[0] in OTHERS else COUNTED)] == [], grown
    assert min(costs[0]) > 0
