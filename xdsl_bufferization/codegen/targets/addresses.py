"""How C calls functions that take buffers as addresses: what xDSL's back end emits.

    float *f(float *x, float y);                      the function itself
    static inline void _mlir_ciface_f(                the same for MLIR's descriptors
        MemRef2D_f32 *result, MemRef2D_f32 *x, float y) { ... }

So C code written for the code that LLVM generates goes with this, too.
"""

from collections.abc import Iterator
from math import prod

from xdsl_bufferization.support import abi

from .header import C_TYPES, CFunction, parameters_of, struct_name


def prototypes(function: CFunction, signature: abi.FunctionSignature) -> list[str]:
    """C declarations of a function on addresses, and of its wrapper."""
    types = [_address_type(each) for each in signature.arguments]
    lines: list[str] = []
    match signature.results:
        case []:
            returned = "void "
        case [single]:
            returned = _address_type(single)
        case several:
            # Two are returned in two registers, as a struct of two words is.
            fields = [
                f"  {_register_type(each)} r{index};"
                for index, each in enumerate(several)
            ]
            returned = f"{signature.name}_registers"
            lines += ["typedef struct {", *fields, f"}} {returned};"]
            returned += " "
    names = [name for _, name in function.arguments]
    pairs = zip(types, names, strict=True)
    parameters = ", ".join(f"{type_}{name}" for type_, name in pairs) or "void"
    lines.append(f"{returned}{signature.name}({parameters});")
    # A program may include headers without calling all functions.
    lines.append("__attribute__((unused))")
    head = f"static {function.result} {function.name}({parameters_of(function)}) {{"
    return [*lines, head, *_body(function, signature, returned), "}"]


def _body(
    function: CFunction, signature: abi.FunctionSignature, returned: str
) -> Iterator[str]:
    passed = [
        f"{name}->aligned + {name}->offset"
        if isinstance(each, abi.MemRefSignature)
        else name
        for each, (_, name) in zip(signature.arguments, function.arguments, strict=True)
    ]
    call = f"{signature.name}({', '.join(passed)})"
    if function.results is None:
        yield f"  {'' if function.result == 'void' else 'return '}{call};"
        return
    yield f"  {returned}xbuf_returned = {call};"
    is_one = len(signature.results) == 1
    for index, each in enumerate(signature.results):
        target = "*result" if is_one else f"result->r{index}"
        value = "xbuf_returned" if is_one else f"xbuf_returned.r{index}"
        if isinstance(each, abi.MemRefSignature):
            address = f"({_address_type(each)}){value}"
            fields = _descriptor(each, address)
            value = f"xbuf_buffer{index}"
            yield f"  {struct_name(each)} {value} = {{{fields}}};"
        yield f"  {target} = {value};"


def _descriptor(memref: abi.MemRefSignature, address: str) -> str:
    """The fields of the descriptor of a contiguous buffer."""
    sizes = [size or 0 for size in memref.shape]
    strides = [prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    extents = [f"{{{', '.join(map(str, each))}}}" for each in (sizes, strides) if each]
    return ", ".join([address, address, "0", *extents])


def _address_type(value: abi.ValueSignature) -> str:
    pointer = "*" if isinstance(value, abi.MemRefSignature) else ""
    return f"{C_TYPES[value.element]} {pointer}"


def _register_type(value: abi.ValueSignature) -> str:
    """The C type of a value in a struct of two; GCC gives a pointer no own register."""
    is_float = isinstance(value, abi.ScalarSignature) and value.element in _FLOATS
    return C_TYPES[value.element] if is_float else "intptr_t"


_FLOATS = ("f32", "f64")
