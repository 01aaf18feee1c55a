"""The figures of a contest, in the format of Prometheus. They are read from the database when they are asked for."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import func, select

from ballcourt.contest.examining.work import examiners_seen, oldest_waiting
from ballcourt.contest.monitoring.readiness import AWAY_S, free_bytes, readiness
from ballcourt.contest.notifications.outbox import unsent
from ballcourt.contest.store.contest import Contest
from ballcourt.contest.store.schema import SUBMISSIONS, UPLOADS, WORK
from ballcourt.contest.submissions.states import SubmissionState
from ballcourt.contest.submissions.work_queue import WorkKind


@dataclass(frozen=True, slots=True)
class LadderPlay:
    """What the ladder has played."""

    matches: int
    faults: int
    """Seats that bots have lost."""


class ContestFigures(Collector):
    """Collects the figures of a contest and its ladder."""

    def __init__(self, contest: Contest, played: Callable[[], LadderPlay]) -> None:
        self._contest = contest
        self._played = played

    def describe(self) -> Iterator[Metric]:
        """Yield nothing: what is registered is not looked up in the database."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Yield all figures; those of a database that does not answer are left out."""
        found = {one.name: one.is_ready for one in readiness(self._contest)}
        yield _labelled("ballcourt_ready", "Whether a part of the contest works.", "part", found)
        free = free_bytes(self._contest)
        yield _labelled("ballcourt_disk_free_bytes", "Free space where files are kept.", "files", free)
        yield from self._of_ladder()
        if found["database"]:
            yield from self._of_queue()
            yield from self._of_outbox()

    def _of_ladder(self) -> Iterator[Metric]:
        played = self._played()
        yield CounterMetricFamily("ballcourt_matches", "Matches that count.", value=played.matches)
        yield CounterMetricFamily("ballcourt_faults", "Seats that bots have lost in them.", value=played.faults)

    def _of_queue(self) -> Iterator[Metric]:
        now = self._contest.now()
        with self._contest.store.reading() as connection:
            states = connection.execute(select(SUBMISSIONS.c.state, func.count()).group_by(SUBMISSIONS.c.state)).all()
            kinds = WORK.c.kind, WORK.c.state
            work = connection.execute(select(*kinds, func.count()).group_by(*kinds)).all()
            uploads = connection.execute(select(func.count()).select_from(UPLOADS)).scalar_one()
            since, examiners = oldest_waiting(connection), examiners_seen(connection, now, AWAY_S)
        counted = {**dict.fromkeys(map(str, SubmissionState), 0), **{row[0]: row[1] for row in states}}
        yield _labelled("ballcourt_submissions", "Submissions by state.", "state", counted)
        queue = Counter({(row[0], row[1]): row[2] for row in work})
        waiting, leased = queue[WorkKind.EXAM, "waiting"], queue[WorkKind.EXAM, "leased"]
        again = queue[WorkKind.AGAIN, "waiting"] + queue[WorkKind.AGAIN, "leased"]
        lengths = {"waiting": waiting, "examining": leased, "again": again, "receiving": uploads}
        yield _labelled("ballcourt_queue", "Submissions that are not yet examined.", "part", lengths)
        waiting, leased = queue[WorkKind.SCRIMMAGE, "waiting"], queue[WorkKind.SCRIMMAGE, "leased"]
        lengths = {"waiting": waiting, "playing": leased}
        yield _labelled("ballcourt_scrimmages", "Scrimmages that are not yet played.", "part", lengths)
        oldest = 0.0 if since is None else max(0.0, now - since)
        yield GaugeMetricFamily("ballcourt_oldest_waiting_seconds", "How long the first one has waited.", value=oldest)
        yield GaugeMetricFamily("ballcourt_examiners", "Examiners that have been seen lately.", value=examiners)

    def _of_outbox(self) -> Iterator[Metric]:
        words = "Messages of mail and webhooks that wait, and that were given up."
        messages = GaugeMetricFamily("ballcourt_messages", words, labels=["channel", "state"])
        now = self._contest.now()
        with self._contest.store.reading() as connection:
            counts = unsent(connection)
        for one in counts:
            messages.add_metric([one.channel, "waiting"], one.waiting)
            messages.add_metric([one.channel, "failed"], one.failed)
        yield messages
        oldest = {one.channel: 0.0 if one.since is None else max(0.0, now - one.since) for one in counts}
        yield _labelled("ballcourt_oldest_message_seconds", "How long the first one has waited.", "channel", oldest)


def _labelled(name: str, words: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=[label])
    for value, count in values.items():
        family.add_metric([value], count)
    return family
