"""How the cost of deallocation grows, pass by pass, beside mlir-opt's simplification.

    python benchmarks/deallocation.py [--sizes 4096,16384,65536] [--only NAME]
        [--peer mlir-opt-22] [--peer-limit SECONDS]

Prints a row per program and size: seconds of the ownership pass, of the simplification
and of the lowering, each with the exponent of growth since the size before; then the
seconds of mlir-opt's simplification of what its own ownership pass made of the program,
where it stays below the limit and accepts the program at all. Ours are seconds of CPU
time, so that other load on the machine counts little.
"""

import argparse
import gc
import math
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from xdsl_bufferization.context import get_context
from xdsl_bufferization.parsing import parse_module
from xdsl_bufferization.transforms.deallocation.buffer_deallocation_simplification import (  # noqa: E501 (the module's name)
    simplify_all_deallocations,
)
from xdsl_bufferization.transforms.deallocation.lower_deallocations import (
    lower_deallocations,
)
from xdsl_bufferization.transforms.deallocation.ownership_based_buffer_deallocation import (  # noqa: E501 (the module's name)
    deallocate_by_ownership,
)

M = "memref<4xf32>"
PASSES = (deallocate_by_ownership, simplify_all_deallocations, lower_deallocations)


def _function(body: Sequence[str], result: str = "") -> str:
    lines = "\n".join(f"  {line}" for line in body)
    returned = f" -> {M}" if result else ""
    end = f"return {result} : {M}" if result else "return"
    return (
        f"func.func @f(%arg: {M}, %c: i1, %i: index, %l: index, %u: index, %s: index)"
        f"{returned} {{\n{lines}\n  {end}\n}}\n"
    )


def independent(n: int) -> str:
    """Allocations that have nothing to do with each other."""
    return _function([f"%a{k} = memref.alloc() : {M}" for k in range(n)])


def across_a_block(n: int) -> str:
    """Allocations of one block that are used in the next."""
    allocs = [f"%a{k} = memref.alloc() : {M}" for k in range(n)]
    uses = [f"memref.copy %a{k}, %arg : {M} to {M}" for k in range(n)]
    return _function([*allocs, "cf.br ^next", "^next:", *uses])


def chain(n: int) -> str:
    """Each buffer is computed from the one before it."""
    body = [f"%a0 = memref.alloc() : {M}"]
    for k in range(n):
        body += [
            f"%a{k + 1} = memref.alloc() : {M}",
            f"linalg.add ins(%a{k}, %arg : {M}, {M}) outs(%a{k + 1} : {M})",
        ]
    return _function(body, f"%a{n}")


def loops(n: int) -> str:
    """Loops one after the other, each with the buffer of the one before it."""
    body = [f"%r0 = memref.alloc() : {M}"]
    for k in range(n):
        body += [
            f"%r{k + 1} = scf.for %i{k} = %l to %u step %s iter_args(%x{k} = %r{k})"
            f" -> ({M}) {{",
            f"  %n{k} = memref.alloc() : {M}",
            f"  scf.yield %n{k} : {M}",
            "}",
        ]
    return _function(body, f"%r{n}")


def conditionals(n: int) -> str:
    """Conditionals, each of which replaces a buffer or does not."""
    body = [f"%r0 = memref.alloc() : {M}"]
    for k in range(n):
        body += [
            f"%r{k + 1} = scf.if %c -> ({M}) {{",
            f"  %n{k} = memref.alloc() : {M}",
            f"  scf.yield %n{k} : {M}",
            "} else {",
            f"  scf.yield %r{k} : {M}",
            "}",
        ]
    return _function(body, f"%r{n}")


def ladder(n: int) -> str:
    """Blocks as an else-if ladder leaves them: each case allocates and joins."""
    body = ["cf.br ^case0"]
    for k in range(n):
        body += [
            f"^case{k}:",
            f"  cf.cond_br %c, ^then{k}, ^case{k + 1}",
            f"^then{k}:",
            f"  %a{k} = memref.alloc() : {M}",
            f"  cf.br ^join(%a{k} : {M})",
        ]
    body += [
        f"^case{n}:",
        f"  %b = memref.alloc() : {M}",
        f"  cf.br ^join(%b : {M})",
        f"^join(%x: {M}):",
    ]
    return _function(body, "%x")


def diamonds(n: int) -> str:
    """Two ways, one of which replaces the buffer, n times one after the other."""
    body = [f"%a = memref.alloc() : {M}", f"cf.br ^d0(%a : {M})"]
    for k in range(n):
        body += [
            f"^d{k}(%x{k}: {M}):",
            f"  cf.cond_br %c, ^t{k}, ^d{k + 1}(%x{k} : {M})",
            f"^t{k}:",
            f"  %n{k} = memref.alloc() : {M}",
            f"  cf.br ^d{k + 1}(%n{k} : {M})",
        ]
    return _function([*body, f"^d{n}(%x{n}: {M}):"], f"%x{n}")


