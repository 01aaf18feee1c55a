"""Tests of replay documents and of the page that shows them."""
