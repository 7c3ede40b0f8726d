"""A small program for each pass, and what the pass makes of it.

    func.func @f(...) { ... }      before: a function of the corpus, or a file
    func.func @f(...) { ... }      after: what the pass made of it just now

The programs are functions of `tests/filecheck/transforms/<pass>/`: the one that is in
`CHOSEN`, or else the shortest that the pass changes. Where the corpus has none that
shows the point, `docs/examples/<pass>.mlir` has; its first line says what to run.
"""

import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.passes import PassPipeline
from xdsl.universe import Universe
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.printing import MLIRPrinter
from xdsl_bufferization.tools.common.diagnostics import describe

ROOT = Path(__file__).parents[1]
CORPUS = ROOT / "tests" / "filecheck" / "transforms"
PROGRAMS = ROOT / "docs" / "examples"

PLACE = "program"
"""Where a message says that a program is."""


@dataclass(frozen=True)
class Chosen:
    """A function of the corpus, and what to run on it."""

    file: str
    """Below `tests/filecheck/transforms`, without `.mlir`."""

    function: str
    pipeline: str = ""
    """Empty for the pass without options."""


CHOSEN = {
    "arith-bufferize": Chosen("arith-bufferize/ops", "select"),
    "buffer-deallocation": Chosen(
        "buffer-deallocation/clone-function-boundaries",
        "one_of_two",
        "buffer-deallocation{strategy=clone}",
    ),
    "buffer-deallocation-pipeline": Chosen(
        "buffer-deallocation-pipeline/pipeline", "loop"
    ),
    "buffer-deallocation-simplification": Chosen(
        "buffer-deallocation-simplification/simplify", "split"
    ),
    "buffer-results-to-out-params": Chosen(
        "buffer-results-to-out-params/copies", "results"
    ),
    "buffer-reuse": Chosen("buffer-reuse/reuse", "takes_over"),
    "bufferization-bufferize": Chosen("bufferization-bufferize/ops", "alloc_tensor"),
    "bufferization-lower-deallocations": Chosen(
        "lower-deallocations/lower", "retained"
    ),
    "bufferize": Chosen("bufferize/bufferize", "two_products"),
    "bufferize-function-signatures": Chosen(
        "bufferize-function-signatures/returns_and_calls",
        "caller",
        "bufferize-function-signatures{result-conversion=append copy=linalg}",
    ),
    "combine-xsmm-op-optimization": Chosen(
        "combine-xsmm-op-optimization/fused", "row_and_relu"
    ),
    "constant-fold-pack": Chosen("constant-fold-pack/fold", "elements"),
    "convert-bufferization-to-memref": Chosen(
        "convert-bufferization-to-memref/clone", "static"
    ),
    "convert-elementwise-to-linalg": Chosen(
        "convert-elementwise-to-linalg/ops", "relu"
    ),
    "convert-linalg-to-xsmm": Chosen("convert-linalg-to-xsmm/products", "matmul"),
    "convert-xsmm-to-func": Chosen("convert-xsmm-to-func/calls", "zero"),
    "copy-removal": Chosen("copy-removal/reuse-source", "read_in_between"),
    "drop-deallocations": Chosen("drop-deallocations/drop", "by_hand"),
    "drop-equivalent-buffer-results": Chosen(
        "drop-equivalent-buffer-results/private_functions", "outer"
    ),
    "duplicate-fill": Chosen("duplicate-fill/fills", "two_products"),
    "eliminate-empty-tensors": Chosen(
        "eliminate-empty-tensors/chains", "through_casts"
    ),
    "expand-realloc": Chosen("expand-realloc/expand", "grow"),
    "finalizing-bufferize": Chosen("finalizing-bufferize/pairs", "same_type"),
    "fold-into-eltwise": Chosen("fold-into-eltwise/fold", "broadcast"),
    "fold-xsmm-flags": Chosen("fold-xsmm-flags/folded", "brgemm"),
    "linalg-bufferize": Chosen("linalg-bufferize/ops", "matmul"),
    "lower-deallocations": Chosen("lower-deallocations/lower", "retained"),
    "lower-packs-unpacks": Chosen("lower-packs-unpacks/full-tiles", "pack"),
    "optimize-allocation-liveness": Chosen(
        "optimize-allocation-liveness/straight-line", "after_the_last_use"
    ),
    "ownership-based-buffer-deallocation": Chosen(
        "ownership-based-buffer-deallocation/function-boundaries", "returns_choice"
    ),
    "pack-conv2DNhwcHwcf": Chosen("pack-conv2DNhwcHwcf/pack", "strided"),
    "pack-matmul": Chosen("pack-matmul/pack", "matmul"),
    "pack-vnni": Chosen("pack-vnni/pack", "batch_reduce_matmul"),
    "promote-buffers-to-stack": Chosen("promote-buffers-to-stack/promote", "sizes"),
    "propagate-pack-and-unpack": Chosen("propagate-pack-and-unpack/down", "named"),
    "rewrite-conv-to-matmul-or-brgemm": Chosen(
        "rewrite-conv-to-matmul-or-brgemm/convs", "pointwise"
    ),
    "simplify-pack": Chosen("simplify-pack/simplify", "there_and_back"),
    "stablehlo-legalize-to-linalg": Chosen(
        "stablehlo-legalize-to-linalg/reductions", "sum"
    ),
    "stablehlo-refine-shapes": Chosen(
        "stablehlo-refine-shapes/sizes",
        "rows",
        'stablehlo-refine-shapes{types="tensor<3x4xf32>"}',
    ),
    "static-memory-planner": Chosen("static-memory-planner/allocate", "share"),
    "tensor-bufferize": Chosen("tensor-bufferize/ops", "insert"),
    "tensor-copy-insertion": Chosen(
        "tensor-copy-insertion/decisions", "the_first_of_two_writes"
    ),
    "tile-consumer-and-fuse-producers": Chosen(
        "tile-consumer-and-fuse-producers/given_sizes",
        "partial",
        "tile-consumer-and-fuse-producers{tile-sizes=16,32}",
    ),
    "tm-tensor-to-loops": Chosen(
        "tm-tensor-to-loops/ops", "scan", "tm-tensor-to-loops,canonicalize,cse"
    ),
    "view-packed-inputs": Chosen(
        "view-packed-inputs/view-packed-inputs", "left_factor"
    ),
}
"""Functions that show more than the shortest one does, or save looking for it."""


