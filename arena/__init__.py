"""Everything that runs bots: matches, processes, sandbox, tournaments, records and the command line."""

if __name__ != "ballcourt.arena":
    raise ImportError("import this package as ballcourt.arena; a second copy of its classes would not match the first")
