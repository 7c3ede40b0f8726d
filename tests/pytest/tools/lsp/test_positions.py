"""Positions of the protocol are those of characters, in all units and line ends."""

import pytest
from lsprotocol import types

from xdsl_bufferization.editing.places import Lines
from xdsl_bufferization.tools.lsp.positions import Positions

TEXTS = (
    "",
    "a\nb",
    "a\r\n\r\nb\r\n",
    "a\rb\r\rc",
    "é🙂x\r\n🙂🙂\n",
    "\ufeffa\rb\fc\x85d\u2028e",
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
def test_each_position_is_found_again(text: str, encoding: str) -> None:
    positions = Positions(Lines(text), encoding)
    for at in range(len(text) + 1):
        assert positions.from_protocol(positions.to_protocol(at)) == at


def test_lines_end_as_the_protocol_says() -> None:
    positions = Positions(Lines("a\rb\r\nc\nd\fe\x85f\u2028g"), "utf-16")
    places = [positions.to_protocol(at) for at in range(14)]
    assert [place.line for place in places] == [0, 0, 1, 1, 1, 2, 2, *[3] * 7]
    assert positions.from_protocol(types.Position(2, 0)) == 5


def test_an_emoji_is_two_units_of_utf_16() -> None:
    positions = Positions(Lines("x\n🙂a"), "utf-16")
    assert positions.to_protocol(3) == types.Position(1, 2)
    assert positions.from_protocol(types.Position(1, 2)) == 3
