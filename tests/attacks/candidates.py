"""Attacks by a bot in a match, entered as programs that an evaluation judges."""

from dataclasses import asdict, dataclass

from ballcourt import Evaluator
from ballcourt.evaluation.assessment import Assessment
from tests.arena.conftest import BOTS
from tests.attacks.attack import NO_HARM, Ground, Need, Outcome
from tests.attacks.in_match import GAME, ONLY_CONFINED, InMatch
from tests.attacks.strangers import stranger


@dataclass(frozen=True)
class AsCandidate:
    """An attack on an evaluator, which has to judge it and the harmless program after it."""

    attack: InMatch
    deserves: str = NO_HARM
    needs: frozenset[Need] = ONLY_CONFINED

    @property
    def way(self) -> str:
        """Return its name."""
        return f"{self.attack.way} as a candidate"

    def carry_out(self, ground: Ground) -> Outcome:
        """Have the attacker evaluated, then a bot that plays at random by the same evaluator."""
        limits = {"tier": ground.tier, **asdict(self.attack.limits)}
        clock = asdict(self.attack.clock)
        with ground.folder() as folder:
            command = ["{python}", self.attack.script, self.attack.way]
            files = {script.name: script.read_text() for script in BOTS.glob("*.py")}
            attacker = stranger(folder / "attacker", command, files=files)
            with Evaluator(GAME, seats=2, opponents="random", workers=1, sandbox=limits, clock=clock) as evaluator:
                attacked = evaluator.evaluate(str(attacker), "2 matches")
                after = evaluator.evaluate("random", "2 matches")
        return self._judged(attacked, after)

    def _judged(self, attacked: Assessment, after: Assessment) -> Outcome:
        """Return how it ended: the attacker as it deserves in a match, the program after it undisturbed."""
        ended = attacked.faults[0].split(" at ")[0] if attacked.faults else "ok"
        problems = []
        if ended != (deserved := self.attack.deserves.lower().replace("_", " ")):
            problems.append(f"ended {ended}, not {deserved}: {attacked.faults}")
        if attacked.matches != 2:
            problems.append(f"{attacked.matches} of 2 matches of the attacker were judged")
        if (after.lost, after.matches) != (0, 2):
            problems.append(f"cost the next program {after.lost} of {after.matches} matches")
        return Outcome("harm" if problems else NO_HARM, tuple(problems))
