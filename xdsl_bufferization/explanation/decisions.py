"""What becomes of each tensor operand of a function, with reasons and bytes.

    %1 = tensor.insert %f into %0[%i]     %0 copied, 16 bytes: line 2 reads it ...

Which copies are made is not said by the analysis alone: loops copy what they yield
where that is another buffer. So every op is asked to insert its copies, as before the
rewrite, but the copies are only noted down.
"""

from collections.abc import Iterable, Iterator, Mapping

from xdsl.dialects.bufferization import MaterializeInDestinationOp
from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.analyses.one_shot.all_reasons import AllReasons
from xdsl_bufferization.bufferization.analyses.one_shot.one_shot import OneShotAnalysis
from xdsl_bufferization.bufferization.interfaces.known_models import allowed_models
from xdsl_bufferization.bufferization.interfaces.noted_copies import (
    NotedCopies,
    find_copied_value,
)
from xdsl_bufferization.bufferization.interfaces.operands import (
    OpOperand,
    is_tensor,
    tensor_operands,
)
from xdsl_bufferization.bufferization.interfaces.state import (
    AnalysisState,
    is_buffer_type,
)
from xdsl_bufferization.bufferization.interfaces.subset import (
    SubsetInsertionOpInterface,
)
from xdsl_bufferization.dialects.memref.sizes import count_bytes, count_element_bytes
from xdsl_bufferization.support.identity_cache import cached_by_identity
from xdsl_bufferization.support.traversal import ops_inside

from .reasons import Reasons
from .report import Action, ActionKind, Decision, Reason, ReasonKind, Value, Verdict
from .source import Source

_AS_A_PASS_DOES = "as eliminate-empty-tensors does for what starts with tensor.empty"


