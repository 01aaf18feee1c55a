"""A small issuer on this machine, for tests: OpenID Connect, and the addresses of GitHub."""

import base64
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, OctKey

from tests.serving import serving

CLIENT, SECRET = "cup", "the secret of cup"


class AnIssuer:
    """What the issuer knows and does; a test changes it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.user: dict[str, Any] = {"sub": "u-1", "preferred_username": "ann"}
        """Who is signed in there."""
        self.claims: dict[str, Any] = {}
        """What its tokens say instead of what is true; None leaves a claim out."""
        self.now = 0.0
        self.key = ECKey.generate_key("P-256", {"kid": "1"})
        self.signs_with: ECKey | OctKey = self.key
        self.codes: dict[str, dict[str, str]] = {}
        self.answers: dict[str, bytes | Callable[[], Iterator[bytes]]] = {}
        """What it answers at some paths instead."""
        self.asked: list[str] = []

    def consent(self, address: str) -> str:
        """Do what a person does who signs in there; return where the browser is sent."""
        asked = {key: value[0] for key, value in parse_qs(urlsplit(address).query).items()}
        assert (asked["client_id"], asked["code_challenge_method"]) == (CLIENT, "S256")
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?code={code}&state={asked['state']}"

    def answer(self, method: str, path: str, headers: dict[str, str], body: str) -> tuple[int, dict[str, Any]]:
        """Answer a request of the contest."""
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "jwks_uri": f"{self.url}/jwks",
            }
        if path == "/jwks":
            return 200, {"keys": [self.key.as_dict(private=False)]}
        if method == "POST" and path in ("/token", "/login/oauth/access_token"):
            return self._token(path, headers, {key: value[0] for key, value in parse_qs(body).items()})
        if path == "/api/v3/user" and headers.get("Authorization") == "Bearer open":
            return 200, self.user
        return 404, {}

    def _token(self, path: str, headers: dict[str, str], form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        basic = f"Basic {base64.b64encode(f'{CLIENT}:{SECRET}'.encode()).decode()}"
        known = headers.get("Authorization") == basic or (form.get("client_id"), form.get("client_secret")) == (
            CLIENT,
            SECRET,
        )
        asked = self.codes.pop(form.get("code", ""), None)
        if not known or asked is None or form.get("redirect_uri") != asked["redirect_uri"]:
            return 200 if path != "/token" else 400, {"error": "invalid_grant"}
        challenge = base64.urlsafe_b64encode(sha256(form["code_verifier"].encode()).digest()).decode().rstrip("=")
        if challenge != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        found = {"access_token": "open", "token_type": "bearer"}
        return 200, found if path != "/token" else {**found, "id_token": self._signed(asked["nonce"])}

    def _signed(self, nonce: str) -> str:
        true = {"iss": self.url, "aud": CLIENT, "nonce": nonce, "iat": int(self.now), "exp": int(self.now) + 300}
        claims = {key: value for key, value in {**true, **self.user, **self.claims}.items() if value is not None}
        alg = "HS256" if isinstance(self.signs_with, OctKey) else "ES256"
        return jwt.encode({"alg": alg, "kid": "1"}, claims, self.signs_with, algorithms=[alg])


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer("GET", "")

    def do_POST(self) -> None:
        self._answer("POST", self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _answer(self, method: str, body: str) -> None:
        issuer: AnIssuer = self.server.issuer  # type: ignore[attr-defined]
        issuer.asked.append(self.path)
        other = issuer.answers.get(self.path)
        status, found = (200, {}) if other is not None else issuer.answer(method, self.path, dict(self.headers), body)
        self.send_response(status)
        self.end_headers()
        if callable(other):
            for piece in other():
                try:
                    self.wfile.write(piece)
                except OSError:
                    return
        else:
            self.wfile.write(json.dumps(found).encode() if other is None else other)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def an_issuer() -> Iterator[AnIssuer]:
    """Run an issuer."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    with serving(server) as place:
        issuer = server.issuer = AnIssuer(f"http://{place}")  # type: ignore[attr-defined]
        yield issuer


def table(issuer: AnIssuer, folder: Path, **changes: object) -> dict[str, object]:
    """Return the table by which a contest knows the issuer."""
    file = folder / "uni.secret"
    file.write_text(f"{SECRET}\n")
    file.chmod(0o600)
    about = {"name": "uni", "title": "the University", "issuer": issuer.url, "client": CLIENT, "secret_file": str(file)}
    return {**about, **changes}
