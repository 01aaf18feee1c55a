"""A headless Chromium for tests of pages: Debian's package, driven by playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.needs import lack

SWITCHES = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)

UNFOLD = """() => new Promise((done) => {
  const folded = [...document.querySelectorAll("details:not([open])")];
  for (const one of folded) one.open = true;
  requestAnimationFrame(() => setTimeout(() => done(folded)));
})"""
"""Opens all details; returns those that were folded, once the page has filled them."""
FOLD = "(folded) => folded.forEach((one) => (one.open = false))"


@contextmanager
def chromium() -> Iterator[Any]:
    """Run a browser; skip the tests where there is none.

    Until it ends, an event loop runs in this thread: nothing else may start one.
    """
    if sentence := lacking():
        lack("browser", sentence)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=list(SWITCHES))
        yield browser
        browser.close()


@contextmanager
def new_tab(**look: Any) -> Iterator[Any]:  # noqa: ANN401
    """Run a browser with one tab that looks like this; no script, policy or name of a bot may do harm in it."""
    with chromium() as browser:
        tab = browser.new_context(**look).new_page()
        tab.set_default_timeout(300_000)
        problems: list[str] = []
        tab.on("pageerror", lambda error: problems.append(str(error)))
        tab.on("dialog", lambda _: problems.append("a script asked something"))
        tab.on("console", lambda entry: problems.extend([entry.text] if "Content Security" in entry.text else []))
        yield tab
        assert problems == []


def barriers(tab: Any) -> list[tuple[str, str]]:  # noqa: ANN401
    """Return the violations of WCAG that axe finds on a page: the rule, and an element that breaks it.

    What is folded away is open while axe looks.
    """
    from axe_playwright_python.sync_playwright import Axe

    folded = tab.evaluate_handle(UNFOLD)
    found = Axe().run(tab).response["violations"]
    folded.evaluate(FOLD)
    return [(wrong["id"], wrong["nodes"][0]["html"][:200]) for wrong in found]


def lacking() -> str:
    """Return what a browser test lacks here; empty if nothing."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "the package playwright is not installed"
    return "" if shutil.which("chromium") else "there is no program chromium"
