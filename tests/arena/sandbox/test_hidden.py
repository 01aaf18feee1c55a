"""A sandbox hides system settings that may contain passwords, and leaves the files next to them readable."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from ballcourt.arena.sandbox import registries, visible
from ballcourt.arena.sandbox.tiers import BuildPlan, Sandbox, launch, launch_build
from tests.arena.conftest import Talk, fixture_bot

LOOK = "cd {}; cat pip.conf conf/settings.xml; (cd whole; echo *); cat beside whole/named; echo x > whole/mine"
FILES = ("pip.conf", "conf/settings.xml", "whole/odd.conf", "beside", "whole/named")


@pytest.fixture
def opt(launcher: Talk, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = launcher.folder / "opt"
    for name in FILES:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(f"{name}\n")
    for module in (registries, visible):
        monkeypatch.setattr(module, "WHOLE", frozenset({place / "whole"}))
    return place


def shown(talk: Talk, sandbox: Sandbox, opt: Path, *, builds: bool) -> list[str]:
    command = ("sh", "-c", LOOK.format(opt))
    opened = replace(sandbox, readable=(str(opt), str(opt / "whole/named")))
    for name in ("sockets", "build"):
        (talk.folder / name).mkdir()
    if builds:
        plan = BuildPlan(command, talk.folder / "build")
        start = launch_build(
            "mine", plan, (talk.folder / "build",), talk.folder / "build", opened, talk.folder / "sockets"
        )
        start = replace(start, command=["" if word.startswith("127.0.0.1:") else word for word in start.command])
    else:
        environment = {"BALLCOURT_SOCKET": str(talk.folder / "sockets" / "arena.sock")}
        bot = replace(fixture_bot("prying.py"), command=command)
        start = launch(bot, opened, environment, talk.folder / "own")
    talk.say(spawn=1, **asdict(start))
    end = talk.hear()
    return [line for line in str(end["tail"]).splitlines() if "whole/mine" not in line]


@pytest.mark.parametrize("builds", [False, True])
def test_settings_of_the_system_are_empty_in_tier_1(launcher: Talk, tier_1: Sandbox, opt: Path, builds: bool) -> None:
    assert shown(launcher, tier_1, opt, builds=builds) == ["named", "beside", "whole/named"]
    assert not (opt / "whole/mine").exists()


@pytest.mark.slow
def test_settings_of_the_system_are_empty_in_tier_2(launcher: Talk, tier_2: Sandbox, opt: Path) -> None:
    assert shown(launcher, tier_2, opt, builds=False) == ["named", "beside", "whole/named"]
    assert not (opt / "whole/mine").exists()
