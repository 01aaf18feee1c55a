"""Record the conversations in proto/ballcourt/contract again: `python -m tests.contract`."""

from tests.contract.recording import FOLDER, recordings

for name, text in recordings().items():
    (FOLDER / name).write_text(text, encoding="utf-8")
    print(FOLDER / name, len(text))
