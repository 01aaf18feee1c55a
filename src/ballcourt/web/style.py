"""The style sheets that all pages share."""

from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
SHEETS: Final = (STATIC / "colours.css", STATIC / "base.css")
"""In the order in which a page loads them, before its own."""
