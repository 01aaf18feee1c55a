"""The JSON schemas that come with the package, made from the types of what is written.

`python -m tests.schemas`, which `make schemas` runs, writes the files.
"""

import json
from typing import Any, Final

from pydantic import ConfigDict, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from ballcourt.arena.files import PACKAGE
from ballcourt.arena.tournament.decisions import certificate
from ballcourt.arena.tournament.folder.events import Line
from ballcourt.arena.tournament.schedules.placing import PlacingPage
from ballcourt.leaderboard.pages.api import BotPage, MatchesPage
from ballcourt.leaderboard.show import terminal
from ballcourt.leaderboard.studies import combined, head_to_head, history, seats, teaming
from ballcourt.leaderboard.studies.forecast import PlanPage

SCHEMAS: Final[dict[str, Any]] = {
    "arena/tournament/schemas/certificate.json": certificate.CertificatePage,
    "arena/tournament/schemas/event.json": Line,
    "arena/tournament/schemas/placing.json": PlacingPage,
    "arena/tournament/schemas/plan.json": PlanPage,
    "leaderboard/schemas/bot.json": BotPage,
    "leaderboard/schemas/combined.json": combined.CombinedPage,
    "leaderboard/schemas/head-to-head.json": head_to_head.MeetingsPage,
    "leaderboard/schemas/history.json": history.HistoryPage,
    "leaderboard/schemas/leaderboard.json": terminal.BoardPage,
    "leaderboard/schemas/matches.json": MatchesPage,
    "leaderboard/schemas/seats.json": seats.SeatsPage,
    "leaderboard/schemas/teaming.json": teaming.TeamingPage,
}
"""What a file describes. Those of the leaderboard allow no other properties; the others say that there may be more."""


class _Untitled(GenerateJsonSchema):
    """Leaves out titles, which only repeat names, and defaults, which every document has."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False

    def default_schema(self, schema: Any) -> JsonSchemaValue:  # noqa: ANN401
        return {name: value for name, value in super().default_schema(schema).items() if name != "default"}


def text_of(path: str) -> str:
    """Return a schema as JSON."""
    config = ConfigDict(
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
        extra="forbid" if path.startswith("leaderboard") else "ignore",
    )
    holder = create_model("Holder", __config__=config, root=(SCHEMAS[path], ...))
    made = holder.model_json_schema(mode="serialization", schema_generator=_Untitled)
    root, parts = made["properties"]["root"], made["$defs"]
    if reference := root.pop("$ref", ""):
        root = parts.pop(reference.rpartition("/")[2])
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **root, "$defs": parts}
    return json.dumps(_tidied(schema), indent=2) + "\n"


def _tidied(schema: Any) -> Any:  # noqa: ANN401  # a part of a schema
    """Return a schema with descriptions of one line, and without the titles of types."""
    if isinstance(schema, list):
        return [*map(_tidied, schema)]
    if not isinstance(schema, dict):
        return " ".join(schema.split()) if isinstance(schema, str) else schema
    return {name: _tidied(value) for name, value in schema.items() if name != "title" or isinstance(value, dict)}


if __name__ == "__main__":
    for path in SCHEMAS:
        (PACKAGE / path).write_text(text_of(path))
