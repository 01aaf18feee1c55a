"""The contract tests of SDKs: recorded conversations, played to an SDK's mirror bot.

The page "The contract of an SDK" says what conversations and mirror bots are.
"""

from ballcourt.arena.contract.conversation import MIRROR, VERSION, ContractError, Conversation, conversations
from ballcourt.arena.contract.mirror import ConversationResult, play_conversations

__all__ = [
    "MIRROR",
    "VERSION",
    "ContractError",
    "Conversation",
    "ConversationResult",
    "conversations",
    "play_conversations",
]
