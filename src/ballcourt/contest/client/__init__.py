"""The client on an author's machine: packing of a bot, tokens, and the conversation with the server."""