def block_loops(n: int) -> str:
    """Loops between blocks, each of which replaces its buffer."""
    body = [f"%a = memref.alloc() : {M}", f"cf.br ^h0(%a : {M})"]
    for k in range(n):
        body += [
            f"^h{k}(%x{k}: {M}):",
            f"  cf.cond_br %c, ^b{k}, ^h{k + 1}(%x{k} : {M})",
            f"^b{k}:",
            f"  %n{k} = memref.alloc() : {M}",
            f"  cf.br ^h{k}(%n{k} : {M})",
        ]
    return _function([*body, f"^h{n}(%x{n}: {M}):"], f"%x{n}")


def one_dealloc(n: int) -> str:
    """One `bufferization.dealloc` of n buffers, some of which it retains."""
    body = ["%true = arith.constant true"]
    body += [f"%a{k} = memref.alloc() : {M}" for k in range(n)]
    every = ", ".join(f"%a{k}" for k in range(n))
    types, flags = ", ".join([M] * n), ", ".join(["%true"] * n)
    kept = ", ".join(f"%a{k}" for k in range(0, n, 8))
    kept_types = ", ".join([M] * len(range(0, n, 8)))
    count = len(range(0, n, 8))
    body.append(
        f"%o:{count} = bufferization.dealloc ({every} : {types}) if ({flags}) "
        f"retain ({kept} : {kept_types})"
    )
    return _function(body)


PROGRAMS: dict[str, Callable[[int], str]] = {
    program.__name__: program
    for program in (
        independent,
        across_a_block,
        chain,
        loops,
        conditionals,
        ladder,
        diamonds,
        block_loops,
        one_dealloc,
    )
}


def time_ours(text: str, has_owners: bool) -> list[float | None]:
    """Seconds of each pass, or None where it does not run."""
    module = parse_module(text, "benchmark", get_context())
    seconds: list[float | None] = []
    gc.collect()
    gc.freeze()  # The collector need not look at the parsed module again and again.
    for run in PASSES:
        if has_owners and run is deallocate_by_ownership:
            seconds.append(None)
            continue
        start = time.process_time()
        run(module)
        seconds.append(time.process_time() - start)
    return seconds


def time_peer(text: str, has_owners: bool, peer: str, limit: float) -> float | None:
    """Seconds of the peer's simplification; None if it takes longer or refuses."""
    passes = ["--buffer-deallocation-simplification", "--mlir-timing"]
    if not has_owners:
        passes.insert(0, "--ownership-based-buffer-deallocation")
    try:
        result = subprocess.run(
            [peer, *passes, "--mlir-timing-display=list", "-o", "/dev/null", "-"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return None
    row = r"([\d.]+) \([^)]*\)\s+BufferDeallocationSimplification"
    found = re.search(row, result.stderr)
    return float(found[1]) if found and not result.returncode else None


def rows(
    name: str, sizes: Sequence[int], peer: str | None, limit: float
) -> Iterator[str]:
    """The rows of one program."""
    before: tuple[int, list[float | None]] | None = None
    has_owners = name == one_dealloc.__name__
    for size in sizes:
        text = PROGRAMS[name](size)
        ours = time_ours(text, has_owners)
        cells = [f"{name:16} {size:7}"]
        for number, seconds in enumerate(ours):
            earlier = before[1][number] if before else None
            growth = "     "
            if seconds and earlier and before:
                exponent = math.log(seconds / earlier) / math.log(size / before[0])
                growth = f"^{exponent:.2f}"
            cells.append(
                "      -       " if seconds is None else f"{seconds:8.3f} {growth:5}"
            )
        if peer is not None:
            theirs = time_peer(text, has_owners, peer, limit)
            cells.append("-" if theirs is None else f"{theirs:8.3f}")
            if theirs and ours[1]:
                cells.append(f"x{theirs / ours[1]:.1f}")
        yield "  ".join(cells)
        before = size, ours


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How deallocation scales.")
    parser.add_argument("--sizes", default="1024,4096")
    parser.add_argument("--only", default="")
    parser.add_argument("--peer", default="mlir-opt-22")
    parser.add_argument("--peer-limit", type=float, default=60.0)
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    peer = shutil.which(str(options.peer))
    print(
        "program             size    ownership    simplification    lowering      peer"
    )
    for name in PROGRAMS:
        if options.only in name:
            for row in rows(name, sizes, peer, options.peer_limit):
                print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
