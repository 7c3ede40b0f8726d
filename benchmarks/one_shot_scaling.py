"""How the cost of One-Shot Analysis grows, beside mlir-opt on the same programs.

    python benchmarks/one_shot_scaling.py [--sizes 256,1024,4096] [--only NAME]
        [--peer mlir-opt-22] [--peer-limit SECONDS]

Prints a row per program and size: seconds of our analysis, seconds of mlir-opt's
one-shot-bufferize with `test-analysis-only` where it stays below the limit, their
ratio, and the exponent of growth since the size before.
"""

import argparse
import math
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from cfg_programs import PROGRAMS as CFG_PROGRAMS

from xdsl_bufferization.analyses.one_shot import analyze
from xdsl_bufferization.context import get_context
from xdsl_bufferization.interfaces.options import BufferizationOptions
from xdsl_bufferization.parsing import parse_module

T = "tensor<?xf32>"


def _function(body: list[str], result: str, type_: str = T) -> str:
    lines = "\n".join(f"  {line}" for line in body)
    return f"""func.func @f(%t0: {T}, %s: tensor<4xf32>, %f: f32, %c: i1, %i: index,
                 %lb: index, %ub: index, %st: index) -> {type_} {{
{lines}
  return {result} : {type_}
}}
"""


def insert_chain(n: int) -> str:
    """tensor.insert n times into one tensor."""
    body = [f"%t{k + 1} = tensor.insert %f into %t{k}[%i] : {T}" for k in range(n)]
    return _function(body, f"%t{n}")


def insert_slice_chain(n: int) -> str:
    """tensor.insert_slice n times into one tensor."""
    body = [
        f"%t{k + 1} = tensor.insert_slice %s into %t{k}[{4 * k}] [4] [1] "
        f": tensor<4xf32> into {T}"
        for k in range(n)
    ]
    return _function(body, f"%t{n}")


def tiles(n: int) -> str:
    """extract_slice, fill, insert_slice, n times."""
    body: list[str] = []
    for k in range(n):
        body += [
            f"%e{k} = tensor.extract_slice %t{k}[{4 * k}] [4] [1] "
            f": {T} to tensor<4xf32>",
            f"%w{k} = linalg.fill ins(%f : f32) outs(%e{k} : tensor<4xf32>) "
            "-> tensor<4xf32>",
            f"%t{k + 1} = tensor.insert_slice %w{k} into %t{k}[{4 * k}] [4] [1] "
            f": tensor<4xf32> into {T}",
        ]
    return _function(body, f"%t{n}")


def loops(n: int) -> str:
    """Loops, n of them, one after the other."""
    body: list[str] = []
    for k in range(n):
        body += [
            f"%t{k + 1} = scf.for %j{k} = %lb to %ub step %st "
            f"iter_args(%a{k} = %t{k}) -> ({T}) {{",
            f"  %w{k} = tensor.insert %f into %a{k}[%j{k}] : {T}",
            f"  scf.yield %w{k} : {T}",
            "}",
        ]
    return _function(body, f"%t{n}")


def conditionals(n: int) -> str:
    """Conditionals, n of them, one after the other."""
    body: list[str] = []
    for k in range(n):
        body += [
            f"%t{k + 1} = scf.if %c -> ({T}) {{",
            f"  %w{k} = tensor.insert %f into %t{k}[%i] : {T}",
            f"  scf.yield %w{k} : {T}",
            "} else {",
            f"  scf.yield %t{k} : {T}",
            "}",
        ]
    return _function(body, f"%t{n}")


def iter_args(n: int) -> str:
    """One loop that carries n tensors."""
    body = [f"%x{k} = bufferization.alloc_tensor() copy(%t0) : {T}" for k in range(n)]
    args = ", ".join(f"%a{k} = %x{k}" for k in range(n))
    types = ", ".join([T] * n)
    body.append(
        f"%r:{n} = scf.for %j = %lb to %ub step %st iter_args({args}) -> ({types}) {{"
    )
    body += [f"  %w{k} = tensor.insert %f into %a{k}[%j] : {T}" for k in range(n)]
    yields = ", ".join(f"%w{k}" for k in range(n))
    body += [f"  scf.yield {yields} : {types}", "}"]
    return _function(body, "%r#0")


def layers(n: int) -> str:
    """An MLP of n layers, five ops each."""
    t = "tensor<8x8xf32>"
    maps = "affine_map<(d0, d1) -> (d0, d1)>"
    body = [
        "%z = arith.constant 0.0 : f32",
        f"%w = arith.constant dense<1.0> : {t}",
        f"%b = arith.constant dense<2.0> : {t}",
        f"%x0 = tensor.empty() : {t}",
        f"%h0 = linalg.fill ins(%f : f32) outs(%x0 : {t}) -> {t}",
    ]
    for k in range(n):
        body += [
            f"%e{k} = tensor.empty() : {t}",
            f"%g{k} = linalg.fill ins(%z : f32) outs(%e{k} : {t}) -> {t}",
            f"%m{k} = linalg.matmul ins(%h{k}, %w : {t}, {t}) outs(%g{k} : {t}) -> {t}",
            f"%p{k} = linalg.generic {{indexing_maps = [{maps}, {maps}], "
            'iterator_types = ["parallel", "parallel"]} '
            f"ins(%b : {t}) outs(%m{k} : {t}) {{",
            "^bb0(%in: f32, %out: f32):",
            "  %sum = arith.addf %in, %out : f32",
            "  linalg.yield %sum : f32",
            f"}} -> {t}",
            f"%h{k + 1} = linalg.generic {{indexing_maps = [{maps}], "
            f'iterator_types = ["parallel", "parallel"]}} outs(%p{k} : {t}) {{',
            "^bb0(%out: f32):",
            "  %max = arith.maximumf %out, %z : f32",
            "  linalg.yield %max : f32",
            f"}} -> {t}",
        ]
    return _function(body, f"%h{n}", t)


