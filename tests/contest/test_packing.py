"""What `submit` packs is what belongs to a bot."""

import io
import tarfile
from pathlib import Path

from ballcourt.arena.bots.bot import load_bot
from ballcourt.contest.client.packing import pack


def test_hidden_files_that_a_build_needs_are_packed_and_those_of_the_machine_are_not(tmp_path: Path) -> None:
    for name in (".cargo/config.toml", ".npmrc", "src/.rules", ".git/HEAD", ".venv/bin/python", "src/.DS_Store", "log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "bot.toml").write_text('name = "mia"\nversion = "1"\ncommand = ["./mia"]\nignore = ["log"]\n')
    with io.BytesIO() as file:
        pack(load_bot(tmp_path), file)
        file.seek(0)
        with tarfile.open(fileobj=file) as archive:
            names = {entry.name for entry in archive if entry.isfile()}
    assert names == {".cargo/config.toml", ".npmrc", "src/.rules", "bot.toml"}
