"""`docs/xbuf.md` says what the parsers of the command line say; its examples run."""

import re
from types import ModuleType

import pytest
from harness.pages.documents import load_generator

from xdsl_bufferization.tools.xbuf import make_parser


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return load_generator("generate_xbuf")


@pytest.fixture(scope="module")
def sections(generator: ModuleType) -> dict[str, str]:
    """What the document says about each command."""
    _, *sections = generator.document().split("\n## `xbuf ")
    return {text.partition("`")[0]: text for text in sections}


def test_document_is_up_to_date(generator: ModuleType) -> None:
    written = generator.DOCUMENT.read_text()
    assert written == generator.document(), "stale: run `make docs`"


def test_every_command_has_a_section_with_an_example(
    sections: dict[str, str],
) -> None:
    help_text = make_parser().format_help()
    assert sorted(sections) == sorted(
        re.findall(r"^ {4}([a-z]+)\b", help_text, re.MULTILINE)
    )
    assert [
        name for name, text in sections.items() if f"xbuf {name} " not in text
    ] == []


def test_every_option_says_what_it_means(sections: dict[str, str]) -> None:
    rows = [
        line
        for text in sections.values()
        for line in re.findall(r"^\| `.*", text, re.MULTILINE)
    ]
    assert len(rows) > 40
    assert [row for row in rows if len(row.split("|")[2].split()) < 2] == []


def test_defaults_and_choices_have_their_place(sections: dict[str, str]) -> None:
    assert "One of `generic`, `named`. | `generic` |" in sections["gen"]
    assert "Without a value: `full`. | no bias |" in sections["gen"]
