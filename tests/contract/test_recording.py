from tests.contract.recording import FOLDER, recordings


def test_the_conversations_are_those_of_the_protocol_and_the_games_as_they_are() -> None:
    kept = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.json")}
    assert kept == recordings(), "write them anew with `python -m tests.contract`"
