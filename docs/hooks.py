"""Puts the repository's documents into the site, at the paths that they have in the repository.

So their links to each other work in both places. A link to anything else, a folder or a source file, leads to the
repository from the site.
"""

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.plugins import get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

LOG = get_plugin_logger(__name__)
ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)(?=[)#])")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the documents that the navigation names and that are not pages of their own, and their pictures."""
    pictures = [str(picture.relative_to(ROOT)) for picture in (ROOT / "docs").glob("*.png")]
    for path in [*_documents(config.nav), *pictures]:
        if files.get_file_from_path(path) is None:
            files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links that no page of the site answers to the repository; warn of a broken one, which fails the build."""

    def lead(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.file.src_uri), link[0]))
        if files.get_file_from_path(path):
            return link[0]
        if not (ROOT / path).exists():
            LOG.warning("%s links to %s, which does not exist", page.file.src_uri, link[0])
        return f"{config.repo_url}/blob/main/{path}"

    return LINK.sub(lead, markdown)


def _documents(nav: object) -> list[str]:
    """List the paths in a navigation, which is a tree of lists and of mappings from titles."""
    if isinstance(nav, str):
        return [nav]
    entries = nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ()
    return [path for entry in entries for path in _documents(entry)]
