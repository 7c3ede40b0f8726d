"""What the proofs of decisions and of deallocations cost, and how that grows.

    python benchmarks/proofs.py [--only TEXT] [--sizes 5000,50000]

Prints a row for each program:

- the microseconds of processor time for each op, at each size in ops;
- the ratio of the last to the first: 1 is linear;
- what is left undecided.

Each program is freed by `buffer-deallocation-pipeline` and in two other ways, or its
copies are explicit, before the clock starts. Each size runs in a process of its own,
without Python's garbage collector. The fastest of three runs counts; of one run if that
takes long.
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from measuring import describe_machine, in_new_process
from xdsl.dialects.builtin import ModuleOp

from xdsl_bufferization.bufferization.analyses.bufferization_proof.prove import prove
from xdsl_bufferization.bufferization.analyses.deallocation_proof.functions import (
    prove_deallocation,
)
from xdsl_bufferization.bufferization.bufferize.tensor_copy_insertion import (
    insert_tensor_copies,
)
from xdsl_bufferization.bufferization.bufferize.verified_analysis import (
    analyze_and_verify,
)
from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.bufferization.deallocation.deallocate import deallocate
from xdsl_bufferization.bufferization.deallocation.deallocation_with_clones import (
    deallocate_with_clones,
)
from xdsl_bufferization.bufferization.deallocation.ownership_based_buffer_deallocation import (  # noqa: E501 (the file has the name of its pass)
    deallocate_by_ownership,
)
from xdsl_bufferization.bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.bufferization.models import attach_all
from xdsl_bufferization.dialects.parsing import MLIRParser
from xdsl_bufferization.support.traversal import ops_inside

_LONG = 5.0
"""Seconds after which there is no second run."""

_BUFFERS = """
func.func private @choose() -> i1
func.func private @make(memref<8xf32>) -> memref<8xf32>
func.func @main(%m: memref<8xf32>, %n: index, %low: index, %step: index) {
  %v0 = memref.alloc() : memref<8xf32>
"""

_TENSORS = """
func.func @main(%v0: tensor<8xf32>, %x: f32, %n: index, %c: i1) -> tensor<8xf32> {
  %low = arith.constant 0 : index
  %step = arith.constant 1 : index
"""

_ON_BUFFERS = {
    "chain": """
  %v{next} = memref.alloc() : memref<8xf32>
  memref.copy %v{now}, %v{next} : memref<8xf32> to memref<8xf32>""",
    "scf.if, which may replace": """
  %c{now} = func.call @choose() : () -> i1
  %v{next} = scf.if %c{now} -> memref<8xf32> {{
    %a{now} = memref.alloc() : memref<8xf32>
    scf.yield %a{now} : memref<8xf32>
  }} else {{
    scf.yield %v{now} : memref<8xf32>
  }}""",
    "arith.select": """
  %a{now} = memref.alloc() : memref<8xf32>
  %c{now} = func.call @choose() : () -> i1
  %v{next} = arith.select %c{now}, %a{now}, %v{now} : memref<8xf32>""",
    "scf.for, which may replace": """
  %v{next} = scf.for %i{now} = %low to %n step %step iter_args(%x{now} = %v{now})
      -> memref<8xf32> {{
    %c{now} = func.call @choose() : () -> i1
    %y{now} = scf.if %c{now} -> memref<8xf32> {{
      %a{now} = memref.alloc() : memref<8xf32>
      scf.yield %a{now} : memref<8xf32>
    }} else {{
      scf.yield %x{now} : memref<8xf32>
    }}
    scf.yield %y{now} : memref<8xf32>
  }}""",
    "scf.for, three in each other": """
  %v{next} = scf.for %i{now} = %low to %n step %step iter_args(%x{now} = %v{now})
      -> memref<8xf32> {{
    %u{now} = scf.for %j{now} = %low to %n step %step iter_args(%y{now} = %x{now})
        -> memref<8xf32> {{
      %t{now} = scf.for %k{now} = %low to %n step %step iter_args(%z{now} = %y{now})
          -> memref<8xf32> {{
        %c{now} = func.call @choose() : () -> i1
        %s{now} = scf.if %c{now} -> memref<8xf32> {{
          %a{now} = memref.alloc() : memref<8xf32>
          scf.yield %a{now} : memref<8xf32>
        }} else {{
          scf.yield %z{now} : memref<8xf32>
        }}
        scf.yield %s{now} : memref<8xf32>
      }}
      scf.yield %t{now} : memref<8xf32>
    }}
    scf.yield %u{now} : memref<8xf32>
  }}""",
    "scf.while, which may replace": """
  %v{next} = scf.while (%x{now} = %v{now}) : (memref<8xf32>) -> memref<8xf32> {{
    %c{now} = func.call @choose() : () -> i1
    scf.condition(%c{now}) %x{now} : memref<8xf32>
  }} do {{
  ^bb0(%y{now}: memref<8xf32>):
    %d{now} = func.call @choose() : () -> i1
    %z{now} = scf.if %d{now} -> memref<8xf32> {{
      %a{now} = memref.alloc() : memref<8xf32>
      scf.yield %a{now} : memref<8xf32>
    }} else {{
      scf.yield %y{now} : memref<8xf32>
    }}
    scf.yield %z{now} : memref<8xf32>
  }}""",
    "diamonds of blocks": """
  %c{now} = func.call @choose() : () -> i1
  cf.cond_br %c{now}, ^then{now}, ^join{now}(%v{now} : memref<8xf32>)
^then{now}:
  %a{now} = memref.alloc() : memref<8xf32>
  cf.br ^join{now}(%a{now} : memref<8xf32>)
^join{now}(%v{next}: memref<8xf32>):""",
    "loops of blocks, which may replace": """
  cf.br ^head{now}(%v{now} : memref<8xf32>)
^head{now}(%x{now}: memref<8xf32>):
  %c{now} = func.call @choose() : () -> i1
  cf.cond_br %c{now}, ^then{now}, ^join{now}(%x{now} : memref<8xf32>)
^then{now}:
  %a{now} = memref.alloc() : memref<8xf32>
  cf.br ^join{now}(%a{now} : memref<8xf32>)
^join{now}(%y{now}: memref<8xf32>):
  %d{now} = func.call @choose() : () -> i1
  cf.cond_br %d{now}, ^head{now}(%y{now} : memref<8xf32>),
    ^out{now}(%y{now} : memref<8xf32>)
^out{now}(%v{next}: memref<8xf32>):""",
    "loops of blocks, left at two places": """
  cf.br ^head{now}(%v{now} : memref<8xf32>)
^head{now}(%x{now}: memref<8xf32>):
  %a{now} = memref.alloc() : memref<8xf32>
  %c{now} = func.call @choose() : () -> i1
  cf.cond_br %c{now}, ^middle{now}, ^out{now}(%x{now} : memref<8xf32>)
^middle{now}:
  memref.copy %a{now}, %m : memref<8xf32> to memref<8xf32>
  %d{now} = func.call @choose() : () -> i1
  cf.cond_br %d{now}, ^head{now}(%a{now} : memref<8xf32>),
    ^out{now}(%a{now} : memref<8xf32>)
^out{now}(%v{next}: memref<8xf32>):""",
    "calls": """
  %v{next} = func.call @make(%v{now}) : (memref<8xf32>) -> memref<8xf32>""",
}

_FUNCTIONS = """
func.func @f{now}(%c: i1, %m: memref<8xf32>) -> memref<8xf32> {{
  %a = memref.alloc() : memref<8xf32>
  %x = scf.if %c -> memref<8xf32> {{
    %n = func.call @f{next}(%c, %m) : (i1, memref<8xf32>) -> memref<8xf32>
    scf.yield %n : memref<8xf32>
  }} else {{
    scf.yield %a : memref<8xf32>
  }}
  return %x : memref<8xf32>
}}"""

_LAST_FUNCTION = """
func.func private @f{last}(i1, memref<8xf32>) -> memref<8xf32>"""

_ON_TENSORS = {
    "chain": "\n  %v{next} = tensor.insert %x into %v{now}[%low] : tensor<8xf32>",
    "slices": """
  %s{now} = tensor.extract_slice %v{now}[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %f{now} = linalg.fill ins(%x : f32) outs(%s{now} : tensor<4xf32>) -> tensor<4xf32>
  %v{next} = tensor.insert_slice %f{now} into %v{now}[0] [4] [1]
      : tensor<4xf32> into tensor<8xf32>""",
    "scf.for": """
  %v{next} = scf.for %i{now} = %low to %n step %step iter_args(%x{now} = %v{now})
      -> (tensor<8xf32>) {{
    %y{now} = tensor.insert %x into %x{now}[%i{now}] : tensor<8xf32>
    scf.yield %y{now} : tensor<8xf32>
  }}""",
    "scf.if, which may replace": """
  %v{next} = scf.if %c -> tensor<8xf32> {{
    %y{now} = tensor.insert %x into %v{now}[%low] : tensor<8xf32>
    scf.yield %y{now} : tensor<8xf32>
  }} else {{
    %new{now} = tensor.splat %x : tensor<8xf32>
    scf.yield %new{now} : tensor<8xf32>
  }}""",
    "diamonds of blocks": """
  cf.cond_br %c, ^then{now}, ^else{now}
^then{now}:
  %y{now} = tensor.insert %x into %v{now}[%low] : tensor<8xf32>
  cf.br ^join{now}(%y{now} : tensor<8xf32>)
^else{now}:
  cf.br ^join{now}(%v{now} : tensor<8xf32>)
^join{now}(%v{next}: tensor<8xf32>):""",
}


@dataclass(frozen=True)
class Row:
    """A program of steps that repeat, and the proof that is measured on it."""

    name: str
    head: str
    step: str
    end: str
    before: Callable[[ModuleOp], object]
    proof: Callable[[ModuleOp], object]

    def build(self, ops: int) -> ModuleOp:
        """A program of about so many ops, which is ready for the proof."""
        few, more = (len(ops_inside(self._build(count))) for count in (8, 16))
        return self._build(max(1, ops * 8 // (more - few)))

    def _build(self, count: int) -> ModuleOp:
        steps = (self.step.format(now=n, next=n + 1) for n in range(count))
        text = self.head + "".join(steps) + self.end.format(last=count)
        module = MLIRParser(get_context(), text).parse_module()
        self.before(module)
        return module


def _make_copies_explicit(module: ModuleOp) -> None:
    options = BufferizationOptions(bufferize_function_boundaries=True)
    insert_tensor_copies(module, analyze_and_verify(module, options))


_END_OF_BUFFERS = """
  memref.copy %v{last}, %m : memref<8xf32> to memref<8xf32>
  return
}}
"""
_END_OF_TENSORS = "\n  return %v{last} : tensor<8xf32>\n}}\n"

_FREED_BY: dict[str, Callable[[ModuleOp], object]] = {
    "": deallocate,
    ", by bufferization.dealloc": deallocate_by_ownership,
    ", with clones": deallocate_with_clones,
}

_DEALLOCATIONS = {
    **{name: (_BUFFERS, step, _END_OF_BUFFERS) for name, step in _ON_BUFFERS.items()},
    "functions that call each other": ("", _FUNCTIONS, _LAST_FUNCTION),
}

ROWS = (
    *(
        Row(f"deallocation: {name}{how}", *parts, free, prove_deallocation)
        for how, free in _FREED_BY.items()
        for name, parts in _DEALLOCATIONS.items()
    ),
    *(
        Row(
            f"bufferization: {name}",
            _TENSORS,
            step,
            _END_OF_TENSORS,
            _make_copies_explicit,
            prove,
        )
        for name, step in _ON_TENSORS.items()
    ),
)


class Measured(NamedTuple):
    """What a proof cost."""

    microseconds: float
    """Of an op."""

    undecided: int


def measure(number: int, ops: int) -> Measured:
    """Measure a row, given by its number, at a size."""
    attach_all()
    row = ROWS[number]
    module = row.build(ops)
    count = len(ops_inside(module))
    gc.collect()
    gc.disable()
    best, undecided = float("inf"), 0
    for _ in range(3):
        started = time.process_time()
        found = row.proof(module)
        seconds = time.process_time() - started
        best = min(best, seconds)
        undecided = len(getattr(found, "undecided", ()))
        if seconds > _LONG:
            break
    return Measured(best / count * 1e6, undecided)


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--only", default="", help="programs whose name has this text")
    parser.add_argument("--sizes", default="5000,50000", help="in ops")
    args = parser.parse_args()
    sizes = [int(size) for size in args.sizes.split(",")]
    print(describe_machine())
    print(f"{'':65}", *(f"{size:>8}" for size in sizes), "   ratio  undecided")
    for number, row in enumerate(ROWS):
        if args.only in row.name:
            found = [in_new_process(measure, number, size) for size in sizes]
            costs = [f"{each.microseconds:8.0f}" for each in found]
            ratio = found[-1].microseconds / found[0].microseconds
            undecided = found[-1].undecided
            print(f"{row.name:65}", *costs, f"{ratio:8.2f}", f"{undecided:10}")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
