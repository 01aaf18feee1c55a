"""Single keys, as Windows' console hands them over."""

from collections.abc import Iterator

import pytest

from ballcourt.arena.terminal import keys


class Console:
    """Windows' console, in which these characters were typed."""

    def __init__(self, typed: str) -> None:
        self._typed: Iterator[str] = iter(typed)
        self._left = len(typed)

    def kbhit(self) -> bool:
        return self._left > 0

    def getwch(self) -> str:
        self._left -= 1
        return next(self._typed)


@pytest.mark.parametrize(
    ("typed", "key"), [("n", "n"), ("\xe0M", "n"), ("\x00K", "p"), ("\xe0x", "?"), ("", keys.TICK)]
)
def test_a_key_of_windows_console_is_a_letter(typed: str, key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "HAS_TERMIOS", False)
    monkeypatch.setattr(keys, "msvcrt", Console(typed), raising=False)
    monkeypatch.setattr("os.isatty", lambda _: True)
    with keys.single_keys(0):
        assert keys.next_key(0, timeout_s=0.01) == key
