"""Seats programs that speak lines over pipes: see `ballcourt.bots.sdk.python.bridge`."""

from ballcourt.bots.sdk.python.bridge import JsonProgram, Program, ProgramError, TextProgram, main

__all__ = ["JsonProgram", "Program", "ProgramError", "TextProgram"]

if __name__ == "__main__":
    main()
