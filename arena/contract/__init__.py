"""Holds an SDK to the protocol by playing recorded conversations to its mirror bot.

What a conversation and a mirror bot are is told in the README beside the conversations, proto/ballcourt/contract.
"""

from ballcourt.arena.contract.conversation import MIRROR, ContractError, Conversation, conversations
from ballcourt.arena.contract.play import Outcome, hold

__all__ = ["MIRROR", "ContractError", "Conversation", "Outcome", "conversations", "hold"]
