"""Tests of the SDK, of the bots and of the bot checker."""
