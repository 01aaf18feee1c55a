"""The order in which the bots of a worker think, while it plays several matches at once."""

import asyncio
from collections.abc import Sequence

from ballcourt.arena.match.gate import Gate


def order_of(questions: Sequence[tuple[str, bool]], cancelled: Sequence[int] = ()) -> list[str]:
    """Ask all questions at once: the process of each, and whether it answers in batches. Return what happened."""
    story: list[str] = []

    async def ask(gate: Gate, process: str, batches: bool) -> None:
        async with gate.admit(process, batches=batches) as together:
            story.append(f"{process} of {together}")
            for _ in range(5):  # others would begin meanwhile
                await asyncio.sleep(0)
            story.append(f"{process} answers")

    async def run() -> None:
        gate = Gate()
        asked = [asyncio.create_task(ask(gate, *question)) for question in questions]
        await asyncio.sleep(0)
        for number in cancelled:
            asked[number].cancel()
        await asyncio.gather(*asked, return_exceptions=True)

    asyncio.run(run())
    return story


def test_one_bot_thinks_at_a_time_in_the_order_of_the_questions() -> None:
    story = order_of([("a", False), ("b", False), ("a", False)])
    assert story == ["a of 1", "a answers", "b of 1", "b answers", "a of 1", "a answers"]


def test_a_process_that_answers_in_batches_is_asked_all_that_wait_for_it_at_once() -> None:
    story = order_of([("other", False), ("net", True), ("net", False), ("slow", False), ("net", True)])
    batch, alone = ["net of 2", "net of 2", "net answers", "net answers"], ["net of 1", "net answers"]
    assert story == ["other of 1", "other answers", *batch, *alone, "slow of 1", "slow answers"]


def test_a_question_of_a_match_that_breaks_off_holds_up_no_other() -> None:
    for cancelled in (0, 1):  # while it is answered, and while it waits
        story = order_of([("a", False), ("b", False), ("c", False)], [cancelled])
        assert story[-2:] == ["c of 1", "c answers"]
    assert order_of([("a", False), ("net", True), ("net", True)], [1])[-2:] == ["net of 1", "net answers"]
