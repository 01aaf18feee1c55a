"""Tests of `ballcourt.env`."""
