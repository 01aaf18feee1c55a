"""A position of Goofspiel in a terminal."""

from ballcourt.engine.core.view.drawing import Line, about, heading, paragraph
from ballcourt.engine.core.view.scene import Scene, Scenery


def draw(scenery: Scenery, scene: Scene) -> list[Line]:
    """Draw the prize, the players with their hands, and what the observer knows of the bids."""
    board = scene["board"]
    gone = " ".join(map(str, board["gone"])) or "none"
    lines = [heading(f"Round {scene['round']}: the prize is {board['prize'] or 'none'}")]
    lines += paragraph(f"gone: {gone}; face down: {scene['piles']['prizes']['count']}")
    for index, (player, known) in enumerate(zip(scene["players"], scene["known"], strict=True)):
        lines += about(player, index)
        lines += paragraph(f"hand {' '.join(map(str, player['own']['hand']))}", 2)
        lines += paragraph(f"bids {known['bid']}", 2) if known["bid"] else []
    return lines
