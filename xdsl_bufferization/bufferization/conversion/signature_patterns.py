"""Patterns that convert the signatures of functions, their returns and their calls.

    func.func @f(%t: tensor<5xf32>, %b: i1) -> (tensor<5xf32>, i1) {
      return %t, %b : tensor<5xf32>, i1
    }

    func.func @f(%m: memref<5xf32>, %b: i1, %out: memref<5xf32>) -> i1 {
      memref.copy %m, %out : memref<5xf32> to memref<5xf32>
      return %b : i1
    }

Together with patterns for the ops of a dialect they bufferize it; `apply_conversion`
applies them. All decide by types alone, so that calls fit what they call, recursive
ones and those of functions without a body among them.

Source: "Bufferization on MLIR", 2020, "Bufferization Operation Conversion Patterns".
"""

from collections.abc import Callable, Iterable, Sequence

from typing_extensions import override
from xdsl.dialects import memref
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    MemRefType,
)
from xdsl.dialects.func import CallOp, ReturnOp
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint
from xdsl.traits import ReturnLike
from xdsl.utils.hints import isa

from xdsl_bufferization.dialects.linalg.moves import new_copy
from xdsl_bufferization.support.errors import fail_at, op_name

from ..interfaces.layouts import is_cast_safe, with_identity_layout
from .type_converter import BufferizeTypeConverter, ConvertedType
from .value_conversion import ValueConversion

CopyBuilder = Callable[[SSAValue, SSAValue], Operation]
"""Makes an op that copies the first buffer into the second."""

ResultSizes = Callable[[ValueConversion, Operation, int], Sequence[SSAValue] | None]
"""The dynamic sizes of a result of a call, by its number; None if only the callee
knows them. New ops go where the `ValueConversion` builds."""

_TYPE = "function_type"
_ARGUMENTS, _RESULTS = "arg_attrs", "res_attrs"
_NOTHING = DictionaryAttr({})


def linalg_copy(source: SSAValue, target: SSAValue) -> Operation:
    """A `linalg.copy` of buffers."""
    return new_copy(source, target)


def populate_with_bufferize_op_conversion_patterns(
    converter: BufferizeTypeConverter,
    source_return: type[Operation] = ReturnOp,
    target_return: type[Operation] = ReturnOp,
    copy: CopyBuilder = memref.CopyOp,
    sizes: ResultSizes | None = None,
) -> list[RewritePattern]:
    """The patterns for functions, returns and calls."""
    return [
        BufferizeFuncOpConverter(converter),
        BufferizeReturnOpConverter(converter, source_return, target_return, copy),
        BufferizeCallOpConverter(converter, sizes=sizes),
    ]


class BufferizeFuncOpConverter(RewritePattern):
    """Converts the signature of any op that has a `function_type` and one region."""

    def __init__(self, converter: BufferizeTypeConverter):
        self._converter = converter

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        old = _get(op, _TYPE)
        if not isinstance(old, FunctionType) or len(op.regions) != 1:
            return
        inputs = [self._converter.convert_argument(type_, op) for type_ in old.inputs]
        outputs = [self._converter.convert_result(type_, op) for type_ in old.outputs]
        if _are_converted(old.inputs, inputs) and _are_converted(old.outputs, outputs):
            return
        _check_terminators(op)
        _set(op, _TYPE, _converted_type(inputs, outputs))
        _convert_attributes(op, inputs, outputs)
        if op.regions[0].blocks:
            self._convert_entry(op, op.regions[0], inputs, outputs)
        rewriter.notify_op_modified(op)

    def _convert_entry(
        self,
        op: Operation,
        body: Region,
        inputs: Sequence[Sequence[ConvertedType]],
        outputs: Sequence[Sequence[ConvertedType]],
    ) -> None:
        """Give the body new arguments, of which the old ones are made where used."""
        old, types = body.blocks[0], _argument_types(inputs, outputs)
        if old.first_op is None:
            fail_at(op, "has a body without ops; end it with a terminator")
        new = old.split_before(old.first_op, arg_types=types)
        conversion = ValueConversion(self._converter, op, InsertPoint.at_start(new))
        arguments = iter(new.args)
        for argument, parts in zip(old.args, inputs, strict=True):
            values = [next(arguments) for _ in parts]
            if len(values) == 1:
                values[0].name_hint = argument.name_hint
            if argument.first_use is not None:
                value = conversion.from_parts(argument.type, values)
                argument.replace_all_uses_with(value)
        body.detach_block(old)


