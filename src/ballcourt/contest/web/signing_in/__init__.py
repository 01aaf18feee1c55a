"""How people sign in at issuers, in a browser."""
