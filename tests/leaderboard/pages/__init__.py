"""Tests of the pages about a tournament."""
