"""Assembles the documentation site: `python docs/assemble.py FOLDER` writes its pages and its configuration there.

The pages are those of docs/pages, the documents that belong to other folders of the repository, and the reference that
is generated from the program. A link works in the repository and on the site: one to another page leads to that page,
one to any other file leads to the repository. docs/pages/index.md is the table of contents; the navigation follows it.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path

from generated import commands, keys  # the script's own folder is on the path

from ballcourt.arena.ladder.model import LadderFile
from ballcourt.arena.tournament.event.model import Event
from ballcourt.web.style import SHEETS

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "pages"
REPOSITORY = "https://github.com/ballcourt/ballcourt/blob/main"
LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)(?=[)#])")
CONTRIBUTING = ("ARCHITECTURE", "CONTRIBUTING", "STYLE", "CHANGELOG")

Navigation = list[dict[str, "str | Navigation"]]


def sources() -> dict[str, Path]:
    """Return the file behind each page that is not generated, by its path on the site."""
    pages = {path.relative_to(PAGES).as_posix(): path for path in sorted(PAGES.rglob("*.md"))}
    rules = {f"rules/{path.parent.name}.md": path for path in sorted(ROOT.glob("engine/games/*/RULES.md"))}
    sdks = {f"languages/{path.parent.name}.md": path for path in sorted(ROOT.glob("bots/sdk/*/README.md"))}
    contributing = {f"contributing/{name.lower()}.md": ROOT / f"{name}.md" for name in CONTRIBUTING}
    return pages | rules | sdks | contributing


def relinked(text: str, path: str, files: dict[str, Path]) -> str:
    """Return a page with links that work on the site; raise SystemExit for a broken one."""
    places = {file.resolve(): place for place, file in files.items()}
    places |= {picture: picture.relative_to(PAGES).as_posix() for picture in (PAGES / "pictures").iterdir()}

    def lead(link: re.Match[str]) -> str:
        target = (files[path].parent / link[0]).resolve()
        if target in places:
            return os.path.relpath(places[target], Path(path).parent)
        if not target.exists():
            raise SystemExit(f"{files[path].relative_to(ROOT)} links to {link[0]}, which does not exist")
        return f"{REPOSITORY}/{target.relative_to(ROOT)}"

    return LINK.sub(lead, text)


def title(text: str) -> str:
    """Return the title of a page."""
    return text.partition("\n")[0].removeprefix("# ")


def navigation(pages: dict[str, str]) -> Navigation:
    """Return the navigation: the sections of the table of contents, then what is found by scanning."""
    sections: dict[str, list[str]] = {}
    for line in pages["index.md"].splitlines():
        if heading := re.match(r"## (.*)", line):
            entries = sections.setdefault(heading[1], [])
        elif link := re.match(r"- \[.*\]\((.*)\)", line):
            entries.append(link[1])
    sections["Reference"].insert(0, "reference/commands.md")
    scanned = {
        "Python API": "reference/api/",
        "Rules": "rules/",
        "Languages": "languages/",
        "Contributing": "contributing/",
    }
    for name, folder in scanned.items():
        sections[name] = [path for path in pages if path.startswith(folder)]
    listed = {"index.md", *(path for paths in sections.values() for path in paths)}
    if missing := pages.keys() - listed:
        raise SystemExit(f"docs/pages/index.md does not list {', '.join(sorted(missing))}")
    titled = [{name: [{title(pages[path]): path} for path in paths]} for name, paths in sections.items()]
    return [{"Start": "index.md"}, *titled]


def for_models(pages: dict[str, str], sections: Navigation, description: str) -> dict[str, str]:
    """Return the files for language models: a list of the pages (https://llmstxt.org), and all that the pages say."""
    listed = ["# Ballcourt", "", f"> {description}"]
    for section in sections:
        for name, entries in section.items():
            listed += ["", f"## {name}", ""]
            for entry in entries if isinstance(entries, list) else []:
                listed += [f"- [{label}]({str(path).removesuffix('.md')}/)" for label, path in entry.items()]
    return {"llms.txt": "\n".join([*listed, ""]), "llms-full.txt": "\n\n".join(pages.values())}


def main(build: Path) -> None:
    """Write the site's pages, pictures and configuration into a folder."""
    files = sources()
    pages = {path: relinked(file.read_text(encoding="utf-8"), path, files) for path, file in files.items()}
    pages["reference/commands.md"] = commands()
    for what, table in (("tournament", keys(Event)), ("ladder", keys(LadderFile, without=Event.model_fields))):
        page, marker = "reference/tournament-file.md", f"<!-- generated: keys of a {what} -->"
        pages[page] = pages[page].replace(marker, table)
    shutil.rmtree(build / "pages", ignore_errors=True)
    for path, text in pages.items():
        place = build / "pages" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    shutil.copytree(PAGES / "pictures", build / "pages" / "pictures")
    for sheet in (SHEETS[0], ROOT / "docs" / "site.css"):
        shutil.copy(sheet, build / "pages")
    settings = (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8").replace("SOURCE", str(ROOT / "src"))
    sections = navigation(pages)
    nav = json.dumps(sections, ensure_ascii=False)
    (build / "mkdocs.yml").write_text(f"{settings}\nnav: {nav}\n", encoding="utf-8")
    description = settings.partition("site_description: ")[2].partition("\n")[0]
    for name, text in for_models(pages, sections[1:], description).items():
        (build / "pages" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
