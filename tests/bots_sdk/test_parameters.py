"""The parameters of a bot, as the arena passes them."""

import pytest

from ballcourt import Parameters
from ballcourt.bots.sdk.python.parameters import ParameterError


def test_a_list_of_names_and_numbers_is_read_and_the_last_value_counts() -> None:
    read = Parameters.read("depth=-4,,trust=2.5e-1,depth=5")
    assert repr(read) == "{'depth': 5, 'trust': 0.25}"
    assert (read.whole("depth"), read.number("depth"), read["trust"]) == (5, 5.0, 0.25)


@pytest.mark.parametrize(
    "odd", ["depth", "depth=", "=3", "depth=+3", "depth=3.", "depth=1_0", "depth=inf", "depth=1e16"]
)
def test_what_is_not_a_list_of_names_and_numbers_is_quoted(odd: str) -> None:
    with pytest.raises(ValueError, match=r"^BALLCOURT_PARAMETERS is ") as caught:
        Parameters.read(odd)
    assert f"is '{odd}'; it must be NAME=NUMBER" in str(caught.value)


def test_a_parameter_of_another_name_or_type_is_named() -> None:
    read = Parameters.read("trust=3.0,width=2")
    with pytest.raises(ParameterError, match=r"the parameter 'trust' is 3.0; it must be a whole number"):
        read.whole("trust")
    for ask in (read.whole, read.number, read.__getitem__):
        with pytest.raises(ParameterError, match=r"no parameter 'depth'; bot.toml declares trust, width"):
            ask("depth")
