"""What types become at function boundaries, and how values are packed and unpacked.

    converter = BufferizeTypeConverter()
    converter.add_conversion(TensorType, identity_layout_type)
    converter.set_result_conversion_kind(
        TensorType, MemRefType, ResultConversionKind.APPEND_TO_ARGUMENTS_LIST
    )

    (tensor<5xf32>) -> (tensor<5xf32>, i1)
    (memref<5xf32>, memref<5xf32>) -> i1

The patterns of `signature_patterns.py` ask it. A converter says nothing about any
program: what does not fit together is an error at the op that needs it.

Source: "Bufferization on MLIR", 2020, "BufferizeTypeConverter" and "Callbacks for
Unpacking Types".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

from xdsl.builder import Builder
from xdsl.ir import Attribute, Operation, SSAValue

from xdsl_bufferization.support.errors import fail_at

_Type = TypeVar("_Type", bound=Attribute)


class ResultConversionKind(Enum):
    """What becomes of a function result whose type is converted."""

    APPEND_TO_ARGUMENTS_LIST = "append"
    """The caller passes a buffer for it, after all other arguments."""

    KEEP_AS_FUNCTION_RESULT = "keep"
    """It stays a result."""


@dataclass(frozen=True)
class ConvertedType:
    """The type of a part of an argument or a result, before and after conversion."""

    old: Attribute
    new: Attribute
    is_appended: bool = False
    """Whether it is that of a result which becomes an argument."""


@dataclass(frozen=True)
class _Callback:
    """What to call for types of a class, with the type as one of the arguments."""

    type: type[Attribute]
    call: Callable[..., Any]


class BufferizeTypeConverter:
    """Decides on the signatures of functions, and of what calls and ends them.

    Callbacks that were added last are asked first, and decline by returning None. A
    type for which there is no conversion stays what it is.
    """

    def __init__(self) -> None:
        self._conversions: list[_Callback] = []
        self._decompositions: list[_Callback] = []
        self._packs: list[_Callback] = []
        self._unpacks: list[_Callback] = []
        self._kinds: list[
            tuple[type[Attribute], type[Attribute], ResultConversionKind]
        ] = []
        self._parts: dict[Attribute, tuple[Attribute, ...]] = {}
        self._converted: dict[Attribute, Attribute] = {}

    # Setting up.

    def add_conversion(
        self, type_: type[_Type], convert: Callable[[_Type], Attribute | None]
    ) -> None:
        """Convert types of class `type_`."""
        self._conversions.append(_Callback(type_, convert))

    def set_result_conversion_kind(
        self, old: type[Attribute], new: type[Attribute], kind: ResultConversionKind
    ) -> None:
        """Say what becomes of results of class `old` that are converted to `new`.

        A result is kept where nothing is said. Two kinds for one result contradict
        each other, which is an error at the first function that has one.
        """
        self._kinds.append((old, new, kind))

    def add_decompose_type_conversion(
        self,
        type_: type[_Type],
        decompose: Callable[[_Type], Sequence[Attribute] | None],
    ) -> None:
        """Replace types of class `type_` by those of their parts.

        Their values have to be packed and unpacked as well, see
        `add_argument_materialization` and `add_decompose_value_conversion`.
        """
        self._decompositions.append(_Callback(type_, decompose))

    def add_argument_materialization(
        self,
        type_: type[_Type],
        pack: Callable[[Builder, _Type, Sequence[SSAValue]], SSAValue | None],
    ) -> None:
        """Make one value out of the parts of a value of class `type_`.

        The parts are converted already, so that the type of the new value may be
        another one. `builtin.unrealized_conversion_cast` packs where `pack` declines.
        """
        self._packs.append(_Callback(type_, pack))

    def add_decompose_value_conversion(
        self,
        type_: type[_Type],
        unpack: Callable[[Builder, _Type, SSAValue], Sequence[SSAValue] | None],
    ) -> None:
        """Take a value of class `type_` apart.

        Parts that have parts themselves are taken apart as well, so that one level is
        enough. `builtin.unrealized_conversion_cast` unpacks where `unpack` declines.
        """
        self._unpacks.append(_Callback(type_, unpack))

    # Asking, on behalf of an op at which errors are reported.

    def convert_argument(
        self, type_: Attribute, op: Operation
    ) -> Sequence[ConvertedType]:
        """What an argument turns into."""
        return [
            ConvertedType(part, self.convert_part(part, op))
            for part in self.decompose(type_, op)
        ]

    def convert_result(
        self, type_: Attribute, op: Operation
    ) -> Sequence[ConvertedType]:
        """What a result turns into."""
        return [
            ConvertedType(part.old, part.new, self._is_appended(part, op))
            for part in self.convert_argument(type_, op)
        ]

    def decompose(self, type_: Attribute, op: Operation) -> tuple[Attribute, ...]:
        """The types of the parts, all the way down; the type itself without any."""
        parts = self._parts.get(type_)
        if parts is None:
            parts = self._parts[type_] = tuple(self._decompose(type_, op))
        return parts

    def is_decomposed(self, type_: Attribute, op: Operation) -> bool:
        """Whether values of `type_` are taken apart."""
        return self.decompose(type_, op) != (type_,)

    def _decompose(self, type_: Attribute, op: Operation) -> list[Attribute]:
        parts = _ask(self._decompositions, type_, type_)
        if parts is None or tuple(parts) == (type_,):
            return [type_]
        for callbacks, what, method in (
            (self._packs, "pack", "add_argument_materialization"),
            (self._unpacks, "unpack", "add_decompose_value_conversion"),
        ):
            if not any(isinstance(type_, callback.type) for callback in callbacks):
                fail_at(
                    op,
                    f"{type_} is decomposed, but nothing says how to {what} its "
                    f"values; call {method}",
                )
        return [inner for part in parts for inner in self.decompose(part, op)]

    def convert_part(self, type_: Attribute, op: Operation) -> Attribute:
        """What a type that has no parts is converted to."""
        new = self._converted.get(type_)
        if new is not None:
            return new
        new = _ask(self._conversions, type_, type_) or type_
        again = _ask(self._conversions, new, new) or new
        if again != new:
            fail_at(
                op,
                f"{type_} is converted to {new}, and that to {again}; let "
                "add_conversion give types that stay what they are",
            )
        self._converted[type_] = new
        return new

    def _is_appended(self, part: ConvertedType, op: Operation) -> bool:
        kinds = {
            kind
            for old, new, kind in self._kinds
            if isinstance(part.old, old) and isinstance(part.new, new)
        }
        if len(kinds) > 1:
            fail_at(
                op,
                f"a result of type {part.old} that is converted to {part.new} is both "
                "appended to the arguments and kept; let "
                "set_result_conversion_kind say one of them",
            )
        return ResultConversionKind.APPEND_TO_ARGUMENTS_LIST in kinds

    def pack(
        self, builder: Builder, type_: Attribute, parts: Sequence[SSAValue]
    ) -> SSAValue | None:
        """The parts of a value of `type_` as one value; None if no callback does it."""
        return _ask(self._packs, type_, builder, type_, parts)

    def unpack(self, builder: Builder, value: SSAValue) -> Sequence[SSAValue] | None:
        """The parts of a value, one level down; None if no callback does it."""
        return _ask(self._unpacks, value.type, builder, value.type, value)


def _ask(callbacks: Sequence[_Callback], type_: Attribute, *arguments: Any) -> Any:
    """The answer of the callback for `type_` that was added last and has one."""
    for callback in reversed(callbacks):
        if isinstance(type_, callback.type):
            answer = callback.call(*arguments)
            if answer is not None:
                return answer
    return None
