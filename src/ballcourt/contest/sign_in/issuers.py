"""The issuers of a contest."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ballcourt.arena.extras import needs
from ballcourt.contest.http_client import trusting
from ballcourt.contest.store.contest import Contest

if TYPE_CHECKING:
    from ballcourt.contest.sign_in.oauth import Issuer


def issuers_of(contest: Contest) -> "Mapping[str, Issuer]":
    """Return the issuers of a contest by their names. Raises MissingExtra, and ContestFileError for a wrong file."""
    settings = contest.settings
    if not settings.sign_in:
        return {}
    needs("oidc")
    from ballcourt.contest.sign_in.github import GitHub
    from ballcourt.contest.sign_in.openid import OpenId

    trust, kinds = trusting(settings.ca_file), {"openid": OpenId, "github": GitHub}
    return {table.name: kinds[table.kind](table, settings.url, trust) for table in settings.sign_in}
