"""A position of Goofspiel for viewers."""

from __future__ import annotations

from ballcourt.engine.core.view.scene import Scene, pile, plain_scene, question, sees
from goofspiel.state import GoofspielState

QUESTIONS = {"Bid": "Which card do you bid for the prize?"}


def scene(state: GoofspielState, observer: int | None) -> Scene:
    """Describe the position as a seat or a spectator sees it, or with None with all secrets."""
    scene = plain_scene(state, observer, state.scores())
    scene["round"] = len(state.gone) + (1 if state.prize else 0)
    scene["question"] = question(state, observer, QUESTIONS)
    scene["board"] = {"prize": state.prize or None, "gone": state.gone[:]}
    scene["piles"] = {"prizes": pile([str(card) for card in state.deck], observer)}
    for player, hand in zip(scene["players"], state.hands, strict=True):
        player["own"] = {"hand": hand[:]}
    scene["known"] = [{"bid": bid if sees(observer, seat) else None} for seat, bid in enumerate(state.bids)]
    return scene
