"""One module of many programs, whose `main` makes calls and prints bits.

call of @f with [1.0, 2.0]   ->   %v1 = arith.constant dense<[0x3F800000, ...]>
                                  %v2 = func.call @p0_f(%v1)
                                  a loop that prints the elements of %v2 as words
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import ComplexType, MemRefType, TensorType
from xdsl.ir import Attribute
from xdsl.utils.hints import isa

from harness.oracles.recorded_calls import Call
from xdsl_bufferization.reference.values import Value, element_type, is_bf16

SCRIPT = """
  transform.named_sequence @__transform_main(%m: !transform.any_op) {
    %fs = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %fs {
      transform.apply_patterns.tensor.decompose_concat
    } : !transform.any_op
    %s = transform.structured.match ops{["linalg.softmax"]} in %m
      : (!transform.any_op) -> !transform.any_op
    %l = transform.structured.decompose_interface %s
      : (!transform.any_op) -> !transform.any_op
    %p = transform.structured.match ops{["linalg.pack"]} in %m
      : (!transform.any_op) -> !transform.op<"linalg.pack">
    %pad, %expanded, %moved = transform.structured.lower_pack %p
      : (!transform.op<"linalg.pack">) -> (!transform.op<"tensor.pad">,
        !transform.op<"tensor.expand_shape">, !transform.op<"linalg.transpose">)
    %u = transform.structured.match ops{["linalg.unpack"]} in %m
      : (!transform.any_op) -> !transform.op<"linalg.unpack">
    %e, %t, %c, %x = transform.structured.lower_unpack %u
      : (!transform.op<"linalg.unpack">) -> (!transform.op<"tensor.empty">,
        !transform.op<"linalg.transpose">, !transform.op<"tensor.collapse_shape">,
        !transform.op<"tensor.extract_slice">)
    transform.yield
  }
"""
"""How ops become others that bufferize: those that no pass of mlir-opt lowers."""


def literal(type_: Attribute, number: Any) -> str:
    """One element of a constant, to the last bit."""
    scalar = element_type(type_)
    name = str(scalar)
    if isa(scalar, ComplexType):
        part = {"complex<f32>": np.float32, "complex<f64>": np.float64}[name]
        parts = (part(number.real), part(number.imag))
        inner = scalar.element_type
        return f"({', '.join(literal(inner, np.asarray(each)) for each in parts)})"
    if name == "i1":
        return "true" if number else "false"
    if name[0] in "iu" or name == "index":
        return str(int(number))
    array = np.asarray(number)
    bits = int(array.view(f"u{array.itemsize}"))
    digits = 2 * array.itemsize
    if is_bf16(scalar):
        bits, digits = bits >> 16, 4
    return f"0x{bits:0{digits}X}"


def _dense(type_: Attribute, shape: Sequence[int], flat: Value) -> str:
    """A constant tensor of these elements."""
    element = element_type(type_)
    sizes = "".join(f"{size}x" for size in shape)
    if not flat.size:
        return f"arith.constant dense<> : tensor<{sizes}{element}>"
    texts = [literal(element, each) for each in flat]

    def nested(part: list[str], sizes: Sequence[int]) -> str:
        if not sizes:
            return part[0]
        step = len(part) // sizes[0]
        inner = (
            nested(part[at : at + step], sizes[1:]) for at in range(0, len(part), step)
        )
        return f"[{', '.join(inner)}]"

    return f"arith.constant dense<{nested(texts, shape)}> : tensor<{sizes}{element}>"


def _word(element: str) -> str:
    """Lines that make %w, a word of 64 bits, of %x."""
    if element == "i64":
        return "%z = arith.constant 0 : i64\n    %w = arith.addi %x, %z : i64"
    if element == "index":
        return "%w = arith.index_cast %x : index to i64"
    if element[0] == "i":
        return f"%w = arith.extui %x : {element} to i64"
    bits = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}[element]
    if bits == 64:
        return "%w = arith.bitcast %x : f64 to i64"
    return (
        f"%b = arith.bitcast %x : {element} to i{bits}\n"
        f"    %w = arith.extui %b : i{bits} to i64"
    )


def _print(element: str) -> str:
    """Lines that print the bits of %e."""
    if element.startswith("complex"):
        part = element[len("complex<") : -1]
        return "".join(
            f"""
    %p_{name} = complex.{name} %e : {element}
    func.call @show_{part}(%p_{name}) : ({part}) -> ()"""
            for name in ("re", "im")
        )
    return f"\n    func.call @show_{element}(%e) : ({element}) -> ()"


def _helpers(elements: set[str]) -> str:
    """Functions that print numbers and one-dimensional tensors."""
    parts = {each[8:-1] for each in elements if each.startswith("complex")}
    numbers = sorted({*elements, *parts})
    text = "".join(
        f"""