class FunctionDecisions:
    """The decisions about one function; `state` is the analysis, or a part of it.

    `why_not_moved` says why no pass changed the order of ops for a copied operand.
    """

    def __init__(
        self,
        function: FuncOp,
        source: Source,
        analysis: OneShotAnalysis,
        state: AnalysisState,
        why_not_moved: Mapping[OpOperand, str],
    ):
        self._function = function
        self._source = source
        self._analysis = analysis
        self._state = state
        self._models = allowed_models(state.options)
        self._root = analysis.get_root_analysis(function)
        self._reasons = (
            None if self._root is None else Reasons(source, self._root, why_not_moved)
        )
        self._set_numbers: dict[SSAValue, int] = {}

    def list_values(self) -> Iterator[Value]:
        """The tensors of the function, in program order."""
        for value in _values_inside(self._function):
            yield Value(
                self._source.name_of(value),
                _text_of(value.type),
                self._source.position_of(value),
                self._number_of_set(value),
            )

    def list_decisions(self) -> Iterator[Decision]:
        """One for each tensor operand, in program order."""
        copies = NotedCopies(self._state)
        for op in ops_inside(self._function):
            operands = tensor_operands(op)
            if not operands:
                continue
            model = self._models[type(op)]
            if model is not None and model.has_tensor_semantics(op):
                model.resolve_conflicts(op, copies)
            for operand in operands:
                yield self._decide(operand, operand in copies.operands)

    def _number_of_set(self, value: SSAValue) -> int:
        """The number of an alias set; a set of its own without analysis."""
        first = value
        if self._root is not None:
            first = self._analysis.get_alias_set(value)[0]
        return self._set_numbers.setdefault(first, len(self._set_numbers) + 1)

    def _decide(self, operand: OpOperand, is_copied: bool) -> Decision:
        verdict, size, words = Verdict.IN_PLACE, 0, "0 bytes"
        reasons: tuple[Reason, ...] = ()
        found: AllReasons | None = None
        if is_copied:
            is_empty = self._state.can_omit_tensor_copy(operand)
            verdict = Verdict.ALLOCATED if is_empty else Verdict.COPIED
            size, words = self._measure(find_copied_value(operand, self._state))
            found = self._find_reasons(operand)
            reasons = self._tell(operand, found)
        elif self._is_moved(operand):
            verdict = Verdict.MOVED
            size, words = self._measure(operand.value)
            reasons = (self._tell_moved(operand),)
        return Decision(
            operand.owner.name,
            self._source.position_of_use(operand),
            operand.number,
            self._source.name_of(operand.value),
            self._number_of_set(operand.value),
            verdict,
            reasons,
            0 if found is None else len(found.reasons) - len(reasons),
            found is None or found.is_complete,
            size,
            words,
        )

    def _find_reasons(self, operand: OpOperand) -> AllReasons | None:
        return None if self._root is None else self._root.all_reasons.get(operand)

    def _tell(self, operand: OpOperand, found: AllReasons | None) -> tuple[Reason, ...]:
        if self._reasons is None:
            return (self._tell_not_analysed(operand),)
        if found is None and self._state.is_in_place(operand):
            return (self._tell_not_equivalent(operand),)
        if found is None:
            return (self._tell_cheaper(operand),)
        return self._reasons.tell(operand, found)

    def _tell_not_analysed(self, operand: OpOperand) -> Reason:
        name = self._function.sym_name.data
        return Reason(
            ReasonKind.NOT_ANALYSED,
            f"@{name} is left out of the analysis: every write is preceded by a copy",
            self._source.position_of(operand.value),
            self._source.position_of_use(operand),
            None,
            "take it out of no-analysis-func-filter",
        )

    def _tell_not_equivalent(self, operand: OpOperand) -> Reason:
        source = self._source
        line = source.line_of(operand.owner)
        loop = operand.owner.parent_op()
        around = "" if loop is None else f" at line {source.line_of(loop)}"
        return Reason(
            ReasonKind.NOT_EQUIVALENT,
            f"line {line} passes it on to the next iteration of the loop{around}, "
            "which expects the buffer that this iteration was given",
            source.position_of(operand.value),
            None,
            source.position_of_use(operand),
            f"compute {source.name_of(operand.value)} in the buffer of the iter_arg, "
            f"{_AS_A_PASS_DOES}",
        )

    def _tell_cheaper(self, operand: OpOperand) -> Reason:
        return Reason(
            ReasonKind.CHEAPER,
            "it could be in place, but then more bytes would be copied elsewhere",
            self._source.position_of(operand.value),
            self._source.position_of_use(operand),
            None,
            None,
        )

    def _is_moved(self, operand: OpOperand) -> bool:
        op = operand.owner
        model = op.get_trait(SubsetInsertionOpInterface)
        return (
            model is not None
            and self._models[type(op)] is not None
            and operand == model.get_source(op)
            and not self._state.is_written_in_place(op)
        )

    def _tell_moved(self, operand: OpOperand) -> Reason:
        source = self._source
        line = source.line_of(operand.owner)
        name = source.name_of(operand.value)
        missing = _what_is_missing(operand.owner)
        use = source.position_of_use(operand)
        return Reason(
            ReasonKind.NOT_IN_DESTINATION,
            f"line {line} inserts it into a buffer in which it was not computed",
            source.position_of(operand.value),
            use,
            None,
            f"compute {name} in a slice of the destination, {_AS_A_PASS_DOES}"
            + missing,
            Action(ActionKind.ADD_RESTRICT, (use,)) if missing else None,
        )

    def _measure(self, value: SSAValue) -> tuple[int | None, str]:
        """The bytes of a tensor, and the same in words."""
        size = count_bytes(value.type)
        if size is not None:
            return size, f"{size} byte" if size == 1 else f"{size} bytes"
        if not isa(value.type, TensorType):
            return None, "unknown size"
        bytes_each = count_element_bytes(value.type.element_type)
        name = self._source.name_of(value)
        factors: list[str] = []
        known = bytes_each or 1
        for dimension, extent in enumerate(value.type.get_shape()):
            if extent == DYNAMIC_INDEX:
                factors.append(f"dim {dimension} of {name}")
            else:
                known *= extent
        unit = "bytes" if bytes_each else "elements"
        return None, " * ".join((*factors, f"{known} {unit}"))


@cached_by_identity
def _text_of(type_: Attribute) -> str:
    return str(type_)


def _what_is_missing(op: Operation) -> str:
    """What an op has to say before the pass may compute in its destination."""
    if (
        isinstance(op, MaterializeInDestinationOp)
        and op.restrict is None
        and is_buffer_type(op.dest.type)
    ):
        return (
            "; the pass needs 'restrict' at this op, which says that no other tensor "
            "is made of the buffer"
        )
    return ""


def _values_inside(function: FuncOp) -> Iterator[SSAValue]:
    for op in ops_inside(function):
        yield from filter(is_tensor, op.results)
        yield from filter(is_tensor, _arguments_of(op))


def _arguments_of(op: Operation) -> Iterable[BlockArgument]:
    return (
        argument
        for region in op.regions
        for block in region.blocks
        for argument in block.args
    )
