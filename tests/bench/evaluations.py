"""What is kept of many evaluations: `python -m tests.bench.evaluations [--blocks N]`.

Candidates of 100 blocks of two matches each, with records of as many bytes as those of Maya; all answer one question.
"""

import argparse
import random
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from time import process_time
from typing import Final

from ballcourt.evaluation.assessment import Budget, verdict_of
from ballcourt.evaluation.court import LEARNT_FROM
from ballcourt.evaluation.ledger import ROTATE, KeptBlock, Ledger, shared
from ballcourt.evaluation.terms import Place

EACH: Final = 100
"""Blocks of a candidate."""
RECORDS: Final = 4400
"""Bytes of the packed records of a block of two matches of Maya."""
QUESTION: Final = "7" * 64
ROW: Final = "INSERT INTO block VALUES (?, ?, ?, ?, ?, 2, 2, 0, 0, 600000, 1200000, ?, ?, '')"


def main() -> None:
    """Fill a file in tenths; print its size and what a hit and a new block take after each."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.evaluations", description="What evaluations leave.")
    parser.add_argument("--blocks", type=int, default=1_000_000, help="blocks of two matches (default 1,000,000)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path, candidates = Path(folder, "kept.sqlite"), arguments.blocks // EACH
        for tenth in range(1, 11):
            first, last = candidates * (tenth - 1) // 10, candidates * tenth // 10
            fill(path, range(first, last))
            sys.stdout.write(f"{last * EACH:>9} blocks: {path.stat().st_size / 1e6:7.1f} MB; {costs(path, last)}\n")
            sys.stdout.flush()


def fill(path: Path, candidates: range) -> None:
    """Add the blocks of candidates."""
    ledger = Ledger(path)
    ledger.seed(QUESTION)
    ledger.close()
    base = sqlite3.connect(path)
    for first in range(candidates.start, candidates.stop, ROTATE):
        base.executemany(ROW, rows(range(first, min(first + ROTATE, candidates.stop))))
        base.commit()
    base.close()


def rows(candidates: range) -> Iterator[tuple[object, ...]]:
    """Yield the blocks of candidates as rows."""
    for candidate in candidates:
        chance = random.Random(candidate)  # no secret
        for number in range(EACH):
            records = chance.randbytes(RECORDS) if number < LEARNT_FROM else b""
            won = chance.choice((0.0, 0.5, 1.0))
            yield QUESTION, name_of(candidate), deals_of(candidate), number, won, chance.random(), records


def costs(path: Path, candidates: int) -> str:
    """Return what answers cost: the known one of a candidate, the first one of a new candidate, and a new block."""
    ledger, draw = Ledger(path), random.Random(candidates)
    met = [name_of(draw.randrange(candidates)) for _ in range(20)]
    new = (f"{number:064x}" for number in count(1 << 200))
    known = mean_ms(lambda number: answer(ledger, met[number]))
    first = mean_ms(lambda _: answer(ledger, next(new)))
    block = KeptBlock(0.5, 2, 2, 0, 0, 600_000, 1_200_000, 0.5, b"")
    added = mean_ms(lambda number: ledger.add(QUESTION, "f" * 64, Place(deals_of(candidates - 1), number), block))
    forget(path)
    ledger.close()
    return f"a known answer {known:.1f} ms, the lookup of a new candidate {first:.1f} ms, a block {added:.2f} ms"


def answer(ledger: Ledger, candidate: str) -> None:
    """Look up a candidate as an evaluation does, and weigh what is known of it."""
    known = ledger.blocks(QUESTION, candidate, ledger.shared_deals(QUESTION, [candidate]))
    verdict_of([known[number] for number in range(len(known))], Budget(matches=2.0 * EACH))


def forget(path: Path) -> None:
    """Remove the blocks that were added to measure what that takes."""
    base = sqlite3.connect(path)
    base.execute("DELETE FROM block WHERE candidate = ?", ("f" * 64,))
    base.commit()
    base.close()


def mean_ms(work: Callable[[int], object], times: int = 20) -> float:
    """Return the mean processor time of some work, in milliseconds."""
    began = process_time()
    for number in range(times):
        work(number)
    return (process_time() - began) / times * 1000


def name_of(candidate: int) -> str:
    """Return the content hash of a candidate: hashes are in no order."""
    return f"{random.Random(candidate).getrandbits(256):064x}"


def deals_of(candidate: int) -> str:
    """Return the deals that a candidate met."""
    return shared(candidate // ROTATE)


if __name__ == "__main__":
    main()
