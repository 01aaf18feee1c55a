"""The gRPC stream of a bot: its connection, its handshake, its messages."""
