"""What a call copies for its caller: tensors that the function overwrites.

    func.func @f(%a: memref<4xf32> {xbuf.value}, ...)   // was a tensor
      memref.store %x, %a[%i]                           // a call copies %a before

A tensor is a value: whoever calls a function still has it afterwards. So a call of
`jit` copies what the function overwrites, unless the caller gives it away (`donate`).
"""

from collections.abc import Collection, Iterator, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xdsl_bufferization.bufferization.analyses.buffers.argument_accesses import (
    analyze_arguments,
)
from xdsl_bufferization.bufferization.analyses.buffers.value_arguments import (
    is_value_argument,
)
from xdsl_bufferization.bufferization.interfaces.deallocation import is_memref
from xdsl_bufferization.dialects.memref.sizes import count_bytes, estimate_bytes
from xdsl_bufferization.pipelines.signatures import public_functions

from .report import CallerCopy


def find_caller_copies(
    module: ModuleOp, donated: Collection[str | int] = ()
) -> dict[str, tuple[CallerCopy, ...]]:
    """By function of a bufferized program: the arguments that a call copies.

    Tensors among the arguments are marked. Those that are `donated`, by name or by
    position, are given away. Models must be attached.
    """
    functions = [
        function
        for function in public_functions(module)
        if any(is_value_argument(function, n) for n in range(len(function.args)))
    ]
    if not functions:
        return {}
    accesses = analyze_arguments(module)

    def copies(function: FuncOp) -> Iterator[CallerCopy]:
        for number, argument in enumerate(function.args):
            name = argument.name_hint or str(number)
            if (
                is_memref(argument)
                and is_value_argument(function, number)
                and accesses.of(function, number).writes
                and name not in donated
                and number not in donated
            ):
                size = count_bytes(argument.type)
                yield CallerCopy(f"%{name}", size, estimate_bytes(argument.type))

    return {each.sym_name.data: tuple(copies(each)) for each in functions}


def in_words(copies: Sequence[CallerCopy]) -> str:
    """What a call copies, in one line; there is at least one copy."""
    names = " and ".join(each.argument for each in copies)
    size = sum(each.bytes or 0 for each in copies)
    unknown = sum(each.bytes is None for each in copies)
    count, them = f"{len(copies)} copies", "them"
    if len(copies) == 1:
        count, them = "1 copy", "it"
    rest = f" and {unknown} of unknown size" if unknown else ""
    return (
        f"{count} for the caller, {size} bytes{rest}: {names}, which the function "
        f"overwrites; a caller that gives {them} away (donate) saves {them}"
    )
