"""The organiser's decisions about a running tournament, and what follows from them."""
