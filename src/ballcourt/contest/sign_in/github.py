"""Signing in as GitHub has it: OAuth 2 alone, and the account is asked for by the token.

https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
"""

from ballcourt.contest.people.identities import Identity
from ballcourt.contest.refusals import NotAllowedError
from ballcourt.contest.settings import GITHUB
from ballcourt.contest.sign_in.attempt import IssuerAttempt
from ballcourt.contest.sign_in.oauth import Issuer


class GitHub(Issuer):
    """GitHub, or a server of GitHub Enterprise."""

    def address(self, attempt: IssuerAttempt, now: float) -> str:
        return self._sent_to(f"{self._place}/login/oauth/authorize", attempt)

    def identity(self, attempt: IssuerAttempt, code: str, now: float) -> Identity:
        endpoint = f"{self._place}/login/oauth/access_token"
        token = self._tokens(endpoint, attempt, code, "client_secret_post").get("access_token")
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise NotAllowedError(f"{self.table.title} gives no token for this code; begin again")
        api = "https://api.github.com" if self._place == GITHUB else f"{self._place}/api/v3"
        found = self._got(f"{api}/user", {"Authorization": f"Bearer {token}"})
        number = found.get("id")  # a login may be given to another person later
        return self._known_as(str(number) if type(number) is int else None, found.get("login"))

    @property
    def _place(self) -> str:
        return self.table.issuer.removesuffix("/")
