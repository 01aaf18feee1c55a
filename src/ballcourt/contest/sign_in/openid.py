"""Signing in by OpenID Connect (https://openid.net/specs/openid-connect-core-1_0.html), by its code flow.

The issuer says in a document at a known address where its pages and keys are, and signs who a person is.
"""

import ssl
from collections.abc import Mapping
from typing import Any, Final

from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from ballcourt.contest.people.identities import Identity
from ballcourt.contest.refusals import NotAllowedError
from ballcourt.contest.settings import SignInTable, is_safe_address
from ballcourt.contest.sign_in.attempt import IssuerAttempt
from ballcourt.contest.sign_in.oauth import Issuer

KNOWN_S: Final = 3600.0
"""How long the document of an issuer is used before it is asked for again."""
LEEWAY_S: Final = 60
"""How much clocks may differ."""
SIGNED_BY: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519")
"""Signatures with keys that the issuer alone has: neither `none`, nor those that our own secret makes."""


class OpenId(Issuer):
    """An issuer that speaks OpenID Connect."""

    scope = "openid profile"

    def __init__(self, table: SignInTable, url: str, trust: ssl.SSLContext) -> None:
        super().__init__(table, url, trust)
        self._document: tuple[float, Mapping[str, Any]] | None = None

    def address(self, attempt: IssuerAttempt, now: float) -> str:
        endpoint = self._described(now).get("authorization_endpoint")
        if not isinstance(endpoint, str) or not is_safe_address(endpoint):
            raise self._failed("its document has no authorization_endpoint with HTTPS")
        return self._sent_to(endpoint, attempt, nonce=attempt.nonce(self.table.issuer))

    def identity(self, attempt: IssuerAttempt, code: str, now: float) -> Identity:
        found = self._described(now)
        methods = found.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        tokens = self._tokens(str(found.get("token_endpoint")), attempt, code, method)
        claims = self._verified(tokens, self._got(str(found.get("jwks_uri"))), attempt, now)
        return self._known_as(claims["sub"], claims.get("preferred_username") or claims.get("name"))

    def _described(self, now: float) -> Mapping[str, Any]:
        """Return the document of the issuer. Raises CallError."""
        if self._document is None or not 0 <= now - self._document[0] < KNOWN_S:
            issuer = self.table.issuer
            found = self._got(f"{issuer.removesuffix('/')}/.well-known/openid-configuration")
            if found.get("issuer") != issuer:
                raise self._failed(f"its document is that of another issuer than {issuer}")
            self._document = now, found
        return self._document[1]

    def _verified(
        self, tokens: Mapping[str, Any], keys: Mapping[str, Any], attempt: IssuerAttempt, now: float
    ) -> Mapping[str, Any]:
        """Return what a token says that the issuer has signed, for us, now, and for this attempt."""
        must = {"iss": {"essential": True, "value": self.table.issuer}}
        must["aud"] = {"essential": True, "value": self.table.client}
        nonce = attempt.nonce(self.table.issuer)
        about = {"nonce": nonce, "client_id": self.table.client, "access_token": tokens.get("access_token")}
        try:
            kept = KeySet.import_key_set(dict(keys))  # type: ignore[arg-type]  # which it checks
            registry = JWSRegistry(algorithms=[*SIGNED_BY], strict_check_header=False)
            token = jwt.decode(str(tokens.get("id_token")), kept, registry=registry)
            claims = CodeIDToken(token.claims, token.header, must, about)
            claims.validate(int(now), LEEWAY_S)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
            why = str(error) or type(error).__name__
            raise NotAllowedError(f"the token of {self.table.title} is not valid for this sign-in: {why}") from error
        return {**claims}
