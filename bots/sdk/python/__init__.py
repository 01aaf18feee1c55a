"""The Python library for bots: subclass `Bot`, write one method, call `run`."""
