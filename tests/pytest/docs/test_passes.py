"""`docs/passes.md` says what the passes do, by running them."""

import dataclasses
from types import ModuleType

import pytest
from harness.pages.documents import load_generator
from xdsl.passes import ModulePass

from xdsl_bufferization.pipelines.pass_bundle import PassBundle
from xdsl_bufferization.pipelines.pass_help import option_meanings
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE

PASSES = sorted(XDSL_BUFFERIZATION_UNIVERSE.all_passes)


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return load_generator("generate_passes")


@pytest.fixture(scope="module")
def document(generator: ModuleType) -> str:
    """What the document would say; all examples run."""
    return generator.document()


@pytest.fixture(scope="module")
def sections(document: str) -> dict[str, str]:
    """What it would say about each pass."""
    _, *sections = document.split("\n### `")
    return {text.partition("`")[0]: text for text in sections}


def pass_named(name: str) -> type[ModulePass]:
    return XDSL_BUFFERIZATION_UNIVERSE.all_passes[name]()


def test_document_is_up_to_date(generator: ModuleType, document: str) -> None:
    assert generator.DOCUMENT.read_text() == document, "stale: run `make docs`"


def test_every_pass_has_a_section(sections: dict[str, str]) -> None:
    assert sorted(sections) == PASSES


@pytest.mark.parametrize("name", PASSES)
def test_every_pass_shows_what_it_does(name: str, sections: dict[str, str]) -> None:
    shown = "\nbecomes\n" in sections[name] or "says\n" in sections[name]
    if name == "allow-mlir-22":
        # That it changes nothing is what it does.
        assert not shown
        return
    assert shown or issubclass(pass_named(name), PassBundle), (
        f"no function of tests/filecheck/transforms/{name} changes by the pass alone: "
        f"write docs/examples/{name}.mlir"
    )


@pytest.mark.parametrize("name", PASSES)
def test_every_option_says_what_it_means(name: str) -> None:
    pass_type = pass_named(name)
    meanings = option_meanings(pass_type)
    fields = {field.name for field in dataclasses.fields(pass_type)}
    assert fields - set(meanings) == set(), (
        "write what an option means in a string below its field"
    )


def test_choices_are_listed(sections: dict[str, str]) -> None:
    assert "One of `bottom-up`, `top-down`," in sections["one-shot-bufferize"]


def test_what_a_pass_refuses_is_shown(sections: dict[str, str]) -> None:
    assert (
        "the batch is 3, but A and B have 2 matrices" in sections["verify-xsmm-calls"]
    )
