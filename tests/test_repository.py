"""What the repository says in two places is the same in both."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = [*(ROOT / ".github" / "workflows").glob("*.yml")]


def test_the_template_of_pull_requests_has_the_table_of_contributing() -> None:
    contributing = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*?) \| (.*) \|$", contributing.partition("| you change |")[2], re.MULTILINE)[1:]
    template = (ROOT / ".github" / "pull_request_template.md").read_text(encoding="utf-8")
    assert rows
    assert [f"- [ ] {change}: {run}" for change, run in rows] == template.splitlines()[-len(rows) :]


def test_the_citation_names_this_version() -> None:
    assert f"version: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_ci_tests_every_supported_python() -> None:
    supported = {line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)}
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert supported == set(re.findall(r'python: "(.+?)", steps: test-all', workflow))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_a_workflow_runs_the_scripts_of_this_repository(workflow: Path) -> None:
    called = re.findall(r"\.ci/\w+", workflow.read_text(encoding="utf-8"))
    assert called
    assert all((ROOT / script).is_file() for script in called)


@pytest.mark.parametrize("script", [*(ROOT / ".ci").iterdir()], ids=lambda path: path.name)
def test_the_tests_that_a_script_of_ci_names_exist(script: Path) -> None:
    named = re.findall(r"(?<!/)tests(?:/[\w.*]+)+", script.read_text(encoding="utf-8"))
    assert [name for name in named if not any(ROOT.glob(name))] == []
