"""Makes bots ready before any clock runs: their environments, their builds, and the images of their folders."""
