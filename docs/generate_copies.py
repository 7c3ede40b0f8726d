"""Write the table of copies in `docs/conversion.md`, from programs that run.

    python docs/generate_copies.py

The programs are those of the talk of 2022 that introduced One-Shot Bufferize. Each is
bufferized in several ways, compiled, run on memory that counts, and compared with what
it means on tensors.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.builder import Builder
from xdsl.dialects import arith, memref, tensor
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    IndexType,
    ModuleOp,
    TensorType,
    VectorType,
)
from xdsl.dialects.func import FuncOp
from xdsl.dialects.vector import TransferReadOp, TransferWriteOp
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import PassPipeline
from xdsl.rewriter import InsertPoint
from xdsl.universe import Universe
from xdsl.utils.hints import isa

from xdsl_bufferization import parse
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.interfaces.operands import is_tensor
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.reference.evaluator import evaluate
from xdsl_bufferization.runtime.heap import CountingHeap

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs" / "conversion.md"
PROGRAMS = ROOT / "tests" / "data" / "talk"
START, END = "<!-- copies: begin -->\n", "<!-- copies: end -->\n"

CORE = (
    "arith-bufferize,vector-bufferize,tensor-bufferize,linalg-bufferize,"
    "scf-bufferize,func-bufferize,finalizing-bufferize"
)
WAYS: Mapping[str, str] = {
    "core": f"{CORE},buffer-deallocation-pipeline",
    "core, then `copy-removal`": (
        f"{CORE},buffer-deallocation{{strategy=copy}},copy-removal"
    ),
    "one-shot": (
        "one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline"
    ),
}

Argument = NDArray[np.float32] | np.float32 | int


def document() -> str:
    """The document with a new table."""
    text = DOCUMENT.read_text()
    before, rest = text.split(START)
    after = rest.split(END)[1]
    return f"{before}{START}{table()}{END}{after}"


def table() -> str:
    """The copies that each program executes, for each way to bufferize it."""
    header = ["program", *WAYS]
    rows = [header, ["---"] + ["---:"] * len(WAYS)]
    for path in programs():
        counts = [str(count_copies(path, way)) for way in WAYS.values()]
        rows.append([path.stem.replace("_", " "), *counts])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def programs() -> list[Path]:
    """The programs of the table, in its order."""
    return sorted(PROGRAMS.glob("*.mlir"))


def count_copies(path: Path, pipeline: str) -> int:
    """The copies that a program executes; it must be right, and free what it has."""
    expected = evaluate(_scalarized(parse(path)), "main", _arguments(parse(path)))
    module = parse(path)
    arguments = _arguments(module)
    passes = Universe.get_multiverse().all_passes
    PassPipeline.parse_spec(passes, pipeline).apply(get_context(), module)
    compiled = compile_module(
        _scalarized(module), count_copies=True, poison=True, opt_level=1
    )
    results: Any = compiled["main"](*arguments)
    if len(expected) == 1:
        results = [results]
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(np.asarray(result), value)
    assert isinstance(compiled.heap, CountingHeap)
    report = compiled.heap.report()
    wrong = report.live_bytes + report.double_frees + report.foreign_frees
    assert not wrong, f"{path.stem}: memory is not freed once, by {pipeline}"
    return report.copies


def _arguments(module: ModuleOp) -> list[Argument]:
    """Sizes come first and are 8; positions are 2, and conditions hold."""
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    return [
        _argument(number, type_)
        for number, type_ in enumerate(function.function_type.inputs)
    ]


def _argument(number: int, type_: Attribute) -> Argument:
    if isinstance(type_, TensorType):
        (size,) = (8 if size == DYNAMIC_INDEX else size for size in type_.get_shape())
        return (np.arange(size) + 100 * number).astype(np.float32)
    if isinstance(type_, IndexType):
        return 2 if number else 8
    return np.float32(-1) if "f" in str(type_) else 1


# --- vectors -------------------------------------------------------------------------


def _scalarized(module: ModuleOp) -> ModuleOp:
    """The program with each transfer of a vector as one of its elements each."""
    elements: dict[SSAValue, Sequence[SSAValue]] = {}
    for op in list(module.walk()):
        if isinstance(op, TransferReadOp):
            elements[op.result] = list(_read(op))
        elif isinstance(op, TransferWriteOp):
            _write(op, elements[op.vector])
    for op in reversed(list(module.walk())):
        if isinstance(op, TransferReadOp | TransferWriteOp):
            op.detach()
            op.erase()
    module.verify()
    return module


def _read(op: TransferReadOp) -> Iterator[SSAValue]:
    builder = Builder(InsertPoint.before(op))
    assert isa(op.result.type, VectorType)
    element = op.result.type.element_type
    for index in _indices(builder, op, op.result.type):
        if is_tensor(op.source):
            yield builder.insert(tensor.ExtractOp(op.source, [index], element)).result
        else:
            yield builder.insert(memref.LoadOp.get(op.source, [index])).res


def _write(op: TransferWriteOp, values: Sequence[SSAValue]) -> None:
    builder = Builder(InsertPoint.before(op))
    assert isa(op.vector.type, VectorType)
    target = op.source
    indices = _indices(builder, op, op.vector.type)
    for index, value in zip(indices, values, strict=True):
        if is_tensor(target):
            insert = tensor.InsertOp(value, target, [index])
            target = builder.insert(insert).result
        else:
            builder.insert(memref.StoreOp.get(value, target, [index]))
    if op.result is not None:
        op.result.replace_all_uses_with(target)


def _indices(
    builder: Builder, op: TransferReadOp | TransferWriteOp, type_: VectorType
) -> Iterator[SSAValue]:
    (size,), (start,) = type_.get_shape(), op.indices
    for number in range(size):
        offset = builder.insert(
            arith.ConstantOp.from_int_and_width(number, IndexType())
        )
        yield builder.insert(arith.AddiOp(start, offset)).result


if __name__ == "__main__":
    DOCUMENT.write_text(document())