@dataclass(frozen=True)
class Example:
    """A program, what was run on it, and what came out."""

    pipeline: str
    before: str
    after: str
    """Empty where the pass stopped, or changed nothing."""

    remarks: str
    """What the pass said: on the standard error output, or as an error."""


def find_example(name: str) -> Example | None:
    """The example of pass `name`; None if there is no program that shows anything."""
    program = PROGRAMS / f"{name}.mlir"
    if program.exists():
        first, text = program.read_text().split("\n", 1)
        pipeline = first.removeprefix("// xdsl-opt -p ").strip("'")
        return run(pipeline, parse(text), text.strip("\n"))
    if name in CHOSEN:
        return _run_chosen(name, CHOSEN[name])
    return _shortest(name)


def _run_chosen(name: str, chosen: Chosen) -> Example:
    text = (CORPUS / f"{chosen.file}.mlir").read_text()
    for module in _modules(text):
        if chosen.function in _symbols(module):
            only = extract(module, chosen.function)
            return run(chosen.pipeline or name, only)
    raise ValueError(f"{chosen.file}.mlir has no @{chosen.function}: see CHOSEN")


def _shortest(name: str) -> Example | None:
    examples = [
        example
        for example in _examples_of_corpus(name)
        if example.after and example.after != example.before
    ]
    return min(examples, key=_lines, default=None)


def _lines(example: Example) -> int:
    return f"{example.before}\n{example.after}".count("\n")