def gathered_tiles(n: int) -> str:
    """All slices extracted first, then filled, then inserted."""
    piece = "tensor<4xf32>"
    body = [
        f"%e{k} = tensor.extract_slice %t0[{4 * k}] [4] [1] : {T} to {piece}"
        for k in range(n)
    ]
    body += [
        f"%w{k} = linalg.fill ins(%f : f32) outs(%e{k} : {piece}) -> {piece}"
        for k in range(n)
    ]
    body += [
        f"%t{k + 1} = tensor.insert_slice %w{k} into %t{k}[{4 * k}] [4] [1] "
        f": {piece} into {T}"
        for k in range(n)
    ]
    return _function(body, f"%t{n}")


def one_slice(n: int) -> str:
    """One slice written n times in place before it is inserted."""
    piece = "tensor<4xf32>"
    body = [f"%w0 = tensor.extract_slice %t0[0] [4] [1] : {T} to {piece}"]
    body += [f"%w{k + 1} = tensor.insert %f into %w{k}[%i] : {piece}" for k in range(n)]
    body.append(
        f"%t1 = tensor.insert_slice %w{n} into %t0[0] [4] [1] : {piece} into {T}"
    )
    return _function(body, "%t1")


def readers(n: int) -> str:
    """One tensor read n times, then written, then read n times."""
    body = [f"%r{k} = tensor.extract %t0[%i] : {T}" for k in range(n)]
    body.append(f"%t1 = tensor.insert %f into %t0[%i] : {T}")
    body += [f"%q{k} = tensor.extract %t1[%i] : {T}" for k in range(n)]
    return _function(body, "%t1")


def copies(n: int) -> str:
    """One tensor written n times from scratch: n - 1 copies."""
    body = [f"%t{k + 1} = tensor.insert %f into %t0[%i] : {T}" for k in range(n)]
    return _function(body, f"%t{n}")


PROGRAMS: dict[str, Callable[[int], str]] = {
    "insert chain": insert_chain,
    "insert_slice chain": insert_slice_chain,
    "extract/fill/insert": tiles,
    "sequential scf.for": loops,
    "sequential scf.if": conditionals,
    "scf.for, N iter_args": iter_args,
    "N MLP layers": layers,
    "slices gathered first": gathered_tiles,
    "one slice, N writes": one_slice,
    "N readers": readers,
    "N copies": copies,
    **CFG_PROGRAMS,
}


def time_ours(text: str) -> float:
    """Seconds of the analysis, without parsing."""
    module = parse_module(text, "benchmark.mlir", get_context())
    options = BufferizationOptions(bufferize_function_boundaries=True)
    start = time.perf_counter()
    analyze(module, options)
    return time.perf_counter() - start


def time_peer(peer: str, text: str, limit: float) -> float | None:
    """Seconds of mlir-opt's pass alone, or None above the limit."""
    options = "bufferize-function-boundaries test-analysis-only"
    command = [
        peer,
        f"--one-shot-bufferize={options}",
        "-mlir-timing",
        "-o",
        "/dev/null",
    ]
    try:
        result = subprocess.run(
            command,
            input=text,
            capture_output=True,
            text=True,
            timeout=limit,
            check=True,
        )
    except subprocess.TimeoutExpired:
        return None
    match = re.search(r"([\d.]+) \(.*\)  OneShotBufferize", result.stderr)
    return float(match.group(1)) if match else None


def measure(
    name: str, sizes: list[int], peer: str | None, limit: float
) -> Iterator[str]:
    """A line of results for each size."""
    previous: tuple[int, float] | None = None
    for size in sizes:
        text = PROGRAMS[name](size)
        ours = time_ours(text)
        theirs = time_peer(peer, text, limit) if peer else None
        if peer and theirs is None:
            peer = None  # larger sizes would take even longer
        growth = "" if previous is None else f"{_exponent(previous, (size, ours)):6.2f}"
        ratio = "" if not theirs else f"{ours / theirs:10.3f}"
        theirs_text = "" if theirs is None else f"{theirs:9.4f}"
        previous = size, ours
        yield f"{name:24}{size:8}{ours:10.4f}{theirs_text:>10}{ratio:>11}{growth:>8}"


def _exponent(before: tuple[int, float], after: tuple[int, float]) -> float:
    return math.log(after[1] / before[1]) / math.log(after[0] / before[0])


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--sizes", default="256,1024,4096,16384")
    parser.add_argument("--only", choices=PROGRAMS)
    parser.add_argument("--peer")
    parser.add_argument("--peer-limit", type=float, default=60)
    args = parser.parse_args()
    sizes = [int(size) for size in args.sizes.split(",")]
    print(f"{'program':24}{'N':>8}{'ours s':>10}{'peer s':>10}{'ratio':>11}{'exp.':>8}")
    for name in [args.only] if args.only else PROGRAMS:
        for line in measure(name, sizes, args.peer, args.peer_limit):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
