"""Sign-in at issuers: OpenID Connect, and OAuth 2 as GitHub has it."""
