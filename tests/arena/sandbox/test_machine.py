"""What `doctor` says about the kernel of a machine."""

import pytest

from ballcourt.arena.sandbox.machine import unfixed


@pytest.mark.parametrize(
    "release", ["6.18.33", "6.18.44-fc-v595", "5.10.257", "6.1.174-1-amd64", "7.1-rc3", "7.1.0", "8.0"]
)
def test_a_kernel_with_the_newest_fix_needs_nothing(release: str) -> None:
    assert unfixed(release) == ""


@pytest.mark.parametrize(
    "release", ["6.18.32", "5.10.256", "6.8.0-110-generic", "6.12", "7.0.9", "5.14.0-611.el9", "odd"]
)
def test_an_older_kernel_may_lack_it_unless_the_distribution_has_put_it_in(release: str) -> None:
    sentence = unfixed(release)
    assert "CVE-2026-46300" in sentence
    assert "6.18.33" in sentence
    assert "unless your distribution says" in sentence
