"""An agent at the table, over the Model Context Protocol."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from mcp import Client

from ballcourt.arena.agents.seat import AgentSeat
from ballcourt.arena.agents.server import server_for
from ballcourt.arena.bots.entrant import Entrant
from ballcourt.arena.bots.version import BotVersion
from ballcourt.arena.match.person import UNHURRIED, Person, PersonSeat, person_entrant
from ballcourt.arena.match.referee import Match
from ballcourt.arena.match.scripted_seats import ScriptedSeat
from ballcourt.arena.match.seats import Answer
from ballcourt.arena.match.spec import MatchSpec
from ballcourt.arena.records.replay import verify
from ballcourt.engine.core.view.wording import Wording
from ballcourt.engine.registry import find_game
from ballcourt.v1.protocol_pb2 import Decide
from ballcourt.v1.record_pb2 import MatchRecord

Call = Callable[..., Awaitable[str]]


class Refusal(Exception):
    """A tool answered with an error."""


def low(decide: Decide) -> Answer:
    return Answer(decide.legal[0])


def meet(
    agent: Callable[[Call], Awaitable[None]],
    choose: Callable[[Decide], Answer] = low,
    game: str = "bluff",
    wording: Wording | None = None,
) -> MatchRecord:
    """Play a match of two in which an agent calls tools; return the record."""

    async def play() -> MatchRecord:
        rules = find_game(game)
        person = Person(rules, "agent", lambda: seat.changed(), wording)
        spec = MatchSpec(
            "k", game, {}, 1, (person_entrant("agent"), Entrant(BotVersion("low", "1"))), seat_clocks=(UNHURRIED,) * 2
        )
        playing = asyncio.create_task(Match(rules, spec, [PersonSeat(person), ScriptedSeat(choose)]).play())
        seat = AgentSeat(person, playing)
        async with Client(server_for(seat)) as client:

            async def call(tool: str, **arguments: object) -> str:
                result = await client.call_tool(tool, arguments)
                text = "".join(getattr(part, "text", "") for part in result.content)
                if result.is_error:
                    raise Refusal(text)
                return text

            await agent(call)
        if not playing.done():
            person.leave()
        return await playing

    return asyncio.run(play())


def test_an_agent_reads_the_rules_looks_and_plays_to_the_end() -> None:
    async def agent(call: Call) -> None:
        assert (await call("rules")).startswith("You play Bluff on seat 0 of 2")
        assert "question: Bid" in await call("observe")
        assert await call("legal") == "question 1, legal actions:\n1: Bid 1\n2: Bid 2\n3: Bid 3"
        shown = await call("act", action=2)
        assert shown.startswith("player 0: Bid 2\nplayer 1: something secret\n")
        assert shown.endswith("question 2, legal actions:\n1: Bid 1\n2: Bid 2\n3: Bid 3")
        await call("act", action=3)
        shown = await call("act", action=1)
        assert "the match is over; player " in shown
        assert "the match is over; player " in await call("observe")
        with pytest.raises(Refusal, match="the match is over; player "):
            await call("act", action=1)
        with pytest.raises(Refusal, match="the match is over; player "):
            await call("legal")

    record = meet(agent)
    assert list(record.decisions.actions)[::2] == [2, 3, 1]
    assert verify(record).agrees


def test_an_illegal_action_is_refused_with_the_legal_ones() -> None:
    async def agent(call: Call) -> None:
        with pytest.raises(
            Refusal, match="action 7 is not legal now; the legal actions are\n1: Bid 1\n2: Bid 2\n3: Bid 3"
        ):
            await call("act", action=7)
        for wrong in ("bid", "ACTION 1", "1.0", "-1", 1.0, True, None, [1], -1, 10**30, "9" * 1000):
            with pytest.raises(Refusal, match=r"action is .*; it must be a whole number from 0, such as 12$"):
                await call("act", action=wrong)
        assert "player 0: Bid 2" in await call("act", action="2")

    assert meet(agent).faults[0].detail == "agent left the match"


def test_an_act_that_is_sent_twice_is_done_once() -> None:
    async def agent(call: Call) -> None:
        for _ in range(3):
            pair = await asyncio.gather(*[call("act", action=2) for _ in range(2)], return_exceptions=True)
            (refused,) = (str(answer) for answer in pair if isinstance(answer, Refusal))
            assert "that question is not open any more, and nothing was done" in refused or "match is over" in refused

    assert list(meet(agent).decisions.actions)[::2] == [2, 2, 2]


def test_an_act_that_names_another_question_does_nothing() -> None:
    async def agent(call: Call) -> None:
        first = await call("act", action=2, question=1)
        with pytest.raises(
            Refusal, match=r"question 1 is not open any more, and nothing was done; question 2, legal ac"
        ):
            await call("act", action=2, question=1)
        with pytest.raises(Refusal, match="question is 'one'; it must be a whole number"):
            await call("act", action=2, question="one")
        assert "question 2" in first
        await call("act", action=3, question=2)
        assert "the match is over" in await call("act", action=1, question="3")

    assert list(meet(agent).decisions.actions)[::2] == [2, 3, 1]


async def test_tools_say_which_of_them_change_the_match() -> None:
    person = Person(find_game("bluff"), "agent", lambda: None)
    playing = asyncio.create_task(asyncio.sleep(0))
    async with Client(server_for(AgentSeat(person, playing))) as client:  # type: ignore[arg-type]
        tools = (await client.list_tools()).tools
    assert {tool.name: bool(tool.annotations and tool.annotations.read_only_hint) for tool in tools} == {
        "rules": True,
        "observe": True,
        "legal": True,
        "act": False,
    }


async def test_rules_and_position_can_be_read_without_a_tool_and_take_no_news_away() -> None:
    person = Person(find_game("bluff"), "agent", lambda: seat.changed())
    spec = MatchSpec("k", "bluff", {}, 1, (Entrant(BotVersion("low", "1")), person_entrant("agent")))
    playing = asyncio.create_task(Match(person.game, spec, [ScriptedSeat(low), PersonSeat(person)]).play())
    seat = AgentSeat(person, playing)
    async with Client(server_for(seat)) as client:
        found = {str(one.uri): one.mime_type for one in (await client.list_resources()).resources}
        assert found == {"ballcourt://rules": "text/plain", "ballcourt://position": "text/plain"}
        for uri, text in (("rules", "You play Bluff on seat 1 of 2"), ("position", "question: Bid")):
            (page,) = (await client.read_resource(f"ballcourt://{uri}")).contents
            assert text in getattr(page, "text", "") and "player 0:" not in getattr(page, "text", "")
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["play"]
        (message,) = (await client.get_prompt("play")).messages
        assert "Play the whole match" in getattr(message.content, "text", "")
        person.act(2)
        await client.read_resource("ballcourt://position")
        shown = await client.call_tool("observe", {})
        assert "player 0: something secret\nplayer 1: Bid 2" in getattr(shown.content[0], "text", "")
    person.leave()
    await playing


def test_an_agent_that_leaves_loses_its_seat_and_the_match_goes_on() -> None:
    async def agent(call: Call) -> None:
        await call("act", action=1)

    record = meet(agent)
    assert [fault.seat for fault in record.faults] == [0]
    assert verify(record).agrees


def test_a_match_that_fails_is_an_error_of_the_tool_and_not_a_wait_without_end() -> None:
    def broken(_: Decide) -> Answer:
        raise RuntimeError("the rules are broken")

    async def agent(call: Call) -> None:
        with pytest.raises(Refusal, match="the rules are broken"):
            await call("act", action=1)

    with pytest.raises(Exception, match="the rules are broken"):
        meet(agent, broken)


def test_a_whole_turn_of_a_real_game_is_played_by_its_numbers() -> None:
    async def agent(call: Call) -> None:
        shown = await call("legal")
        for _ in range(8):
            shown = await call("act", action=int(shown.rpartition("legal actions:\n")[2].partition(":")[0]))

    record = meet(agent, game="tzolkin")
    assert verify(record).agrees
    assert len(record.decisions.actions) > 16


def test_an_agent_may_play_in_disguise_and_the_record_is_that_of_the_game() -> None:
    bluff = find_game("bluff")
    wording = Wording(bluff, 2)
    bid, number = wording.text("Bid"), wording.shown(3)
    assert (bid, number) != ("Bid", 3)

    async def agent(call: Call) -> None:
        assert "bluff" not in (await call("rules")).lower()
        assert f"{number}: {bid} 3" in await call("legal")
        wrong = len(bluff.action_names)
        with pytest.raises(Refusal, match=f"action {wrong} is not legal now; the legal actions are\n\\d: {bid} "):
            await call("act", action=wrong)
        shown = await call("act", action=number)
        assert f"player 0: {bid} 3" in shown
        assert "Bid" not in shown

    record = meet(agent, wording=wording)
    assert record.decisions.actions[0] == 3
    assert verify(record).agrees
