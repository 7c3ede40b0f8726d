"""eliminate-empty-tensors: compute what is inserted into a tensor in that tensor.

    %0 = tensor.empty() : tensor<4xf32>
    %1 = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
    %2 = tensor.insert_slice %1 into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>

    %0 = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    ...                                     // as before; now one-shot-bufferize needs
                                            // neither an allocation nor a copy
Runs before one-shot-bufferize. For each insertion whose source is in place, the values
that it is computed from in the same buffer are followed back to `tensor.empty` ops. The
rule is MLIR's: https://mlir.llvm.org/docs/Passes/#-eliminate-empty-tensors. Three
things go beyond it:

- What is computed may have a larger shape, which is collapsed before the insertion.
- All uses of an empty tensor that are found are replaced, not only one.
- An insertion into a tensor that is inserted itself is looked at after the outer one.

One analysis serves all insertions. What loops yield comes first: see
`loop_destinations.py`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects import tensor
from xdsl.dialects.builtin import ModuleOp, TensorType
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.common.reshape_algebra import (
    attribute_of,
    merge_static,
)
from xdsl_bufferization.dialects.common.types import (
    have_compatible_shapes,
    have_same_element_type,
)

from ..analyses.one_shot.cached_analysis import take_cached_analysis
from ..analyses.one_shot.one_shot import OneShotAnalysis, analyze
from ..analyses.one_shot.roots import bufferized_ops
from ..interfaces.known_models import models_of
from ..interfaces.operands import OpOperand, is_tensor
from ..interfaces.options import BufferizationOptions, LayoutMapOption
from ..interfaces.subset import SubsetExtraction, SubsetInsertionOpInterface
from ..mlir_pass import TensorPass
from ..models import attach_all
from .empty_tensor_uses import EmptyTensorUses
from .loop_destinations import compute_in_carried_tensors
from .movable_definitions import MovableDefinitions
from .op_order import OpOrder

_OPTIONS = BufferizationOptions(
    allow_return_allocs_from_loops=True,
    bufferize_function_boundaries=True,
    function_boundary_type_conversion=LayoutMapOption.IDENTITY_LAYOUT_MAP,
)
"""Those of our pipelines: what the passes before have decided serves here, too."""


def eliminate_empty_tensors(module: ModuleOp) -> None:
    """Replace `tensor.empty` ops by the tensor, or part of one, that they end up in.

    Raises an `OperationError` where the analysis does.
    """
    attach_all()
    before = take_cached_analysis(module, _OPTIONS) or analyze(module, _OPTIONS)
    analysis = compute_in_carried_tensors(module, before)
    elimination = EmptyTensorElimination(analysis)
    insertions = list(_find_insertions(module))
    rooted = elimination.find_rooted_in_replaced(insertions)
    for insertion in insertions:
        if insertion not in rooted:
            elimination.eliminate(insertion)
    # From the outermost container inwards.
    for insertion in reversed(insertions):
        if insertion in rooted:
            elimination.eliminate(insertion)
    elimination.erase_unused()


@dataclass(frozen=True)
class _Insertion:
    """An op that puts a tensor into its destination."""

    op: Operation
    model: SubsetInsertionOpInterface

    @property
    def source(self) -> OpOperand:
        return self.model.get_source(self.op)

    @property
    def container(self) -> OpOperand:
        return self.model.get_container(self.op)


def _find_insertions(module: ModuleOp) -> Iterator[_Insertion]:
    ops = bufferized_ops(module, _OPTIONS)
    for op, model in models_of(SubsetInsertionOpInterface).of(ops):
        if is_tensor(model.get_source(op).value):
            yield _Insertion(op, model)


class EmptyTensorElimination:
    """Replaces the uses of empty tensors; see `eliminate_empty_tensors`."""

    def __init__(self, analysis: OneShotAnalysis):
        self._analysis = analysis
        self._uses = EmptyTensorUses(analysis)
        self._order = OpOrder()
        self._definitions = MovableDefinitions(self._order)
        self._unused: dict[Operation, None] = {}
        self._extracted: dict[Operation, SSAValue] = {}

    def find_rooted_in_replaced(
        self, insertions: Sequence[_Insertion]
    ) -> set[_Insertion]:
        """Insertions into an empty tensor that another insertion might replace."""
        candidates = {
            use
            for insertion in insertions
            if self._analysis.is_in_place(insertion.source)
            for use in self._uses.find(insertion.source)
        }
        return {
            insertion
            for insertion in insertions
            if is_tensor(insertion.container.value)
            and not candidates.isdisjoint(self._uses.find(insertion.container))
        }

    def eliminate(self, insertion: _Insertion) -> None:
        """Let the source of `insertion` be computed in its destination, if possible."""
        # Another tensor.empty could be replaced as well, but it would save nothing.
        if self._analysis.is_in_place(insertion.source):
            for use in self._uses.find(insertion.source):
                self._replace(use, insertion)

    def erase_unused(self) -> None:
        """Erase the empty tensors that nothing uses any more."""
        for op in self._unused:
            if op.results[0].first_use is None:
                op.detach()
                op.erase()

    # Replacing.

    def _replace(self, use: OpOperand, insertion: _Insertion) -> None:
        empty = use.value.owner
        assert isinstance(empty, tensor.EmptyOp)
        needed = insertion.model.get_values_needed_to_build_subset_extraction(
            insertion.op
        )
        if empty.tensor in needed or not needed:
            return
        place = self._find_place(empty, use.owner, needed)
        if place is None:
            if not self._definitions.move(needed, use.owner):
                return
            place = use.owner
        extraction = self._extract(insertion, place)
        if extraction is None:
            return
        if extraction.op is not None:
            self._insert(extraction.op, empty, place)
        value = self._view(extraction.value, empty, place)
        if value is not None:
            use.owner.operands[use.number] = value
            self._unused[empty] = None

    def _extract(
        self, insertion: _Insertion, place: Operation
    ) -> SubsetExtraction | None:
        extraction = insertion.model.build_subset_extraction(insertion.op)
        if extraction is not None:
            self._extracted[insertion.op] = extraction.value
            return extraction
        # What can be built only once may be there already.
        value = self._extracted.get(insertion.op)
        if value is None or not self._order.is_visible(value, place):
            return None
        return SubsetExtraction(value, None)

    def _find_place(
        self, empty: Operation, user: Operation, needed: Sequence[SSAValue]
    ) -> Operation | None:
        """Where all of `needed` are visible, before `user`: the earlier the better."""
        order = self._order
        place = order.place_of(empty)
        if place is not None and all(order.is_visible(v, place) for v in needed):
            return place
        last = order.find_last(needed)
        place = None if last is None else order.place_after(last)
        if place is not None and order.dominates(place, user):
            return place
        return None

    def _insert(self, op: Operation, empty: tensor.EmptyOp, place: Operation) -> None:
        op.location = empty.location
        self._uses.note_inserted(op)
        self._order.insert(op, place)

    def _view(
        self, value: SSAValue, empty: tensor.EmptyOp, place: Operation
    ) -> SSAValue | None:
        """`value` with the type of `empty`; None if that cannot be."""
        wanted = empty.tensor.type
        if value.type == wanted:
            return value
        if not (
            isa(value.type, TensorType) and have_same_element_type(value.type, wanted)
        ):
            return None
        if have_compatible_shapes(value.type, wanted):
            view = tensor.CastOp(value, wanted)
        else:
            shape = wanted.get_shape()
            groups = merge_static(shape, value.type.get_shape())
            if groups is None:
                return None
            view = tensor.ExpandShapeOp(value, [], attribute_of(groups), shape, wanted)
        self._insert(view, empty, place)
        return view.results[0]


@dataclass(frozen=True)
class EliminateEmptyTensorsPass(TensorPass):
    """Try to eliminate all `tensor.empty` ops."""

    name = "eliminate-empty-tensors"

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on everything inside the module."""
        eliminate_empty_tensors(op)
