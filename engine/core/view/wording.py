"""What a language model reads of a match, and what its answers mean; in disguise, if it is given one.

A disguise gives the words of a game (its places, cards, goods and gods) other names, and its actions other numbers, by
a seed. The game is the same: who plays it as well in disguise has thought, and not remembered what others wrote about
it. Records, and the pages of people, know no disguise.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from unicodedata import normalize

from ballcourt.engine.core.chance import Stream, stream
from ballcourt.engine.core.frames import Action, Seat
from ballcourt.engine.core.game import Game
from ballcourt.engine.core.state import State
from ballcourt.engine.core.view.prompts import played_rules, position_text, rules_text

ORDINARY: Final = frozenset(
    re.findall(
        r"\w+",
        """a act action add adjacent advance again age ahead all and any are area around as at back bank be beg best
    block board bonus border both build builder building burn buy by can card category cell cheaper choose climb
    colour cost count dark day deck deplete discard discarded display do done down draw dummy each effect empty
    end enough expand face fast fed feed finish finished first for from gain game give go hand harvest have held
    hidden hide high hold icon in is it keep kind know label lay learn leave left let level light link list lose
    mark marker master monument more move movement moving name near neither new next no none nor not nothing
    number of off offer on once one only or order other own part pass passes pay personal phase pick piece place
    plant planted planting play player point pool produce rack radius raised region relocate remove replace
    reserve resource reward right role round row score scored scoring seat select sell side site size slot space
    spread stand start stay step stock stop summary summon supply swap table take the then this tile to total
    track trade trigger triggered turn two unspecified up use vp waiving wild with without worker you your""",
    )
)
"""Words that keep their meaning in every game, so that its rules can be understood."""
TOKEN: Final = re.compile(r"[^\W_]+(?:'(?!s\b)[^\W_]+)*")
NAMED: Final = re.compile(r"(?<=[a-z,(/] )[A-Z][^\W\d_]{2,}")
"""A word with a capital letter within a sentence."""
SYLLABLES: Final = tuple(first + last for first in "bdfgklmnprstvz" for last in "aeiou")


class Disguise:
    """A seeded renaming of a game's words, and a seeded permutation of the numbers of its actions."""

    def __init__(self, game: Game, seed: int) -> None:
        """`seed` is from 0 to 2**64 - 1."""
        chance = stream(seed, "disguise")
        numbers = [0, *chance.shuffled([*range(1, len(game.action_names))])]
        self._shown = dict(enumerate(numbers))
        self._meant = {number: action for action, number in self._shown.items()}
        words = sorted(_words(game))
        taken = {*words, *ORDINARY}
        self._names = {word: _fresh(chance, taken) for word in words}

    def text(self, text: str) -> str:
        """Return words of the game in other words."""
        return TOKEN.sub(lambda found: self._renamed(found[0]), text)

    def shown(self, action: Action) -> int:
        """Return the number that an action has for the model; of any other number, itself."""
        return self._shown.get(action, action)

    def meant(self, number: int) -> Action:
        """Return the action of such a number; of one that no action has, itself."""
        return self._meant.get(number, number)

    def _renamed(self, word: str) -> str:
        stem = _stem(word)
        name = self._names.get(stem)
        if name is None:
            return word
        name += "s" * (stem != _plain(word))
        return name.capitalize() if word[0].isupper() else name


class Wording:
    """A game in the words, and with the numbers of actions, that a model gets."""

    def __init__(self, game: Game, disguise: int | None = None) -> None:
        """`disguise` is the seed of one; None: the game is as it is."""
        self.game = game
        self._disguise = None if disguise is None else Disguise(game, disguise)

    def rules(self, state: State, seat: Seat, options: Mapping[str, str]) -> str:
        """Return what a player must know for a whole match."""
        return self.text(rules_text(self.game, state, seat, options))

    def position(self, state: State, seat: Seat) -> str:
        """Return a position as a seat sees it."""
        return self.text(position_text(self.game, state, seat))

    def choices(self, state: State, seat: Seat, legal: Sequence[Action]) -> dict[int, str]:
        """Return the legal actions in words, by their numbers, ascending."""
        labels = {self.shown(each): self.text(self.game.choice(state, seat, each)["label"]) for each in legal}
        return dict(sorted(labels.items()))

    def legal(self, state: State, seat: Seat, legal: Sequence[Action]) -> str:
        """Return the legal actions, one on a line: its number, then what it does."""
        return "\n".join(f"{number}: {label}" for number, label in self.choices(state, seat, legal).items())

    def text(self, text: str) -> str:
        """Return words about the game as the model may read them."""
        return self._disguise.text(text) if self._disguise else text

    def shown(self, action: Action) -> int:
        """Return the number by which the model knows an action."""
        return self._disguise.shown(action) if self._disguise else action

    def meant(self, number: int) -> Action:
        """Return the action that the model knows by a number."""
        return self._disguise.meant(number) if self._disguise else number


def _words(game: Game) -> set[str]:
    """Return the stems of the words that belong to a game: those of ids and labels, and the names in its rules."""
    file = game.rules_file()
    rules = played_rules(file.read_text(encoding="utf-8")) if file else ""
    lower = {word for word in TOKEN.findall(rules) if word.islower()}
    named = [word for word in NAMED.findall(rules) if word.lower() not in lower]
    found = {_stem(word) for text in (*_texts(game), *named) for word in TOKEN.findall(text)}
    return {word for word in found if len(word) > 1 and not word.isdecimal()} - {*map(_stem, ORDINARY)}


def _texts(game: Game) -> Iterator[str]:
    """Yield ids and labels of a game, at every number of seats."""
    yield from (game.title, game.name, *game.action_names)
    for seats in game.seat_counts:
        state = game.initial_state(seats, 0)
        scenery, scene = game.scenery(state), game.scene(state, 0)
        yield from _strings([scenery["places"], scenery["tracks"], scenery["board"]])
        yield from _strings([scene["players"], scene["at"], scene["piles"], scene["board"]])


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield str(name)
            yield from _strings(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)


def _plain(word: str) -> str:
    """Return a word in small letters, without accents and apostrophes."""
    return normalize("NFKD", word.lower()).encode("ascii", "ignore").decode().replace("'", "")


def _stem(word: str) -> str:
    """Return a word in small letters, without accents and without the ending of the plural."""
    plain = _plain(word)
    if plain.endswith("ies") and len(plain) > 4:
        return plain[:-3] + "y"
    return plain[:-1] if plain.endswith("s") and not plain.endswith("ss") and len(plain) > 3 else plain


def _fresh(chance: Stream, taken: set[str]) -> str:
    """Return a new word, and add it to those that are taken."""
    while True:
        word = "".join(SYLLABLES[chance.below(len(SYLLABLES))] for _ in range(3))
        if word not in taken:
            taken.add(word)
            return word