def _examples_of_corpus(name: str) -> Iterator[Example]:
    for file in sorted((CORPUS / name).glob("*.mlir")):
        text = file.read_text()
        pipelines = list(dict.fromkeys(_pipelines(text, name)))
        for module in _modules(text) if pipelines else ():
            for symbol, op in _symbols(module).items():
                if not isinstance(op, FuncOp) or op.is_declaration:
                    continue
                for before, pipeline in pipelines:
                    program = extract(module, symbol)
                    if _prepare(before, program):
                        yield run(pipeline, program)


def _prepare(pipeline: str, module: ModuleOp) -> bool:
    """Run the passes that come before; whether they got through."""
    try:
        with redirect_stderr(StringIO()):
            _passes(pipeline).apply(_context(), module)
    except DiagnosticException:
        return False
    return True


def _passes(pipeline: str) -> PassPipeline:
    return PassPipeline.parse_spec(_universe().all_passes, pipeline)


# Both ask the system for entry points, which takes longer than to run a pass.
@cache
def _universe() -> Universe:
    return Universe.get_multiverse()


@cache
def _context() -> Context:
    ctx = get_context()
    ctx.allow_unregistered = True
    return ctx


_RUN = re.compile(r"""// RUN: .*-p (?:'([^']*)'|"([^"]*)"|((?:\\.|\S)+))""")


def _pipelines(text: str, name: str) -> Iterator[tuple[str, str]]:
    """What a file of the corpus runs that ends with pass `name`, in two parts."""
    last = re.compile(rf"(?:(.*),)?({re.escape(name)}(?:\{{[^}}]*\}})?)")
    for found in _RUN.finditer(text):
        quoted, doubly_quoted, bare = found.groups()
        pipeline = quoted or doubly_quoted or bare.replace("\\", "")
        if (parts := last.fullmatch(pipeline)) is not None:
            yield parts[1] or "", parts[2]


def _modules(text: str) -> Iterator[ModuleOp]:
    """The valid programs of a file; some are there to be refused."""
    for case in re.split(r"^// -----.*$", text, flags=re.MULTILINE):
        try:
            yield parse(case)
        except (ParseError, VerifyException):
            continue


def parse(text: str) -> ModuleOp:
    """A program, which may have operations that nobody knows."""
    module = Parser(_context(), text).parse_module()
    module.verify()
    return module


def _symbols(module: ModuleOp) -> dict[str, Operation]:
    names = ((op.get_attr_or_prop("sym_name"), op) for op in module.ops)
    return {name.data: op for name, op in names if isinstance(name, StringAttr)}


def extract(module: ModuleOp, symbol: str) -> ModuleOp:
    """A copy of what is called `symbol`, and of everything that it refers to."""
    symbols = _symbols(module)
    needed = [symbol]
    for name in needed:
        for reference in _references(symbols[name]):
            if reference in symbols and reference not in needed:
                needed.append(reference)
    return ModuleOp([op.clone() for name, op in symbols.items() if name in needed])


def _references(op: Operation) -> Iterator[str]:
    for each in op.walk():
        for attribute in (*each.properties.values(), *each.attributes.values()):
            if isinstance(attribute, SymbolRefAttr):
                yield attribute.root_reference.data


def run(pipeline: str, module: ModuleOp, text: str = "") -> Example:
    """Run passes on a program, which changes it; `text` is how it is to be shown."""
    before = print_program(module)
    passes = _passes(pipeline)
    said = StringIO()
    after = ""
    try:
        with redirect_stderr(said):
            passes.apply(_context(), module)
        module.verify()
        after = print_program(module)
    except DiagnosticException as error:
        said.write(_message(error))
    return Example(
        pipeline,
        text or before,
        after if after != before else "",
        said.getvalue().strip(),
    )


def _message(error: DiagnosticException) -> str:
    message = describe(error, PLACE) or ""
    return message.removeprefix(f"{PLACE}: ")


def print_program(module: ModuleOp) -> str:
    """What is in the module, without the module around it."""
    output = StringIO()
    printer = MLIRPrinter(output)
    for op in module.ops:
        printer.print_op(op)
        output.write("\n")
    return output.getvalue().strip("\n")
