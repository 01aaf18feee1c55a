"""Bluff with a vector: matches of few decisions, for what takes long with larger games."""

from ballcourt.engine.core.vectors.features import Block, Features, Number, Question, Row
from tests.bluff import Bluff


class SeenBluff(Bluff):
    """For two seats. It has no sets and no choices besides the kind of question."""

    def features(self) -> Features:
        return Features(
            game="bluff",
            seats=2,
            public=(Row("points", 2, (Block("seat", 0, Number(9), ("0", "1")),)),),
            actors=(),
            private=(Row("own", 2, (Block("secret", 0, Number(3)), Block("bid", 1, Number(3)))),),
            question=Question(kinds={1: "Bid"}, asked={}),
        )
