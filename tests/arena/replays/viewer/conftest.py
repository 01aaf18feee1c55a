"""Pages of replays, and a browser for them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ballcourt.arena.replays.document import document, observers
from ballcourt.arena.replays.page import write_page
from ballcourt.v1.record_pb2 import MatchRecord
from tests.arena.recorded import recorded
from tests.arena.replays.matches import GAMES, NAMES, played
from tests.arena.replays.test_page import hostile
from tests.arena.replays.viewer.pages import (
    SPOILED,
    Viewer,
    lost_seat,
    of_other_rules,
    opened,
    random_matches,
    restarted,
    spoiled,
    thoughtful,
    with_judgement,
)
from tests.bluff.installed import bluff_installed
from tests.browser import chromium


@pytest.fixture(scope="package")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write all pages before the browser starts: its event loop keeps others from running."""
    folder = tmp_path_factory.mktemp("pages")
    with bluff_installed():
        records: dict[str, MatchRecord] = {f"{game}-{seats}": played(game, seats) for game, seats in GAMES}
        records |= {"bluff": recorded(), "hostile": hostile(recorded())}
        records |= {f"{game}-2": played(game, 2) for game in ("tzolkin", "maya", "ahau")}
        records |= {"lost": lost_seat(), "restarted": restarted(), "thoughtful": thoughtful()}
        views = {
            name: [document(record, observer) for observer in observers(record)] for name, record in records.items()
        }
        for name in (*NAMES, "bluff"):  # a page does not mind that its replays are not views of one match
            views[f"random-{name}"] = [document(record) for record in random_matches(name)]
        views["judged"] = [with_judgement(recorded())]
        for name, spoil in SPOILED.items():
            views[name] = [spoiled(view, spoil) for view in views["bluff"]]
        views["strange"] = [of_other_rules(view) for view in views["ahau-3"]]
        for name, shown in views.items():
            write_page(folder / f"{name}.html", shown)
    return {name: folder / f"{name}.html" for name in views}


@pytest.fixture(scope="package")
def browser(files: dict[str, Path]) -> Iterator[Any]:
    with chromium() as started:
        yield started


@pytest.fixture
def viewer(browser: Any, files: dict[str, Path]) -> Iterator[Viewer]:  # noqa: ANN401
    shown = opened(browser, files, viewport={"width": 1280, "height": 900})
    yield shown
    shown.tab.context.close()
    assert shown.problems == []
