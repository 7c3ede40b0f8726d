"""Every op in all of its forms is computed right by every pass and each pipeline.

`harness/matrix` says what a form is, and has a command that prints what is covered.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

import pytest
from harness.matrix import matrix, routes
from harness.matrix.catalogue import (
    AROUND,
    DIALECTS,
    FAMILIES,
    NO_FORM,
    OTHERS,
    missing_around,
    missing_parts_of_ops,
    ops_with_forms,
    ops_without_row,
    programs_of,
)
from harness.matrix.execution import REFUSED, Job, Outcome
from harness.matrix.optional_parts import parts_in, parts_of
from harness.matrix.parts import all_parts, findings_of, run_part
from harness.matrix.report import unexpected
from harness.matrix.routes import (
    ALONE,
    NO_ROUTE,
    OTHER_WAYS,
    Stage,
    alone,
    by_room,
    default_steps,
    split_passes,
)
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.ir import Attribute, Block, BlockArgument, Dialect, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
)
from xdsl.universe import Universe
from xdsl.utils.hints import isa

from xdsl_bufferization import dialects
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.codegen.vector_loops import reductions
from xdsl_bufferization.dialects.linalg.structure import Structure
from xdsl_bufferization.optimization.fusion import fuse_loops_over_rows
from xdsl_bufferization.optimization.packing import fold_channel_scales
from xdsl_bufferization.optimization.simplify import convert_linalg_to_inplace
from xdsl_bufferization.pipelines.buffer_deallocation_pipeline import (
    BufferDeallocationPipelinePass,
)
from xdsl_bufferization.pipelines.universe import XDSL_BUFFERIZATION_UNIVERSE

_ROOT: Final = Path(__file__).parents[2]


def test_each_op_has_forms_or_a_reason(ctx: Context):
    assert not ops_without_row(ctx)
    assert not ops_with_forms() & {*AROUND, *NO_FORM}


NO_DIALECTS = {
    "common",
    "messages",
    "parsing",
    "printing",
    "remarks",
    "short_errors",
    "text",
    "xdsl_patches",
}
"""What is beside the dialects, in the same room."""


def test_each_dialect_has_forms_or_a_reason():
    names = {each.name for each in iter_modules(dialects.__path__)}
    assert names - NO_DIALECTS <= {*DIALECTS, *OTHERS}


@irdl_op_definition
class NewOp(IRDLOperation):
    """An op that somebody adds, with an operand and an attribute that may be absent."""

    name = "arith.new"

    source = opt_operand_def()
    hint = opt_prop_def()


def test_an_op_without_a_form_is_found(ctx: Context, monkeypatch: pytest.MonkeyPatch):
    found = ctx.get_dialect

    def with_new(name: str) -> Dialect:
        known = found(name)
        if name != "arith":
            return known
        return Dialect(name, [*known.operations, NewOp], [*known.attributes])

    monkeypatch.setattr(ctx, "get_dialect", with_new)
    assert ops_without_row(ctx) == {"arith.new"}
    assert {str(part) for part in parts_of(NewOp)} == {
        f"arith.new: {part}: {value}"
        for part in ("operands source", "attribute hint")
        for value in ("absent", "present")
    }
    assert {str(part) for part in parts_in(NewOp(operands=[None]))} == {
        "arith.new: operands source: absent",
        "arith.new: attribute hint: absent",
    }


def test_each_optional_part_is_in_a_form_or_has_a_reason(ctx: Context):
    assert not missing_parts_of_ops(ctx)


def test_each_producer_meets_each_place_and_each_consumer():
    assert not missing_around()


def test_documents_say_how_large_the_matrix_is():
    programs = sum(len(programs_of(family)) for family in FAMILIES)
    contributing, map_ = (
        " ".join((_ROOT / name).read_text().split())
        for name in ("CONTRIBUTING.md", "docs/map.md")
    )
    assert f"({programs:,} programs, each through " in map_
    for words in (
        f"{programs:,} programs, which have forms of {len(ops_with_forms())} ops",
        "through each pass alone",
        f"{len(OTHER_WAYS)} other ways",
        f"each of the {len(default_steps())} steps",
        f"of its {len(all_parts())} parts",
    ):
        assert words in contributing


def test_tables_of_routes_have_no_pass_that_is_gone():
    specs = [*ALONE, *(way.passes for way in OTHER_WAYS)]
    names = {
        name.partition("{")[0] for spec in specs for name in split_passes(spec) if name
    }
    others = {*Universe.get_multiverse().all_passes}
    assert not names - others
    assert not {*NO_ROUTE} - {*XDSL_BUFFERIZATION_UNIVERSE.all_passes}


def test_a_pass_that_no_table_has_runs_where_its_room_says(
    monkeypatch: pytest.MonkeyPatch,
):
    files = {"new-pass": "optimization.packing.new_pass", "other": "codegen.other"}
    monkeypatch.setattr(routes, "PASS_FILES", files)
    assert by_room() == {"new-pass": (Stage.TENSORS,), "other": (Stage.FREED,)}
    assert "new-pass (tensors)" in [each.name for each in alone()]


@pytest.mark.volume(sample=4)
@pytest.mark.parametrize(("family", "part"), all_parts())
def test_forms_are_computed_right_on_every_route(family: str, part: int):
    cells = run_part(family, part)
    assert cells.executed
    assert not unexpected(cells)


def _take_inits_that_are_read(patch: pytest.MonkeyPatch) -> None:
    """An output is replaced by an input, though the body reads the output."""

    def may_be_output(structure: Structure, number: int) -> bool:
        return structure.inputs[number].type == structure.outputs[0].type

    patch.setattr(convert_linalg_to_inplace, "_may_be_output", may_be_output)


def _forget_loads_in_bodies(patch: pytest.MonkeyPatch) -> None:
    """A loop over rows writes a buffer of which a body loads other rows."""

    def loads_nothing(_: Block) -> tuple[SSAValue, ...]:
        return ()

    patch.setattr(fuse_loops_over_rows, "buffers_read", loads_nothing)


def _take_diagonals_for_rows(patch: pytest.MonkeyPatch) -> None:
    """A map that names a loop twice says how long the loop is, as others do."""

    def sizes(structure: Structure) -> tuple[int, ...]:
        found: dict[int, int] = {}
        values = (*structure.inputs, *structure.outputs)
        for value, map_ in zip(values, structure.maps, strict=True):
            if isa(value.type, MemRefType):
                for expr, size in zip(
                    map_.results, value.type.get_shape(), strict=True
                ):
                    assert isinstance(expr, AffineDimExpr)
                    found[expr.position] = size
        return tuple(found[at] for at in range(len(structure.parallel)))

    patch.setattr(fuse_loops_over_rows, "_sizes", sizes)


def _forget_sums_of_indices(patch: pytest.MonkeyPatch) -> None:
    """What a reduction starts from is known for integers and floats only."""
    neutral_number = reductions.neutral_number

    def of_integers(combiner: Operation) -> Attribute:
        assert not isinstance(combiner.results[0].type, IndexType)
        return neutral_number(combiner)

    patch.setattr(reductions, "neutral_number", of_integers)


def _take_tensors_for_numbers(patch: pytest.MonkeyPatch) -> None:
    """A tensor that a body captures is taken for a number for each channel."""

    def known(
        _: object, value: SSAValue, known: dict[SSAValue, object], block: Block
    ) -> object:
        if value in known:
            return known[value]
        is_inside = isinstance(value, BlockArgument) and value.block is block
        channels = vars(fold_channel_scales)["_Channels"]
        return None if is_inside else channels(value)

    folder = vars(fold_channel_scales)["_Folder"]
    patch.setattr(folder, "_known", known)


@pytest.mark.parametrize(
    ("put_back", "family", "chosen", "route"),
    [
        (
            _take_tensors_for_numbers,
            "named: windows",
            {
                "op": "linalg.conv_2d_nhwc_hwcf",
                "element": "f32",
                "output": "same",
                "sizes": "regular",
                "open": "none",
                "operand 2": "zeros",
                "place": "straight",
                "consumer": "scaled by an element",
            },
            "fold-channel-scales",
        ),
        (
            _take_inits_that_are_read,
            "map",
            {
                "body": "inputs and init",
                "inputs": "1",
                "place": "straight",
                "sizes": "ragged",
                "element": "f32",
                "operand 0": "generic",
                "operand 1": "argument",
            },
            "convert-linalg-to-inplace",
        ),
        (
            _forget_sums_of_indices,
            "reduce",
            {
                "element": "index",
                "inputs": "1",
                "dimensions": "2",
                "combiner": "add",
                "sizes": "large",
                "place": "straight",
            },
            "vectorize-loop-nests",
        ),
        (
            _forget_loads_in_bodies,
            "chains",
            {"body": "extracts elsewhere", "consumer": "reduce from zero"},
            "fuse-loops-over-rows",
        ),
        (
            _take_diagonals_for_rows,
            "chains",
            {
                "map 0": "diagonal",
                "output map": "identity",
                "consumer": "reduce from zero",
            },
            "fuse-loops-over-rows",
        ),
    ],
    ids=[
        "tensors as numbers",
        "inits that are read",
        "sums of indices",
        "loads of other rows",
        "diagonals",
    ],
)
def test_an_old_fault_that_is_put_back_is_found(
    put_back: Callable[[pytest.MonkeyPatch], None],
    family: str,
    chosen: dict[str, str],
    route: str,
    monkeypatch: pytest.MonkeyPatch,
):
    """The same forms are right before the fault is put back."""
    assert not findings_of(family, chosen, route)
    put_back(monkeypatch)
    assert findings_of(family, chosen, route)


def _always(*_: object) -> bool:
    return True


@pytest.mark.parametrize(
    ("broken", "method", "said"),
    [
        (OneShotAnalysis, "is_in_place", "internal fault of one-shot-bufferize"),
        (BufferDeallocationPipelinePass, "apply", "which the caller would free"),
    ],
    ids=["no copies", "nothing is freed"],
)
def test_a_proof_that_fails_is_found(
    broken: type, method: str, said: str, monkeypatch: pytest.MonkeyPatch
):
    """Neither hinges on numbers: nothing is executed."""
    chosen = {"place": "carried", "consumer": "generic"}
    monkeypatch.setattr(broken, method, _always)
    monkeypatch.setattr(matrix, "execute", _refuse)
    found = findings_of("map", chosen, "copy-removal")
    assert found
    assert all(said in each.message for each in found)


def _refuse(jobs: Sequence[Job]) -> list[Outcome]:
    return [Outcome(REFUSED) for _ in jobs]
