"""Bots that end when they should not, or go on when they should end."""

from tests.attacks.in_match import MISBEHAVING, ONLY_CONFINED, InMatch

ATTACKS = (
    InMatch("exits after an answer", "CRASH", "stream ended"),
    InMatch("deaf to SIGTERM", "ILLEGAL", "action 77", MISBEHAVING),
    InMatch("orphan", "OK", script=MISBEHAVING),
    InMatch("hides its token", "OK"),
    InMatch("renames itself", "OK"),
    InMatch("mumbles", "FAILED_TO_START", "exit code 9"),
    InMatch("orphan and crash", "CRASH", "exit code 4", MISBEHAVING),
    InMatch("kills all before its Hello", "FAILED_TO_START", "before it sent Hello", needs=ONLY_CONFINED),
    InMatch("kills all after its Hello", "CRASH", "stream ended", needs=ONLY_CONFINED),
)