func.func private @show_{element}(%x: {element}) {{
    {_word(element)}
    vector.print %w : i64
    return
}}"""
        for element in numbers
        if not element.startswith("complex")
    )
    return text + "".join(
        f"""
func.func private @show_all_{_mangled(element)}(%t: tensor<?x{element}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %t, %c0 : tensor<?x{element}>
  scf.for %i = %c0 to %n step %c1 {{
    %e = tensor.extract %t[%i] : tensor<?x{element}>{_print(element)}
  }}
  return
}}"""
        for element in sorted(elements)
    )


def _mangled(element: str) -> str:
    return re.sub(r"\W", "_", element)


class _Main:
    """The body of `main`, while it is being written."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, str]] = []
        self.program = ""
        self.elements: set[str] = set()
        self.count = 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def add(self, text: str) -> str:
        """Add an op with one result, and return its name."""
        name = self.name()
        self.write(f"  {name} = {text}")
        return name

    def write(self, line: str) -> None:
        """Add a line, on behalf of the program that is called."""
        self.lines.append((self.program, line))

    def call(self, call: Call, function: str) -> None:
        """Make a call, and print what comes out."""
        self.program = call.program
        arguments: list[str] = []
        buffers: list[tuple[str, Value, Attribute]] = []
        for type_, array in zip(call.types, call.arguments, strict=True):
            if isa(type_, MemRefType):
                name, flat = self.buffer(type_, array)
                buffers.append((flat, array, type_))
            else:
                name = self.value(type_, array)
            arguments.append(name)
        results = [self.name() for _ in call.result_types]
        types = ", ".join(map(str, call.types))
        outputs = ", ".join(map(str, call.result_types))
        self.write(
            f"  {', '.join(results)}{' = ' if results else ''}func.call @{function}"
            f"({', '.join(arguments)}) : ({types}) -> ({outputs})"
        )
        for name, type_, value in zip(
            results, call.result_types, call.outputs, strict=False
        ):
            self.show(name, type_, value)
        for flat, array, type_ in buffers:
            self.show_memory(flat, array, type_)

    def value(self, type_: Attribute, array: Value) -> str:
        """An argument that is a tensor or a number."""
        if not isa(type_, TensorType):
            text = literal(type_, array)
            if str(type_).startswith("complex"):
                inner: Any = element_type(type_)
                parts = text.strip("()").split(", ")
                parts = [f"{part} : {inner.element_type}" for part in parts]
                return self.add(f"complex.constant [{', '.join(parts)}] : {type_}")
            suffix = "" if text in ("true", "false") else f" : {type_}"
            return self.add(f"arith.constant {text}{suffix}")
        shape = array.shape
        name = self.add(_dense(type_, shape, array.reshape(-1)))
        static = f"tensor<{''.join(f'{n}x' for n in shape)}{element_type(type_)}>"
        if static == str(type_):
            return name
        return self.add(f"tensor.cast {name} : {static} to {type_}")

    def buffer(self, type_: MemRefType[Any], array: Value) -> tuple[str, str]:
        """An argument that is a buffer, and the memory that the buffer is in."""
        first, strides, size = layout(array)
        element = type_.element_type
        flat = np.zeros(size, array.dtype)
        flat[positions(array).reshape(-1)] = array.reshape(-1)
        constant = self.add(_dense(type_, (size,), flat))
        memory = self.add(f"memref.alloc() : memref<{size}x{element}>")
        self.write(
            f"  bufferization.materialize_in_destination {constant} in restrict "
            f"writable {memory} : (tensor<{size}x{element}>, memref<{size}x{element}>)"
            " -> ()"
        )
        sizes = "".join(f"{n}x" for n in array.shape)
        numbers = [list(array.shape), list(strides)]
        offset = f", offset: {first}" if first else ""
        laid = f"memref<{sizes}{element}, strided<{numbers[1]}{offset}>>"
        name = self.add(
            f"memref.reinterpret_cast {memory} to offset: [{first}], sizes: "
            f"{numbers[0]}, strides: {numbers[1]} : memref<{size}x{element}> to {laid}"
        )
        if laid == str(type_):
            return name, memory
        return self.add(f"memref.cast {name} : {laid} to {type_}"), memory

    def show(self, name: str, type_: Attribute, value: Value) -> None:
        """Print a result."""
        element = str(element_type(type_))
        self.elements.add(element)
        if isa(type_, MemRefType):
            tensor = TensorType(type_.element_type, type_.get_shape())
            name = self.add(
                f"bufferization.to_tensor {name} restrict : {type_} to {tensor}"
            )
            type_ = tensor
        if not isa(type_, TensorType):
            name = self.add(f"tensor.from_elements {name} : tensor<1x{element}>")
            self.show_flat(name, f"tensor<1x{element}>", element)
            return
        sizes = "".join(f"{n}x" for n in value.shape)
        static = f"tensor<{sizes}{element}>"
        if static != str(type_):
            name = self.add(f"tensor.cast {name} : {type_} to {static}")
        flat = f"tensor<{value.size}x{element}>"
        groups = [[*range(value.ndim)]] if value.ndim else []
        if not value.ndim:
            name = self.add(
                f"tensor.expand_shape {name} [] output_shape [1] : {static} into {flat}"
            )
        elif value.ndim > 1:
            name = self.add(
                f"tensor.collapse_shape {name} {groups} : {static} into {flat}"
            )
        self.show_flat(name, flat, element)

    def show_flat(self, name: str, type_: str, element: str) -> None:
        cast = self.add(f"tensor.cast {name} : {type_} to tensor<?x{element}>")
        self.write(
            f"  func.call @show_all_{_mangled(element)}({cast}) "
            f": (tensor<?x{element}>) -> ()"
        )

    def show_memory(self, memory: str, array: Value, type_: Attribute) -> None:
        """Print all memory that a buffer is in."""
        element = str(element_type(type_))
        self.elements.add(element)
        _, _, size = layout(array)
        flat = f"tensor<{size}x{element}>"
        name = self.add(
            f"bufferization.to_tensor {memory} restrict "
            f": memref<{size}x{element}> to {flat}"
        )
        self.show_flat(name, flat, element)


