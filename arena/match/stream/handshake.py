"""The first exchange with a bot, which establishes whether both sides can play together."""

from ballcourt.arena.match.spec import ARENA
from ballcourt.engine.core import Game
from ballcourt.v1.protocol_pb2 import ArenaMessage, Hello, Refused, Welcome

PROTOCOL = 1
"""The only protocol version."""


def welcome(session: str = "", received: int = 0, reconnect_ms: int = 0) -> ArenaMessage:
    """Return the message that accepts a bot; for a remote one, with its session's id and its message count."""
    return ArenaMessage(
        welcome=Welcome(protocol=PROTOCOL, arena=ARENA, session=session, received=received, reconnect_ms=reconnect_ms)
    )


def refusal(sentence: str) -> ArenaMessage:
    """Return the message that refuses a bot, with a sentence for its author."""
    return ArenaMessage(refused=Refused(reason=sentence))


def objection(hello: Hello, game: Game) -> str:
    """Return why a bot cannot play this game here, with what both sides support; empty if it can."""
    if not hello.protocol_min <= PROTOCOL <= hello.protocol_max:
        return (
            f"the bot speaks protocol {_range(hello.protocol_min, hello.protocol_max)} and this arena speaks "
            f"{PROTOCOL}; use an SDK that speaks {PROTOCOL}"
        )
    if not hello.games:
        return ""
    supported = [(offer.game, offer.rules_version) for offer in hello.games]
    if (game.name, "") in supported or (game.name, game.rules_version) in supported:
        return ""
    offered = ", ".join(f"{name} (rules {version or 'any'})" for name, version in supported)
    return f"the bot plays {offered} and this match is {game.name} (rules {game.rules_version})"


def _range(lowest: int, highest: int) -> str:
    return str(lowest) if lowest == highest else f"{lowest} to {highest}"
