"""How many copies a call executes: with mlir-opt 22, and without and with our passes.

    PYTHONPATH=tests/pytest python -m harness.volume.copies_left [FILE.mlir ...]

Without files: the networks of `tests/torch_models` and the programs of
`tests/data/programs`. A row for each of them says how many copies there are, and of how
many bytes. Arguments are those of the file `NAME.npz` beside the program, or random.
Below the row, a line tells of each variant that allocates more, or has a higher peak,
than one on its left.
"""

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from harness.oracles.decisions import parse
from harness.oracles.mlir_buffers import bufferized_by_mlir_opt
from xdsl_bufferization.bufferization.bufferize.value_arguments import (
    mark_value_arguments,
)
from xdsl_bufferization.bufferization.fewer_copies.move_reads_before_writes import (
    MoveReadsBeforeWritesPass,
)
from xdsl_bufferization.bufferization.fewer_copies.rematerialize_cheap_tensors import (
    RematerializeCheapTensorsPass,
)
from xdsl_bufferization.frontends.default_pipelines import default_passes
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.runtime.heap import CountingHeap, HeapReport
from xdsl_bufferization.tools.common.program import (
    entry_of,
    keep_buffers_public,
    run_passes,
)
from xdsl_bufferization.tools.run.call import Call

TESTS = Path(__file__).parents[3]

ENTRIES = {
    "conv_layer": "classify",
    "gradient": "train",
    "sparse_gather": "sparse",
    "tiled_product": "tiled",
}
"""The function to run, where it is not named after the file."""

NOT_ON_TENSORS = ("bufferized_ops", "buffers", "sorting", "stencil", "vectors")

MLIR_OPT_PASSES = (
    "--one-shot-bufferize=bufferize-function-boundaries=true "
    "function-boundary-type-conversion=identity-layout-map "
    "allow-return-allocs-from-loops=true",
    "--buffer-deallocation-pipeline",
)


def _by(passes: Sequence[ModulePass]) -> Callable[[Path], ModuleOp]:
    def bufferize(file: Path) -> ModuleOp:
        module = parse(file.read_text())
        mark_value_arguments(module, finds_results_in_arguments=True)
        run_passes(module, list(passes))
        return module

    return bufferize


_PLAIN = default_passes(optimize=False)
_FEWER = MoveReadsBeforeWritesPass, RematerializeCheapTensorsPass

VARIANTS: dict[str, Callable[[Path], ModuleOp]] = {
    "mlir-opt 22": partial(bufferized_by_mlir_opt, MLIR_OPT_PASSES),
    "ours before": _by([each for each in _PLAIN if not isinstance(each, _FEWER)]),
    "ours now": _by(_PLAIN),
    "with kernels now": _by(default_passes()),
}


def count(file: Path, entry: str | None, variant: str) -> HeapReport:
    """What one call of a program costs, bufferized in one of `VARIANTS`."""
    numbers = file.with_suffix(".npz")
    function = entry_of(parse(file.read_text()), str(file), entry)
    inputs = str(numbers) if numbers.exists() else None
    call = Call.of(function, str(file), inputs=inputs, seed=0)
    module = VARIANTS[variant](file)
    keep_buffers_public(module, call.function)
    compiled = compile_module(module, count_copies=True, poison=True, opt_level=1)
    call.make(compiled, call.prepare())
    assert isinstance(compiled.heap, CountingHeap)
    return compiled.heap.report()


def describe(file: Path, entry: str | None) -> Iterator[str]:
    """The row of a program, and what costs more than what is on its left."""
    reports: dict[str, HeapReport] = {}
    cells: list[str] = []
    for variant in VARIANTS:
        try:
            report = reports[variant] = count(file, entry, variant)
        except subprocess.CalledProcessError:
            cells.append("refused")
            continue
        size = f", {report.copied_bytes:,} bytes" if report.copies else ""
        cells.append(f"{report.copies:,}{size}")
    yield f"| `{file.stem}` | {' | '.join(cells)} |"
    names = list(reports)
    for number, name in enumerate(names):
        for other in names[:number]:
            for what in ("allocs", "peak_bytes"):
                mine, theirs = (getattr(reports[n], what) for n in (name, other))
                if mine > theirs:
                    yield f"{name} has {what} {mine:,}, {other} {theirs:,}"


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path)
    files: list[Path] = parser.parse_args().files
    if not files:
        files = sorted((TESTS / "torch_models").glob("*.mlir"))
        programs = sorted((TESTS / "data" / "programs").glob("*.mlir"))
        files += [each for each in programs if each.stem not in NOT_ON_TENSORS]
    for file in files:
        is_program = file.parent.name == "programs"
        entry = ENTRIES.get(file.stem, file.stem) if is_program else None
        sys.stdout.writelines(f"{line}\n" for line in describe(file, entry))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
