"""The blocks of a comparison that its output folder has."""

from collections import defaultdict
from pathlib import Path

from ballcourt.arena.records.store import RecordError, read_record
from ballcourt.arena.tournament.folder.output import record_files
from ballcourt.arena.tournament.schedules.formats.comparison import matches_in_block
from ballcourt.arena.tournament.schedules.schedule import block_index
from ballcourt.evaluation.duels import Duel, duels_of
from ballcourt.evaluation.versions import is_new
from ballcourt.v1.record_pb2 import MatchRecord


def played_blocks(folder: Path) -> list[list[Duel]]:
    """Return the duels of all whole blocks, in the order of the schedule; none without the folder.

    Raises RecordError also if these are not the matches of a comparison.
    """
    blocks: defaultdict[int, list[MatchRecord]] = defaultdict(list)
    for file in record_files(folder) if folder.exists() else ():
        record = read_record(file)
        blocks[block_index(record.key) or 0].append(record)
    in_order = [blocks[index] for index in sorted(blocks)]
    whole = [block for block in in_order if len(block) == matches_in_block(len(block[0].entrants))]
    found = [duels_of(block, is_new) for block in whole]
    if not all(found):
        raise RecordError(f"{folder} has matches without a new and an old version; name the folder of a comparison")
    return found
