from tests.contract.recording import FOLDER, recordings


def test_the_recorded_conversations_match_the_protocol_and_the_games() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert kept == recordings(), "record them again with `python -m tests.contract`, then review the diff"