class BufferizeReturnOpConverter(RewritePattern):
    """Copies out what the caller has a buffer for, and returns the rest."""

    def __init__(
        self,
        converter: BufferizeTypeConverter,
        source_return: type[Operation] = ReturnOp,
        target_return: type[Operation] = ReturnOp,
        copy: CopyBuilder = memref.CopyOp,
    ):
        self._converter = converter
        self._source = source_return
        self._target = target_return
        self._copy = copy

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, self._source):
            return
        types = [operand.type for operand in op.operands]
        parts = [self._converter.convert_result(type_, op) for type_ in types]
        if _are_converted(types, parts):
            return
        conversion = ValueConversion(self._converter, op, InsertPoint.before(op))
        out_params = iter(_out_params(op, parts))
        kept: list[SSAValue] = []
        for operand, operand_parts in zip(op.operands, parts, strict=True):
            values = conversion.to_parts(operand)
            for value, part in zip(values, operand_parts, strict=True):
                if part.is_appended:
                    conversion.builder.insert(self._copy(value, next(out_params)))
                else:
                    kept.append(value)
        # The properties of one kind of return may be unknown to the other.
        properties = op.properties if self._target is self._source else {}
        new = self._target.create(
            operands=kept, properties=properties, attributes=op.attributes
        )
        conversion.builder.insert(new)
        rewriter.erase(op)


class BufferizeCallOpConverter(RewritePattern):
    """Converts the operands and results of calls, and allocates what is filled there.

    `sizes` tells the dynamic sizes of such results; without it they are an error.
    """

    def __init__(
        self,
        converter: BufferizeTypeConverter,
        call: type[Operation] = CallOp,
        sizes: ResultSizes | None = None,
    ):
        self._converter = converter
        self._call = call
        self._sizes = sizes

    @override
    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if not isinstance(op, self._call):
            return
        operand_types = [operand.type for operand in op.operands]
        result_types = [result.type for result in op.results]
        inputs = [
            self._converter.convert_argument(type_, op) for type_ in operand_types
        ]
        outputs = [self._converter.convert_result(type_, op) for type_ in result_types]
        if _are_converted(operand_types, inputs) and _are_converted(
            result_types, outputs
        ):
            return
        conversion = ValueConversion(self._converter, op, InsertPoint.before(op))
        operands = [part for each in op.operands for part in conversion.to_parts(each)]
        buffers = [
            self._allocate(conversion, op, number, part.new)
            for number, parts in enumerate(outputs)
            for part in parts
            if part.is_appended
        ]
        new = type(op).create(
            operands=[*operands, *buffers],
            result_types=_result_types(outputs),
            properties=op.properties,
            attributes=op.attributes,
        )
        _convert_attributes(new, inputs, outputs)
        conversion.builder.insert(new)
        _replace_results(op, outputs, buffers, new.results, conversion)
        rewriter.erase(op)

    def _allocate(
        self,
        conversion: ValueConversion,
        call: Operation,
        number: int,
        type_: Attribute,
    ) -> SSAValue:
        """A buffer for a result of `call`, or a part of it."""
        if not isa(type_, MemRefType):
            fail_at(
                call,
                f"no buffer of type {type_} can be allocated for result #{number}; "
                "keep it as a function result",
            )
        sizes: Sequence[SSAValue] | None = ()
        if not type_.has_static_shape():
            # The sizes of a part are not those of the result.
            is_whole = not self._converter.is_decomposed(
                call.results[number].type, call
            )
            sizes = None
            if self._sizes is not None and is_whole:
                sizes = self._sizes(conversion, call, number)
        if sizes is None:
            fail_at(
                call,
                f"the size of result #{number} is known only inside of what is called, "
                "so that no buffer can be allocated for it here; keep it as a function "
                "result, or give it a static shape",
            )
        alloc = memref.AllocOp(sizes, (), with_identity_layout(type_))
        conversion.builder.insert(alloc)
        if alloc.memref.type == type_:
            return alloc.memref
        if not is_cast_safe(alloc.memref.type, type_):
            fail_at(
                call,
                f"an allocation for result #{number} cannot be cast to {type_}; choose "
                "an identity or fully dynamic layout, or keep it as a function result",
            )
        return conversion.builder.insert(memref.CastOp.get(alloc.memref, type_)).dest


