"""The programs that mutants are made of: all of the repository's MLIR files.

A file that `// -----` splits is several programs. Comments are left out, since nobody
reads them, and what is large takes too long.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

_FOLDERS: Final = ("tests/filecheck", "tests/data", "docs/examples")

_LONGEST: Final = 6000

_MOST_TOKENS: Final = 5000
"""How many tokens of a kind are remembered."""


@dataclass(frozen=True)
class Corpus:
    """Programs, and the tokens in them."""

    texts: Sequence[str]

    @cached_property
    def tokens(self) -> Mapping[str, Sequence[str]]:
        """By kind, each once."""
        from fuzz.text import kind_of, tokens_of

        found: dict[str, dict[str, None]] = {}
        for text in self.texts:
            for token in tokens_of(text):
                same = found.setdefault(kind_of(token), {})
                if len(same) < _MOST_TOKENS:
                    same[token] = None
        return {kind: list(tokens) for kind, tokens in found.items()}


def read_corpus(root: Path = ROOT) -> Corpus:
    """What is in the repository, always in one order."""
    files = sorted(
        file for folder in _FOLDERS for file in (root / folder).rglob("*.mlir")
    )
    texts: dict[str, None] = {}
    for file in files:
        for part in file.read_text(encoding="utf-8").split("// -----"):
            text = re.sub(r"^\s*//.*\n", "", part, flags=re.MULTILINE).strip() + "\n"
            if 1 < len(text) <= _LONGEST:
                texts[text] = None
    return Corpus(list(texts))
