"""What a notebook shows of a record: its replay, in a frame that cannot reach the notebook."""

from html import escape

from ballcourt.arena.printable import printable
from ballcourt.arena.records.narrative import account
from ballcourt.arena.records.store import RecordError
from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import page
from ballcourt.v1.record_pb2 import MatchRecord

FRAME = '<iframe sandbox="allow-scripts allow-downloads" width="100%" height="900" srcdoc="{}"></iframe>'


def record_html(record: MatchRecord) -> str:
    """Return the replay of a match as HTML, or its result in words if it cannot be executed here."""
    try:
        return FRAME.format(escape(page([document(record, observer) for observer in observers(record)]).text))
    except RecordError as error:
        lines = [*account(record), str(error)]
        return f"<pre>{escape(chr(10).join(map(printable, lines)))}</pre>"


def show_records() -> None:
    """Show records in notebooks by their replays."""
    MatchRecord._repr_html_ = record_html  # type: ignore[attr-defined]  # IPython looks for it