def layout(array: Value) -> tuple[int, list[int], int]:
    """The first element, the strides, and how many elements the memory has."""
    strides = [stride // array.itemsize for stride in array.strides]
    steps = [(n - 1) * s for n, s in zip(array.shape, strides, strict=True)]
    first = -sum(min(step, 0) for step in steps)
    size = first + sum(max(step, 0) for step in steps) + 1
    return (first, strides, size) if array.size else (0, strides, 0)


def positions(array: Value) -> NDArray[np.int64]:
    """Where in this memory each element is."""
    first, strides, _ = layout(array)
    where = np.full(array.shape, first, np.int64)
    for axis, stride in enumerate(strides):
        steps = np.arange(array.shape[axis], dtype=np.int64) * stride
        where += steps.reshape([-1] + [1] * (array.ndim - axis - 1))
    return where


_ALIAS = re.compile(r"^\s*([#!]\w+) = .*$", re.MULTILINE)


def _renamed(text: str, prefix: str) -> str:
    """A program whose functions, globals and aliases have names of their own."""
    aliases = set(re.findall(r"^\s*([#!]\w+) =", text, re.MULTILINE))
    text = re.sub(r"@(\w+)", rf"@{prefix}_\1", text)
    for alias in aliases:
        text = re.sub(rf"{alias}\b", f"{alias[0]}{prefix}_{alias[1:]}", text)
    return text


SCRIPTED = ("linalg.pack", "linalg.softmax", "linalg.unpack", "tensor.concat")
"""Ops that only a script lowers."""


def module_of(calls: Sequence[Call]) -> tuple[str, list[str | None]]:
    """A module that makes these calls, and the program that each of its lines is of."""
    main, programs = _Main(), dict[str, str]()
    for call in calls:
        prefix = programs.setdefault(call.program, f"p{len(programs)}")
        main.call(call, f"{prefix}_{call.function}")
    lines: list[str] = []
    owners: list[str | None] = []

    def add(text: str, owner: str | None = None) -> None:
        for line in text.split("\n"):
            lines.append(line)
            owners.append(owner)

    renamed = {text: _renamed(text, prefix) for text, prefix in programs.items()}
    for program, text in renamed.items():
        for found in _ALIAS.finditer(text):
            add(found[0], program)
    scripted = any(op in program for op in SCRIPTED for program in programs)
    add(f"module {'attributes {transform.with_named_sequence} ' * scripted}{{")
    for program, text in renamed.items():
        add(_ALIAS.sub("", text), program)
    add(_helpers(main.elements))
    add("func.func @main() {")
    for program, line in main.lines:
        add(line, program)
    add("  return\n}" + SCRIPT * scripted + "\n}")
    return "\n".join(lines), owners


def outputs_of(call: Call, words: Iterator[int]) -> list[Value]:
    """What a call has printed, as arrays."""
    buffers = [
        array
        for type_, array in zip(call.types, call.arguments, strict=True)
        if isinstance(type_, MemRefType)
    ]
    results: list[Value] = []
    for at, (type_, value) in enumerate(
        zip(call.output_types, call.outputs, strict=True)
    ):
        number = at - len(call.result_types)
        if number < 0:
            results.append(_read(type_, value.shape, value.size, words))
            continue
        array = buffers[number]
        _, _, size = layout(array)
        flat = _read(type_, (size,), size, words)
        results.append(flat[positions(array)])
    return results


def _read(
    type_: Attribute, shape: Sequence[int], count: int, words: Iterator[int]
) -> Value:
    element = element_type(type_)
    name = str(element)
    parts = 2 if name.startswith("complex") else 1
    numbers = np.array([next(words) for _ in range(parts * count)], np.int64)
    if parts == 2:
        half = np.float32 if "f32" in name else np.float64
        reals = _numbers(name[8:-1], numbers).astype(half).reshape(-1, 2)
        return _pair(reals).reshape(shape)
    return _numbers(name, numbers).reshape(shape)


def _pair(reals: Value) -> Value:
    kind = np.complex64 if reals.dtype == np.float32 else np.complex128
    result = np.empty(len(reals), kind)
    result.real, result.imag = reals[:, 0], reals[:, 1]
    return result


def _numbers(name: str, words: Value) -> Value:
    if name == "index" or name == "i64":
        return words
    if name == "i1":
        return words != 0
    if name[0] == "i":
        width = int(name[1:])
        return (words << (64 - width)) >> (64 - width)
    if name == "bf16":
        return (words.astype(np.uint32) << 16).view(np.float32)
    bits = int(name[1:])
    return words.astype(f"u{bits // 8}").view(f"f{bits // 8}")
