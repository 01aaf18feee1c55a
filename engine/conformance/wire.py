"""Checks of what leaves the engine: encoded observations and scenes."""

import json
from collections.abc import Iterator

from ballcourt.engine.conformance.walk import Walk
from ballcourt.engine.core.messages.wire import Encoder
from ballcourt.engine.core.observation import SPECTATOR, observe
from ballcourt.engine.errors import MalformedRows

EVERY = 5
"""Every n-th position is drawn, encoded without cache and decoded."""

MAX_BYTES = 16_384
"""The largest size of an encoded observation."""

NONSENSE = (b"", b"\xff\xff\xff")


def wire(walk: Walk) -> Iterator[str]:
    """Check that decoding reverses encoding, and that the encoder's cache is never stale."""
    translation = walk.game.wire()
    cached = Encoder(translation)
    for state in walk.positions():
        for seat in range(SPECTATOR, walk.seats):
            data = cached.encode(state, seat)
            if walk.at % EVERY:
                continue
            if data != Encoder(translation).encode(state, seat):
                yield f"the encoder of the match and a new one give seat {seat} different bytes"
            if translation.decode(data) != observe(state, seat):
                yield f"the observation of seat {seat} differs after encoding and decoding"
    for nonsense in NONSENSE:
        try:
            translation.decode(nonsense)
        except MalformedRows:
            continue
        yield f"the bytes {nonsense!r} are decoded as if they were an observation"


def size(walk: Walk) -> Iterator[str]:
    """Check that no observation grows beyond `MAX_BYTES`."""
    encoder = Encoder(walk.game.wire())
    for state in walk.positions():
        for seat in range(walk.seats):
            length = len(encoder.encode(state, seat))
            if length > MAX_BYTES:
                yield f"the observation of seat {seat} takes {length} bytes, more than {MAX_BYTES}"


def scene(walk: Walk) -> Iterator[str]:
    """Check that scenes are JSON, that everything lies somewhere, and that drawing does not change the position."""
    places = walk.game.scenery(walk.opening())["places"]
    for state in walk.positions(EVERY):
        before = state.to_rows()
        for seat in (None, *range(walk.seats)):
            drawn = walk.game.scene(state, seat)
            viewer = "everyone" if seat is None else f"seat {seat}"
            if json.loads(json.dumps(drawn)) != drawn:
                yield f"the scene for {viewer} is not plain JSON"
            yield from (
                f"the scene for {viewer} has something at {place}, which the scenery lacks"
                for place in drawn["at"]
                if place not in places
            )
        if state.to_rows() != before:
            yield "drawing the scene changed the position"
