"""Tokens of MLIR's text, each found by one pattern, without an object for its place.

    %0 = arith.constant 1 : i32      PERCENT_IDENT EQUAL BARE_IDENT INTEGER_LIT ...

xDSL 0.74 tries one kind after the other for each token, and makes an object for the
place of each. Here one compiled pattern tells the kinds apart. The object for the place
is made when somebody asks for it, which is for errors above all.

The pattern does not know every token: `next_token` returns None for rare ones, for
what is no token, and at the end of the text.
"""

import re
from typing import Final

from typing_extensions import override
from xdsl.utils.lexer import Input, Position, Span
from xdsl.utils.mlir_lexer import (
    KIND_BY_PUNCTUATION_SPELLING,
    MLIRToken,
    MLIRTokenKind,
    StringLiteral,
)

_SUFFIX = r"(?:[0-9]+|[a-zA-Z$._-][a-zA-Z0-9$._-]*)"

BETWEEN: Final = r"[ \t\n\r\f\v]*(?://[^\n\r]*(?![^\n\r])[ \t\n\r\f\v]*)*(?!//)"
"""Blanks and comments. A comment has its whole line, so that no part is a token.

A line may end with a carriage return alone. To xDSL, that does not end a comment.
"""

_PATTERN: Final = re.compile(
    rf"""{BETWEEN}(?:
      ([a-zA-Z_][a-zA-Z0-9_$.]*)                            # bare identifier
    | (%{_SUFFIX})
    | ([:,()}}\[\]<>=+/*?|] | -> | - | \{{-\# | \{{ | \.\.\. | \#-}})
    | (0x[0-9a-fA-F]+ | [0-9]+(?![0-9.]))                   # integer
    | ([0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?)                  # float
    | ("[^"\\\n\v\f]*")                                     # no escapes
    | (\#{_SUFFIX})
    | (@[a-zA-Z_][a-zA-Z0-9_$.]*)
    | (!{_SUFFIX})
    | (\^{_SUFFIX})
    )""",
    re.VERBOSE,
)

_PUNCTUATION: Final = 3
_KINDS: Final = (
    MLIRTokenKind.EOF,  # No group has this number.
    MLIRTokenKind.BARE_IDENT,
    MLIRTokenKind.PERCENT_IDENT,
    MLIRTokenKind.COLON,  # The spelling says which it is.
    MLIRTokenKind.INTEGER_LIT,
    MLIRTokenKind.FLOAT_LIT,
    MLIRTokenKind.STRING_LIT,
    MLIRTokenKind.HASH_IDENT,
    MLIRTokenKind.AT_IDENT,
    MLIRTokenKind.EXCLAMATION_IDENT,
    MLIRTokenKind.CARET_IDENT,
)
_STRINGS: Final = (MLIRTokenKind.STRING_LIT, MLIRTokenKind.BYTES_LIT)
_KIND_OF_SPELLING: Final[dict[str, MLIRTokenKind]] = {**KIND_BY_PUNCTUATION_SPELLING}


class LightToken(MLIRToken):
    """A token that makes the object for its place when it is asked for that."""

    # Not the properties and fields of xDSL's class, which need that object.
    __slots__ = ("end", "input", "kind", "start", "text")

    def __init__(
        self,
        kind: MLIRTokenKind,
        start: Position,
        end: Position,
        text: str,
        input: Input[str],
    ) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.text = text  # pyright: ignore[reportIncompatibleMethodOverride,reportAttributeAccessIssue], a slot for a property
        self.input = input

    @property
    @override
    def span(self) -> Span[str]:  # pyright: ignore[reportIncompatibleVariableOverride], it is read only
        """Where the token is."""
        if self.kind in _STRINGS:
            return StringLiteral(self.start, self.end, self.input)
        return Span(self.start, self.end, self.input)

    @override
    def __repr__(self) -> str:
        return f"Token(kind={self.kind!r}, span={self.span!r})"


def next_token(input: Input[str], position: Position) -> LightToken | None:
    """The token after `position`; None if this function does not know it."""
    found = _PATTERN.match(input.content, position)
    if found is None:
        return None
    group = found.lastindex
    assert group is not None
    start, end = found.span(group)
    text = found[group]
    kind = _KIND_OF_SPELLING[text] if group == _PUNCTUATION else _KINDS[group]
    return LightToken(kind, start, end, text, input)