# --- signatures ----------------------------------------------------------------------

_All = Sequence[Sequence[ConvertedType]]


def _are_converted(types: Iterable[Attribute], converted: _All) -> bool:
    """Whether conversion leaves a list of types as it is."""
    return all(
        len(parts) == 1 and parts[0].new == type_ and not parts[0].is_appended
        for type_, parts in zip(types, converted, strict=True)
    )


def _argument_types(inputs: _All, outputs: _All) -> list[Attribute]:
    return [
        *(part.new for parts in inputs for part in parts),
        *(part.new for parts in outputs for part in parts if part.is_appended),
    ]


def _result_types(outputs: _All) -> list[Attribute]:
    return [part.new for parts in outputs for part in parts if not part.is_appended]


def _converted_type(inputs: _All, outputs: _All) -> FunctionType:
    return FunctionType.from_lists(
        _argument_types(inputs, outputs), _result_types(outputs)
    )


def _convert_attributes(op: Operation, inputs: _All, outputs: _All) -> None:
    """Let the attributes of arguments and results follow them; parts get all of them.

    Those of a result that becomes an argument go along.
    """
    arguments = _attributes(op, _ARGUMENTS, inputs)
    results = _attributes(op, _RESULTS, outputs)
    appended = [entry for entry, part in results if part.is_appended]
    new_arguments = [*(entry for entry, _ in arguments), *appended]
    if _get(op, _ARGUMENTS) is not None or any(entry.data for entry in appended):
        _set(op, _ARGUMENTS, ArrayAttr(new_arguments))
    if _get(op, _RESULTS) is not None:
        kept = [entry for entry, part in results if not part.is_appended]
        _set(op, _RESULTS, ArrayAttr(kept))


def _attributes(
    op: Operation, name: str, converted: _All
) -> list[tuple[DictionaryAttr, ConvertedType]]:
    present = _get(op, name)
    if not isa(present, ArrayAttr[DictionaryAttr]):
        present = [_NOTHING] * len(converted)
    return [
        (entry, part)
        for entry, parts in zip(present, converted, strict=True)
        for part in parts
    ]


def _get(op: Operation, name: str) -> Attribute | None:
    return op.properties.get(name, op.attributes.get(name))


def _set(op: Operation, name: str, value: Attribute) -> None:
    """Set a property, or an attribute of the name where the op has that."""
    where = op.attributes if name in op.attributes else op.properties
    where[name] = value


# --- bodies --------------------------------------------------------------------------


def _check_terminators(op: Operation) -> None:
    """Stop where a body ends in a way that no pattern for returns can convert."""
    for block in op.regions[0].blocks:
        last = block.last_op
        if last is None or last.successors or not last.operands:
            continue
        if not last.has_trait(ReturnLike):
            fail_at(
                last,
                f"'{op_name(last)}' ends a function whose signature is converted, with "
                "operands, but is not return-like; give it the trait ReturnLike",
            )


def _out_params(op: Operation, parts: _All) -> Sequence[SSAValue]:
    """The arguments of the function around a return that its operands go to."""
    types = [part.new for each in parts for part in each if part.is_appended]
    if not types:
        return ()
    block = op.parent_block()
    region = None if block is None else block.parent_region()
    assert region is not None, "a return ends a function"
    arguments = region.blocks[0].args[-len(types) :]
    if [argument.type for argument in arguments] != types:
        fail_at(
            op,
            "is to copy to the last arguments of its function, but they are no buffers "
            "for that; convert the function before its returns",
        )
    return arguments


def _replace_results(
    call: Operation,
    outputs: _All,
    buffers: Sequence[SSAValue],
    results: Sequence[SSAValue],
    conversion: ValueConversion,
) -> None:
    """Make the results of `call` out of what was allocated and what is returned."""
    allocated, returned = iter(buffers), iter(results)
    for result, parts in zip(call.results, outputs, strict=True):
        values = [next(allocated if p.is_appended else returned) for p in parts]
        for value in values:
            value.name_hint = result.name_hint
        if result.first_use is not None:
            result.replace_all_uses_with(conversion.from_parts(result.type, values))
