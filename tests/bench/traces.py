"""Work of a browser between marks, from its trace: CPU time by kind, so that other programs hardly disturb it."""

import json
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

CATEGORIES: Final = ("__metadata", "devtools.timeline", "disabled-by-default-devtools.timeline", "toplevel")
MARKS: Final = "blink.user_timing"
ALL_CATEGORIES: Final = [*CATEGORIES, MARKS]
KINDS: Final = {
    "FunctionCall": "script",
    "UpdateLayoutTree": "layout",
    "Layout": "layout",
    "PrePaint": "paint",
    "Paint": "paint",
    "Layerize": "paint",
    "Commit": "paint",
    "ThreadControllerImpl::RunTask": "main thread",
    "RasterTask": "raster",
}
"""What the events of a trace are counted as; all but raster happen on the main thread of the page, and its tasks
contain the others.
"""

Event = dict[str, Any]


def work_ms(trace: bytes, mark: str) -> dict[str, NDArray[np.float64]]:
    """Return by kind what each stretch from one mark to the next took, in milliseconds of CPU time."""
    events: list[Event] = json.loads(trace)["traceEvents"]
    marks = [event for event in events if event["name"] == mark and MARKS in event["cat"]]
    starts = np.sort([float(event["ts"]) for event in marks])
    page = (marks[0]["pid"], marks[0]["tid"])
    spent = {kind: np.zeros(len(starts)) for kind in KINDS.values()}
    ended: dict[tuple[str, int, int], float] = {}
    for event in sorted((event for event in events if event.get("ph") == "X"), key=lambda event: float(event["ts"])):
        kind, thread = KINDS.get(event["name"]), (event["pid"], event["tid"])
        if not kind or (kind != "raster" and thread != page) or event["ts"] < ended.get((event["name"], *thread), 0):
            continue  # also what lies within another event of its name
        ended[event["name"], *thread] = event["ts"] + event["dur"]
        stretch = np.searchsorted(starts, event["ts"] + event["dur"], side="right") - 1
        if stretch >= 0:
            spent[kind][stretch] += event.get("tdur", 0) / 1000
    return spent
