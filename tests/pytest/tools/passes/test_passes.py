"""`xbuf passes`: every pass with its purpose, and one pass with its options."""

from dataclasses import dataclass, field

import pytest
from harness.running.command_line import line_of_failure
from xdsl.passes import ModulePass
from xdsl.universe import Universe

from xdsl_bufferization.frontends.default_pipelines import (
    DEFAULT_PIPELINE,
    PLAIN_PIPELINE,
)
from xdsl_bufferization.pipelines.pass_help import Option, options_of, purpose_of
from xdsl_bufferization.tools.passes.passes import describe_pass
from xdsl_bufferization.tools.xbuf import main


def test_all_passes_are_listed(capsys: pytest.CaptureFixture[str]):
    assert main(["passes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split()[0] for line in lines if line.startswith("  ")}
    assert listed >= set(Universe.get_multiverse().all_passes)
    ours = "Pack the operands of matrix products into blocks."
    assert any(line.split(maxsplit=1)[1:] == [ours] for line in lines)


@pytest.mark.parametrize(
    ("title", "pipeline"),
    [("Without --pipeline", DEFAULT_PIPELINE), ("With --no-optimize", PLAIN_PIPELINE)],
)
def test_the_default_pipelines_are_there_to_be_copied(
    title: str, pipeline: str, capsys: pytest.CaptureFixture[str]
):
    main(["passes"])
    lines = capsys.readouterr().out.splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith(title))
    shown = lines[start + 1 : start + 1 + len(pipeline.split(","))]
    assert "".join(line.strip() for line in shown) == pipeline


def test_a_pass_is_described_with_its_options(capsys: pytest.CaptureFixture[str]):
    assert main(["passes", "pack-matmul"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("pack-matmul\n\nPack the operands of matrix products into")
    assert "  block-factors: numbers; default: 32,32,32\n" in text
    assert "      Rows, columns and sums of a block.\n" in text
    assert all(len(line) <= 88 for line in text.splitlines())


def test_choices_are_listed(capsys: pytest.CaptureFixture[str]):
    main(["passes", "one-shot-bufferize"])
    text = capsys.readouterr().out
    assert "  analysis-heuristic: text; default: bottom-up\n" in text
    assert "One of `bottom-up`, `top-down`," in text


def test_every_pass_can_be_described():
    for name in Universe.get_multiverse().all_passes:
        lines = describe_pass(name)
        assert lines[0] == name
        assert lines[2]
        assert any(line in ("Options:", "It has no options.") for line in lines), name


def test_a_misspelt_name(capsys: pytest.CaptureFixture[str]):
    assert line_of_failure(capsys, ["passes", "pack-matmull"]) == (
        "xbuf passes: error: there is no pass 'pack-matmull'; do you mean "
        "'pack-matmul'?"
    )


@dataclass(frozen=True)
class OddPass(ModulePass):
    """Have options of
    all kinds.

    More.
    """

    name = "odd"

    size: int
    """Must be given."""
    names: tuple[str, ...] = field(default_factory=tuple)
    wanted: int | None = None
    """May be nothing, over
    two lines."""


def test_options_of_somebody_elses_pass():
    assert purpose_of(OddPass) == "Have options of all kinds."
    assert options_of(OddPass) == [
        Option("size", "number", "must be given", "Must be given."),
        Option("names", "names", "none", ""),
        Option("wanted", "int|None", "none", "May be nothing, over two lines."),
    ]
