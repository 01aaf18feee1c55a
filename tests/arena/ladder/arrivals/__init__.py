"""Tests of the perpetual ladder."""
