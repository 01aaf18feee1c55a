"""Positions and actions as protobuf messages."""
