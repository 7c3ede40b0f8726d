"""One call of the program that `xbuf run` runs: what goes in, and what comes out.

What comes out are the results and, of a program on buffers, what is in the buffers that
it was given.

    func.func @f(%x: tensor<4xf32>) -> f32          x             ->  result0
    func.func @f(%x: memref<4xf32>) -> f32          x             ->  result0, arg0
"""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import MemRefType, StridedLayoutAttr, TensorType
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from xdsl_bufferization.bufferization.interfaces.operands import is_tensor_type
from xdsl_bufferization.dialects.parsing import locate
from xdsl_bufferization.runtime.descriptor import distance_to_last
from xdsl_bufferization.runtime.engine import CompiledFunction
from xdsl_bufferization.runtime.errors import (
    ArgumentError,
    EngineError,
    FreedResultError,
)
from xdsl_bufferization.runtime.xsmm_matrices import BFLOAT16
from xdsl_bufferization.support.errors import add_place

from ..common.diagnostics import UserError
from .arguments import initial_arguments, is_bf16, random_arguments, read_arguments
from .initial_numbers import InitialNumbers
from .margins import Margins

Array = NDArray[Any]


@dataclass(frozen=True)
class Call:
    """What to call, and with what."""

    function: str
    place: str
    """Where errors of the call are reported."""
    arguments: list[Array]
    types: Sequence[Attribute]
    """The types of the arguments, before bufferization."""
    result_types: Sequence[Attribute]
    is_random: bool = False
    """Whether the arguments are random numbers that nobody asked for."""

    @classmethod
    def of(
        cls,
        function: FuncOp,
        file: str,
        *,
        inputs: str | None,
        seed: int,
        numbers: InitialNumbers | None = None,
    ) -> Self:
        """A call of `function`.

        Its arguments are those of the file `inputs`, `numbers`, or random ones.
        """
        if inputs is not None:
            arguments = read_arguments(function, inputs)
        elif numbers is not None:
            arguments = initial_arguments(function, numbers)
        else:
            arguments = random_arguments(function, seed)
        return cls(
            function.sym_name.data,
            locate(function) or file,
            arguments,
            function.function_type.inputs.data,
            function.function_type.outputs.data,
            is_random=inputs is None and numbers is None,
        )

    @property
    def buffers(self) -> list[int]:
        """The arguments that are buffers already: their contents are results, too."""
        return [n for n, each in enumerate(self.types) if isinstance(each, MemRefType)]

    @property
    def output_names(self) -> list[str]:
        """What comes out, in the order of `outputs`."""
        results = [f"result{n}" for n in range(len(self.result_types))]
        return [*results, *(f"arg{n}" for n in self.buffers)]

    @property
    def output_types(self) -> list[Attribute]:
        """The types of what comes out."""
        return [*self.result_types, *(self.types[n] for n in self.buffers)]

    def prepare(self) -> list[Any]:
        """Fresh arguments: a program may write into those that it gets."""
        return [
            _as_exchanged(argument, type_)
            for argument, type_ in zip(self.arguments, self.types, strict=True)
        ]

    def prepare_guarded(self) -> tuple[list[Any], list[Margins]]:
        """The same, in memory that shows whether the program writes beyond them."""
        arguments = self.prepare()
        margins: list[Margins] = []
        for number, each in enumerate(arguments):
            if isinstance(each, np.ndarray) and each.flags.c_contiguous:
                margins.append(Margins(cast(Array, each)))
                arguments[number] = margins[-1].inside
        return arguments, margins

    def check(self, margins: Sequence[Margins]) -> None:
        """Raise an error if the program has written beyond an argument."""
        if not all(each.are_whole() for each in margins):
            raise UserError(
                self.place,
                "the program wrote beyond an array that it was given; with --checked "
                "it stops where it does",
            )

    @contextmanager
    def saying_what_is_random(self) -> Generator[None]:
        """Errors about an index say that it may come of a random number."""
        try:
            yield
        except Exception as error:  # Raised again, with a note.
            if self.is_random and "out of bounds" in str(error):
                add_place(
                    error,
                    self.place,
                    "the arguments are random numbers; --inputs gives others",
                )
            raise

    def arguments_as_numbers(self) -> list[Array]:
        """Copies of the arguments, of which bf16 is float32, as for the reference."""
        return [
            _laid_out(argument, type_) if isa(type_, MemRefType) else argument.copy()
            for argument, type_ in zip(self.arguments, self.types, strict=True)
        ]

    def outputs(
        self, results: Sequence[Any], arguments: Sequence[Any] | Mapping[int, Any]
    ) -> list[Array]:
        """Copies of what came out, as the reference evaluation returns it.

        `arguments` are those that were passed.
        """
        values = [*results, *(arguments[n] for n in self.buffers)]
        return [
            np.array(BFLOAT16.to_floats(value) if is_bf16(type_) else value, order="C")
            for value, type_ in zip(values, self.output_types, strict=True)
        ]

    def make(
        self, compiled: Mapping[str, CompiledFunction], arguments: list[Any]
    ) -> tuple[Any, ...]:
        """Call the function; its results as a sequence.

        The arguments are given away: `prepare` has made them for this call.
        """
        given = [n for n, each in enumerate(self.types) if is_tensor_type(each)]
        try:
            results = compiled[self.function].donating(*given)(*arguments)
        except KeyError:
            raise self.removed() from None
        except (ArgumentError, EngineError, FreedResultError) as error:
            raise UserError(self.place, str(error)) from error
        if results is None:
            return ()
        if isinstance(results, tuple):
            return cast("tuple[Any, ...]", results)
        return (results,)

    def removed(self) -> UserError:
        """That the function is not there to be called."""
        message = f"the pipeline removed the public function @{self.function}"
        return UserError(self.place, message)


def _as_exchanged(argument: Array, type_: Attribute) -> Any:
    """A copy of an argument as compiled code takes it."""
    if is_bf16(type_) and isa(type_, MemRefType | TensorType):
        argument = BFLOAT16.from_floats(argument)
    if isa(type_, MemRefType):
        return _laid_out(argument, type_)
    return argument.copy() if isinstance(type_, TensorType) else argument[()]


def _laid_out(argument: Array, type_: MemRefType[Attribute]) -> Array:
    """A copy of an argument in the layout of a buffer: row-major unless that says."""
    if not isinstance(type_.layout, StridedLayoutAttr):
        return argument.copy()
    strides = [
        own // argument.itemsize if wanted is None else wanted
        for own, wanted in zip(
            argument.strides, type_.layout.get_strides(), strict=True
        )
    ]
    if 0 in argument.shape or min(strides, default=0) < 0:
        return argument.copy()
    last = distance_to_last(argument.shape, strides)
    view = np.lib.stride_tricks.as_strided(
        np.zeros(last + 1, argument.dtype),
        argument.shape,
        [stride * argument.itemsize for stride in strides],
    )
    view[...] = argument
    return view
