"""The pass `stablehlo-refine-shapes`: all sizes follow from those of the arguments.

    func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
      %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
        ->      with types="tensor<3x4xf32>"
    func.func @main(%x: tensor<3x4xf32>) -> tensor<3xf32> {
      %n = stablehlo.constant dense<3> : tensor<i32>

What `jax.export` gives for symbolic shapes becomes a program of known sizes, which the
other passes take. A function that is called with different sizes is written once for
each. Integers that sizes are computed with are computed here.

Source: StableHLO's pass of this name, and the one that refines arguments,
https://openxla.org/stablehlo/generated/stablehlo_passes
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, cast

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    FunctionType,
    IntegerAttr,
    ModuleOp,
    StringAttr,
    SymbolRefAttr,
    TensorType,
    i64,
)
from xdsl.dialects.func import CallOp, FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import VerifyException

from xdsl_bufferization.bufferization.mlir_pass import MLIRPass
from xdsl_bufferization.dialects.chlo import TopKOp
from xdsl_bufferization.dialects.common.symbols import is_private
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.dialects.stablehlo import open_sizes
from xdsl_bufferization.dialects.stablehlo.contractions import ConvolutionOp
from xdsl_bufferization.dialects.stablehlo.control import (
    CaseOp,
    CompositeOp,
    CustomCallOp,
    IfOp,
    RngBitGeneratorOp,
    WhileOp,
)
from xdsl_bufferization.dialects.stablehlo.control import ReturnOp as EndOp
from xdsl_bufferization.dialects.stablehlo.reductions import ReduceWindowOp
from xdsl_bufferization.dialects.stablehlo.shapes import (
    BroadcastInDimOp,
    ConstantOp,
    IotaOp,
    ReshapeOp,
)
from xdsl_bufferization.dialects.stablehlo.slices import (
    DynamicSliceOp,
    GatherOp,
    PadOp,
    SliceOp,
)
from xdsl_bufferization.dialects.stablehlo.syntax import StableHLOOp, tensor_type
from xdsl_bufferization.dialects.text.splats import from_list
from xdsl_bufferization.support.errors import fail_at
from xdsl_bufferization.support.traversal import ops_inside

from .known_numbers import Numbers, constant_of, is_small, numbers_of
from .recognition import is_stablehlo

_ASSERTION: Final = "shape_assertion"
"""What JAX calls to demand something of sizes; a condition, and numbers to show."""

_SHAPE_OPERANDS: Final = "indices_of_shape_operands"
"""Of a call: for each result the operand that says its sizes."""

_Key: TypeAlias = tuple[str, tuple[Attribute, ...], tuple[object, ...]]


def stablehlo_refine_shapes(
    module: ModuleOp, function: FuncOp, types: Sequence[Attribute] | None = None
) -> None:
    """Give all values that `function` computes the sizes that follow from `types`.

    The types are those of the arguments, of which the sizes count; None: as they are.
    Other functions that it calls are written again for their arguments.

    Raises an `OperationError` at what has a size that is not known, or sizes that do
    not fit, or where the program demands other sizes.
    """
    refinement = _Refinement(module)
    if types is not None:
        _set_sizes(function, types)
    refinement.refine(function, [None] * len(function.body.block.args))
    refinement.erase_unused(function)


def may_have(type_: TensorType[Attribute], sizes: Sequence[int]) -> bool:
    """Whether a tensor of a type may have these sizes, all of which are known."""
    shape = type_.get_shape()
    return len(sizes) == len(shape) and all(
        old in (DYNAMIC_INDEX, new) and new != DYNAMIC_INDEX
        for old, new in zip(shape, sizes, strict=True)
    )


def _set_sizes(function: FuncOp, types: Sequence[Attribute]) -> None:
    arguments = [*function.body.block.args]
    if len(types) != len(arguments):
        fail_at(
            function, f"{len(types)} types are given for {len(arguments)} arguments"
        )
    for number, (argument, given) in enumerate(zip(arguments, types, strict=True)):
        if not isinstance(argument.type, TensorType):
            continue
        type_ = tensor_type(argument)
        sizes = given.get_shape() if isinstance(given, TensorType) else None
        if sizes is None or not may_have(type_, sizes):
            fail_at(function, f"argument {number} is a {type_}, and no {given}")
        _resize(argument, sizes)


def _resize(value: SSAValue, sizes: Sequence[int]) -> None:
    type_ = TensorType(tensor_type(value).element_type, sizes)
    if value.type != type_:
        Rewriter.replace_value_with_new_type(value, type_)


@dataclass(frozen=True)
class _Made:
    """A function for some arguments."""

    function: FuncOp
    results: Sequence[Numbers | None]
    """The numbers that it returns in any case."""


class _Refinement:
    def __init__(self, module: ModuleOp):
        self._functions = {
            op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)
        }
        self._made: dict[_Key, _Made | None] = {}
        """None: of a function that is being written."""
        self._known: dict[SSAValue, Numbers] = {}

    def refine(
        self, function: FuncOp, numbers: Sequence[Numbers | None]
    ) -> Sequence[Numbers | None]:
        """Refine a function whose arguments have their types; returns what is known."""
        block = function.body.first_block
        if block is None or block is not function.body.last_block:
            fail_at(function, "has no single block, so that sizes are not known")
        for argument, known in zip(block.args, numbers, strict=True):
            if known is not None:
                self._replace_uses(argument, known, InsertPoint.at_start(block))
        self._walk(block)
        end = block.last_op
        assert isinstance(end, ReturnOp)
        function.function_type = FunctionType.from_lists(
            [*block.arg_types], [*end.operand_types]
        )
        return [self._known.get(value) for value in end.operands]

    def erase_unused(self, root: FuncOp) -> None:
        """Erase private functions that only what was written again has called."""
        used, found = {root.sym_name.data}, [root]
        roots = [each for each in self._functions.values() if not is_private(each)]
        found += roots
        used |= {each.sym_name.data for each in roots}
        while found:
            for op in ops_inside(found.pop()):
                for name in _names_in(op):
                    if name in self._functions and name not in used:
                        used.add(name)
                        found.append(self._functions[name])
        for name, function in self._functions.items():
            if name not in used:
                Rewriter.erase_op(function, safe_erase=False)

    # Ops.

    def _walk(self, block: Block) -> None:
        for op in [*block.ops]:
            match op:
                case CallOp():
                    self._call(op, op.callee.root_reference.data)
                case CompositeOp():
                    self._call(op, op.callee)
                case CustomCallOp():
                    self._custom_call(op)
                case StableHLOOp():
                    self._infer(op)
                case _:
                    pass

    def _infer(self, op: StableHLOOp) -> None:
        found = numbers_of(op, self._known.get)
        if found is not None:
            if not isinstance(op, ConstantOp):
                op = self._replace(op, constant_of(found, op.outputs[0].type))
            self._known[op.outputs[0]] = found
            return
        if isinstance(op, open_sizes.RealDynamicSliceOp):
            op = self._replace(op, *self._static_slice(op))
        write = _STATIC.get(type(op))
        if write is not None:
            op = self._replace(op, write(op, self._sizes_of))
        if isinstance(op, WhileOp | IfOp | CaseOp):
            self._walk_regions(op)
        _demand_sizes(op, op.values)
        try:
            for result, sizes in zip([*op.outputs], op.inferred_shapes(), strict=True):
                _resize(result, sizes)
            _demand_sizes(op, op.outputs)
            op.verify_()
        except (VerifyException, ValueError, LookupError) as error:
            fail_at(op, f"'{op.name}' on these sizes: {error}")

    def _walk_regions(self, op: StableHLOOp) -> None:
        for region in op.regions:
            for argument, value in zip([*region.block.args], op.values, strict=False):
                _resize(argument, tensor_type(value).get_shape())
            self._walk(region.block)

    def _static_slice(self, op: StableHLOOp) -> Sequence[StableHLOOp]:
        """The part of a tensor: its place is known, or its sizes alone are."""
        extent = _extent(op)
        is_placed = all(value in self._known for value in op.values[1:])
        if is_placed or extent is None or extent not in self._known:
            return [_slice(op, self._sizes_of)]
        if any(step != 1 for step in self._sizes_of(op, op.values[3])):
            fail_at(op, f"'{op.name}' takes steps from a start that is not known")
        return _dynamic_slice(op, self._sizes_of(op, extent))

    def _replace(self, op: StableHLOOp, *ops: StableHLOOp) -> StableHLOOp:
        """Write ops in the place of one; the results of the last are its results."""
        new = ops[-1]
        for each in ops:
            each.location = op.location
        for old, result in zip(op.outputs, new.outputs, strict=True):
            result.name_hint = old.name_hint
        Rewriter.replace_op(op, ops, new.results)
        return new

    def _replace_uses(self, value: SSAValue, known: Numbers, at: InsertPoint) -> None:
        """Let who uses a value use a constant."""
        if not is_small(value.type):
            return
        constant = constant_of(known, value.type)
        value.replace_all_uses_with(constant.outputs[0])
        Rewriter.insert_op(constant, at)
        self._known[constant.outputs[0]] = known

    def _sizes_of(self, op: Operation, value: SSAValue) -> tuple[int, ...]:
        """Known numbers that say sizes."""
        found = self._known.get(value)
        if found is None:
            fail_at(
                op,
                f"'{op.name}' has sizes that do not follow from those of the "
                "arguments; compute them before, and lower the function for them",
            )
        return tuple(int(each) for each in found.ravel())

    # Calls.

    def _call(self, op: CallOp | CompositeOp, name: str) -> None:
        callee = self._functions.get(name)
        if callee is None or callee.is_declaration:
            return
        known = [self._known.get(value) for value in op.operands]
        made = self._function_for(op, callee, known)
        reference = SymbolRefAttr(made.function.sym_name.data)
        if isinstance(op, CallOp):
            op.callee = reference
        else:
            op.decomposition = reference
        types = made.function.function_type.outputs.data
        for result, type_, numbers in zip(
            [*op.results], types, made.results, strict=True
        ):
            if result.type != type_:
                result = Rewriter.replace_value_with_new_type(result, type_)
            if numbers is not None:
                self._replace_uses(result, numbers, InsertPoint.after(op))

    def _function_for(
        self, op: Operation, callee: FuncOp, known: Sequence[Numbers | None]
    ) -> _Made:
        types = tuple(value.type for value in op.operands)
        numbers = tuple(each if each is None else each.tobytes() for each in known)
        key = callee.sym_name.data, types, numbers
        if key not in self._made:
            self._made[key] = None
            function = callee.clone()
            name = self._new_name(callee.sym_name.data)
            function.sym_name = StringAttr(name)
            function.properties["sym_visibility"] = StringAttr("private")
            self._functions[name] = function
            Rewriter.insert_op(function, InsertPoint.after(callee))
            _set_sizes(function, types)
            self._made[key] = _Made(function, self.refine(function, known))
        made = self._made[key]
        if made is None:
            fail_at(op, f"@{callee.sym_name.data} calls itself, with the same sizes")
        return made

    def _new_name(self, name: str) -> str:
        number = len(self._made)
        while f"{name}_{number}" in self._functions:
            number += 1
        return f"{name}_{number}"

    def _custom_call(self, op: CustomCallOp) -> None:
        target = op.call_target_name.data
        if target == _ASSERTION:
            self._assert(op)
            return
        write = _OF_CALLS.get(target)
        if write is not None:
            self._infer(self._replace(op, write(op, self._sizes_of, self._functions)))
            return
        indices = op.attributes.get(_SHAPE_OPERANDS)
        if isinstance(indices, DenseIntOrFPElementsAttr):
            self._call_with_sizes(op, [int(n) for n in cast(Any, indices).get_values()])
            return
        _demand_sizes(op, op.values)
        if len(op.values) == len(op.outputs):
            # Calls that change nothing, such as those of shardings.
            for value, result in zip(op.values, [*op.outputs], strict=True):
                if not tensor_type(result).has_static_shape():
                    _resize(result, tensor_type(value).get_shape())
        _demand_sizes(op, op.outputs)

    def _assert(self, op: CustomCallOp) -> None:
        holds = self._known.get(op.values[0])
        if holds is None:
            fail_at(op, "what is demanded of sizes is not known")
        if not holds:
            message = op.attributes.get("error_message")
            text = (
                message.data if isinstance(message, StringAttr) else "sizes are wrong"
            )
            for number, value in enumerate(op.values[1:]):
                shown = self._known.get(value)
                text = text.replace(
                    f"{{{number}}}", "?" if shown is None else f"{shown}"
                )
            fail_at(op, " ".join(text.split()))
        Rewriter.erase_op(op)

    def _call_with_sizes(self, op: CustomCallOp, numbers: Sequence[int]) -> None:
        """A call that gets the sizes of its results as operands, without these."""
        sizes = [self._sizes_of(op, op.values[number]) for number in numbers]
        values = [v for n, v in enumerate(op.values) if n not in numbers]
        types = [
            TensorType(tensor_type(result).element_type, each)
            for result, each in zip(op.outputs, sizes, strict=True)
        ]
        new = CustomCallOp(values, types, **op.properties)
        new.attributes = {
            k: v for k, v in op.attributes.items() if k != _SHAPE_OPERANDS
        }
        self._replace(op, new)


def _demand_sizes(op: StableHLOOp, values: Sequence[SSAValue]) -> None:
    for value in values:
        type_ = tensor_type(value)
        if not type_.has_static_shape():
            fail_at(op, f"'{op.name}' on {type_}: the sizes are not known")


def _names_in(op: Operation) -> Sequence[str]:
    attributes = (*op.properties.values(), *op.attributes.values())
    return [a.root_reference.data for a in attributes if isinstance(a, SymbolRefAttr)]


# Ops of known sizes.

_SizesOf: TypeAlias = Callable[[Operation, SSAValue], tuple[int, ...]]


def _array(numbers: Sequence[int]) -> Attribute:
    return DenseArrayBase.from_list(i64, numbers)


def _of_result(op: StableHLOOp, sizes: Sequence[int]) -> Sequence[Attribute]:
    return [TensorType(op.result_element, sizes)]


def _broadcast(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    result = _of_result(op, sizes_of(op, op.values[1]))
    dims = {"broadcast_dimensions": op.broadcast_dimensions}
    return BroadcastInDimOp([op.values[0]], result, **dims)


def _reshape(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    return ReshapeOp([op.values[0]], _of_result(op, sizes_of(op, op.values[1])))


def _iota(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    result = _of_result(op, sizes_of(op, op.values[0]))
    return IotaOp([], result, iota_dimension=op.iota_dimension)


def _pad(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    low, high, inside = (_array(sizes_of(op, value)) for value in op.values[2:])
    return PadOp(
        op.values[:2],
        op.outputs.types,
        edge_padding_low=low,
        edge_padding_high=high,
        interior_padding=inside,
    )


def _slice(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    start, limit, strides = (_array(sizes_of(op, value)) for value in op.values[1:])
    return SliceOp(
        op.values[:1],
        op.outputs.types,
        start_indices=start,
        limit_indices=limit,
        strides=strides,
    )


def _extent(op: Any) -> SSAValue | None:
    """What is added to the starts of a slice to be its ends, if that is seen."""
    start, limit = op.values[1:3]
    end = limit.owner
    if not isinstance(end, StableHLOOp) or end.name != "stablehlo.add":
        return None
    others = [each for each in end.values if each is not start]
    return others[0] if len(others) == 1 else None


def _dynamic_slice(op: Any, sizes: Sequence[int]) -> Sequence[StableHLOOp]:
    """A part of known sizes that starts where numbers say: the ops that take it."""
    start = op.values[1]
    element = tensor_type(start).element_type
    ops: list[StableHLOOp] = []
    numbers: list[SSAValue] = []
    for dim in range(len(sizes)):
        bounds = {"start_indices": dim, "limit_indices": dim + 1, "strides": 1}
        arrays = {name: _array([number]) for name, number in bounds.items()}
        one = SliceOp([start], [TensorType(element, [1])], **arrays)
        number = ReshapeOp([one.outputs[0]], [TensorType(element, [])])
        ops += one, number
        numbers.append(number.outputs[0])
    part = DynamicSliceOp(
        [op.values[0], *numbers], _of_result(op, sizes), slice_sizes=_array(sizes)
    )
    return [*ops, part]


def _gather(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    sizes = _array(sizes_of(op, op.values[2]))
    return GatherOp(op.values[:2], op.outputs.types, slice_sizes=sizes, **op.properties)


def _convolution(op: Any, sizes_of: _SizesOf) -> StableHLOOp:
    numbers = sizes_of(op, op.values[2])
    padding = from_list(TensorType(i64, [len(numbers) // 2, 2]), numbers)
    properties = {**op.properties, "padding": padding}
    return ConvolutionOp(op.values[:2], op.outputs.types, **properties)


_STATIC: Final[dict[type[Operation], Callable[[Any, _SizesOf], StableHLOOp]]] = {
    open_sizes.DynamicBroadcastInDimOp: _broadcast,
    open_sizes.DynamicConvOp: _convolution,
    open_sizes.DynamicGatherOp: _gather,
    open_sizes.DynamicIotaOp: _iota,
    open_sizes.DynamicPadOp: _pad,
    open_sizes.DynamicReshapeOp: _reshape,
}
"""What writes an op with known sizes in the place of one with open ones."""


# Calls that JAX makes for ops that StableHLO has for known sizes only.

_Functions: TypeAlias = Mapping[str, FuncOp]


def _reduce_window(op: Any, sizes_of: _SizesOf, functions: _Functions) -> StableHLOOp:
    """Tensors, first values, and five operands for the window; a function combines."""
    names = "window_dimensions", "window_strides", "base_dilations", "window_dilations"
    *numbers, padding = op.values[-5:]
    arrays = {
        name: _array(sizes_of(op, value))
        for name, value in zip(names, numbers, strict=True)
    }
    pairs = sizes_of(op, padding)
    type_ = TensorType(i64, [len(pairs) // 2, 2])
    arrays["padding"] = from_list(type_, pairs)
    (callee,) = op.called_computations.data
    combine = functions[callee.root_reference.data].body.clone()
    end = combine.block.last_op
    assert end is not None
    Rewriter.replace_op(end, EndOp.build(operands=[end.operands]))
    return ReduceWindowOp.build(
        operands=[op.values[:-5]],
        result_types=[op.outputs.types],
        properties=arrays,
        regions=[combine],
    )


def _top_k(op: Any, sizes_of: _SizesOf, _: _Functions) -> StableHLOOp:
    (k,) = sizes_of(op, op.values[1])
    return TopKOp(op.values[:1], op.outputs.types, k=IntegerAttr(k, i64))


def _random_bits(op: Any, sizes_of: _SizesOf, _: _Functions) -> StableHLOOp:
    state, bits = op.outputs.types
    sized = TensorType(bits.element_type, sizes_of(op, op.values[1]))
    algorithm = op.attributes["rng_algorithm"]
    return RngBitGeneratorOp(op.values[:1], [state, sized], rng_algorithm=algorithm)


_OF_CALLS: Final[dict[str, Callable[[Any, _SizesOf, _Functions], StableHLOOp]]] = {
    "stablehlo.dynamic_reduce_window": _reduce_window,
    "stablehlo.dynamic_rng_bit_generator": _random_bits,
    "stablehlo.dynamic_top_k": _top_k,
}
"""What writes an op in the place of a call, by the name of what is called."""


@dataclass(frozen=True)
class StablehloRefineShapesPass(MLIRPass):
    """Give all values of a program of StableHLO sizes, by those of the arguments.

    The program has one public function, or one that is called `main`.
    """

    name = "stablehlo-refine-shapes"

    types: tuple[str, ...] = ()
    """The types of the arguments, of which the sizes count. None: as they are."""

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if not is_stablehlo(op):
            return
        functions = [each for each in op.ops if isinstance(each, FuncOp)]
        public = [each for each in functions if not is_private(each)]
        named = [each for each in public if each.sym_name.data == "main"]
        chosen = public if len(public) == 1 else named
        if not chosen:
            fail_at(op, "has not one public function, nor one that is called main")
        types = [MLIRParser(ctx, each).parse_type() for each in self.types]
        stablehlo_refine_shapes(op, chosen[0], types or None)
