"""How an author's machine sends a bot to a contest: packing, tokens, and the conversation with the server."""
