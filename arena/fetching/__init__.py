"""The way of confined builds to the registries of libraries: what is open to them, and the proxy in between."""
