"""Bluff with a vector: matches of few decisions, for what takes long with larger games."""

from ballcourt.engine.core.vectors.features import ColumnGroup, Features, Number, QuestionFeatures, Row
from tests.bluff import Bluff


class SeenBluff(Bluff):
    """For two seats. It has no sets and no choices besides the kind of question."""

    def features(self) -> Features:
        return Features(
            game="bluff",
            seats=2,
            public=(Row("points", 2, (ColumnGroup("seat", 0, Number(9), ("0", "1")),)),),
            actors=(),
            private=(Row("own", 2, (ColumnGroup("secret", 0, Number(3)), ColumnGroup("bid", 1, Number(3)))),),
            question=QuestionFeatures(kinds={1: "Bid"}, asked={}),
        )
