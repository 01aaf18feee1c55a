"""Rewrite the golden playthroughs: `python -m tests.golden`, or `make golden`."""

from tests.golden.playthrough import golden_files, playthrough, seed_of


def main() -> None:
    """Write every golden file and print which ones changed."""
    for path, (game, seats) in golden_files().items():
        text = playthrough(game, seats, seed_of(path, game, seats))
        changed = not path.exists() or path.read_text() != text
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        print(f"{'changed  ' if changed else 'unchanged'} {path.parent.name}/{path.name}")


if __name__ == "__main__":
    main()
