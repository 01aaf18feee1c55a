"""The bots that lose their seats before they decide anything: they may be unable to start where they play."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from ballcourt.arena.match.policy import counted
from ballcourt.arena.printable import cut
from ballcourt.arena.records.decisions import answered
from ballcourt.v1.protocol_pb2 import Termination
from ballcourt.v1.record_pb2 import MatchRecord, SeatFault

MOST: Final = 10
"""How many bots are named."""
MOST_LETTERS: Final = 200
"""How much of the last line of their output is quoted."""


class StuckBots:
    """Looks for them in the matches of a tournament. The first start of a bot is its trial."""

    def __init__(self) -> None:
        self._started: set[str] = set()  # those that have decided something
        self._stuck: Counter[str] = Counter()  # in how many matches the others have not
        self._reasons: dict[str, str] = {}

    def add(self, record: MatchRecord) -> Iterator[str]:
        """Count a match; yield a sentence for each bot whose first match it is and that did not get to a decision."""
        seats = range(len(record.entrants))
        self._started |= {_identity(record, seat) for seat in seats if answered(record, seat)}
        for bot, fault in _stuck(record):
            self._stuck[bot] += 1
            if bot not in self._started | self._reasons.keys():
                last = cut(fault.stderr_tail.strip().rpartition("\n")[2], MOST_LETTERS)
                self._reasons[bot] = f"{fault.detail}; its last output is '{last}'" if last else fault.detail
                if len(self._reasons) <= MOST:
                    yield f"{bot} lost its seat in its first match before it decided anything: {self._reasons[bot]}"

    def forget(self, records: Iterable[MatchRecord]) -> None:
        """Take back matches that do not count."""
        for record in records:
            self._stuck.subtract(bot for bot, _ in _stuck(record))

    def summary(self) -> Iterator[str]:
        """Yield a sentence for each bot that never got as far as a decision."""
        never = [bot for bot, times in self._stuck.items() if times > 0 and bot not in self._started]
        for bot in never[:MOST]:
            yield (
                f"{bot} never got as far as a decision, in {counted(self._stuck[bot], 'match')}: {self._reasons[bot]}"
            )
        if more := never[MOST:]:
            yield f"{len(more)} more bots never got as far as a decision"


def _stuck(record: MatchRecord) -> list[tuple[str, SeatFault]]:
    """Return the bots that lost their seats before a decision, and how; an illegal action is a decision."""
    return [
        (_identity(record, fault.seat), fault)
        for fault in record.faults
        if fault.termination != Termination.TERMINATION_ILLEGAL and not answered(record, fault.seat)
    ]


def _identity(record: MatchRecord, seat: int) -> str:
    return f"{record.entrants[seat].name} {record.entrants[seat].version}"
