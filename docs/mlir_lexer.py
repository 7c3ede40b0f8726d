"""Colours for MLIR in blocks of code; Pygments itself does not know the language.

%0 = tensor.empty() : tensor<4xf32>      a value, an operation, a type
"""

from pygments.lexer import RegexLexer
from pygments.lexers import (
    LEXERS,  # pyright: ignore[reportUnknownVariableType]: Pygments has no types
)
from pygments.token import Comment, Keyword, Name, Number, Operator, String, Whitespace

__all__ = ["MlirLexer"]


class MlirLexer(RegexLexer):
    """Knows what a name is by the sign in front of it."""

    name = "MLIR"
    aliases = ("mlir",)
    filenames = ("*.mlir",)
    tokens = {  # noqa: RUF012 - Pygments reads it from the class
        "root": [
            (r"//[^\n]*", Comment.Single),
            (r'"[^"\n]*"', String),
            (r"%[\w.$#-]+", Name.Variable),
            (r"@[\w.$-]+", Name.Function),
            (r"\^[\w.$-]+", Name.Label),
            (r"[#!][\w.$-]+", Name.Decorator),
            (r"(?:tensor|memref|vector|strided|affine_map|dense)(?=<)", Keyword.Type),
            (r"(?:bf16|f\d+|i\d+|index)\b", Keyword.Type),
            (r"\b(?:[\d?]+x)+(?=[a-z])", Number),
            (r"\b(?:true|false|to|step|into|from|do|else|attributes)\b", Keyword),
            (r"\b[a-z_]\w*\.[a-z_][\w.]*", Name.Builtin),
            (r"\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", Number),
            (r"[A-Za-z_][\w$]*", Name),
            (r"\s+", Whitespace),
            (r".", Operator),
        ],
    }


def register() -> None:
    """Let Pygments find the lexer: it looks names up in this table of modules."""
    LEXERS["MlirLexer"] = (__name__, "MLIR", MlirLexer.aliases, ("*.mlir",), ())
