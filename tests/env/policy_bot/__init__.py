"""A bot whose policy is a test."""
