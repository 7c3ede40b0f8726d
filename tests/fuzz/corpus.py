"""The programs that mutants are made of: all of the repository's MLIR files.

A file that `// -----` splits is several programs. Comments are left out, since nobody
reads them, and what is large takes too long.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Final

from fuzz.tokens import kind_of, tokens_of

ROOT: Final = Path(__file__).parents[2]

_FOLDERS: Final = ("tests/filecheck", "tests/data", "docs/examples")

_LONGEST: Final = 6000

_REFUSED: Final = 0.1
"""How often a mutant is made of a program that is refused as it is."""

_MOST_TOKENS: Final = 5000
"""How many tokens of a kind are remembered."""


@dataclass(frozen=True)
class Corpus:
    """Programs, and the tokens in them."""

    valid: Sequence[str]
    """Programs of files that are not about what is refused."""

    refused: Sequence[str] = ()

    @cached_property
    def tokens(self) -> Mapping[str, Sequence[str]]:
        """By kind, each once."""
        found: dict[str, dict[str, None]] = {}
        for text in (*self.valid, *self.refused):
            for token in tokens_of(text):
                same = found.setdefault(kind_of(token), {})
                if len(same) < _MOST_TOKENS:
                    same[token] = None
        return {kind: list(tokens) for kind, tokens in found.items()}

    def text(self, rng: Random) -> str:
        """One of the programs, seldom one that is refused as it is."""
        is_refused = self.refused and rng.random() < _REFUSED
        return rng.choice(self.refused if is_refused else self.valid)


def read_corpus(root: Path = ROOT) -> Corpus:
    """What is in the repository, always in one order."""
    files = sorted(
        file for folder in _FOLDERS for file in (root / folder).rglob("*.mlir")
    )
    return Corpus(
        _parts([file for file in files if not _is_about_errors(file)]),
        _parts([file for file in files if _is_about_errors(file)]),
    )


def _is_about_errors(file: Path) -> bool:
    return "invalid" in file.name or "error" in file.name


def _parts(files: Sequence[Path]) -> Sequence[str]:
    texts: dict[str, None] = {}
    for file in files:
        for part in file.read_text(encoding="utf-8").split("// -----"):
            text = re.sub(r"^\s*//.*\n", "", part, flags=re.MULTILINE).strip() + "\n"
            if 1 < len(text) <= _LONGEST:
                texts[text] = None
    return list(texts)
