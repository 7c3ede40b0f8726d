"""How memory grows over many parses, compilations and calls; each in a fresh process.

    export PYTHONPATH=tests/pytest
    python -m harness.volume.growth_of_memory --svg docs/assets/memory.svg
    python -m harness.volume.growth_of_memory calls --count 10000

Memory is what the process holds in RAM, as the system counts it. The first tenth of a
run is warm-up: caches fill, and libraries are loaded.
"""

import argparse
import gc
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import psutil
from xdsl.dialects.builtin import ModuleOp

import xdsl_bufferization as xbuf
from xdsl_bufferization.support.whole_files import write_text

SAMPLES: Final = 40
"""So many times a run looks at its memory."""

_FLOATS: Final = 5_000_000

Sample = tuple[int, float]
"""How many iterations there were, and the memory in MB."""


@dataclass(frozen=True)
class Work:
    """What is done again and again."""

    title: str
    count: int
    """So many iterations a whole run has."""

    make: Callable[[], Callable[[int], object]]
    """Returns what does one iteration, given its number."""


def different_modules() -> Callable[[int], object]:
    """Compiles another program each time."""
    return lambda number: xbuf.compile(bufferized(number))


def bufferized(number: int) -> ModuleOp:
    """A program on buffers; another one for each number."""
    rows = 4 + number % 50
    type_ = f"tensor<{rows}x8xf32>"
    module = xbuf.parse(f"""
      func.func @f{number}(%x: {type_}, %y: {type_}) -> {type_} {{
        %c = arith.constant {number}.5 : f32
        %0 = linalg.fill ins(%c : f32) outs(%x : {type_}) -> {type_}
        %1 = tensor.empty() : {type_}
        %2 = linalg.add ins(%0, %y : {type_}, {type_}) outs(%1 : {type_}) -> {type_}
        return %2 : {type_}
      }}""")
    xbuf.bufferize(module, bufferize_function_boundaries=True)
    return xbuf.deallocate(module)


def large_program(floats: int = _FLOATS) -> Callable[[int], object]:
    """Parses the same program, whose weights are at the end of the text."""
    numbers = np.random.default_rng(0).normal(size=floats).astype(np.float32)
    text = f"""memref.global @g : memref<{floats}xf32> = dense_resource<weights>
      {{-# dialect_resources: {{ builtin: {{
        weights: "0x04000000{numbers.tobytes().hex()}"
      }} }} #-}}"""
    return lambda _: xbuf.parse(text)


def calls() -> Callable[[int], object]:
    """Calls a function that returns an array."""
    function = xbuf.compile(bufferized(0))["f0"]
    x = np.zeros((4, 8), np.float32)

    def call(_: int) -> object:
        return function(x, x.copy())

    return call


def hoarder() -> Callable[[int], object]:
    """Keeps 100 kB more each time."""
    kept: list[bytes] = []
    return lambda _: kept.append(bytes(range(250)) * 400)


WORKS: Final = {
    "compiles": Work(
        "1,000 compilations of different programs", 1000, different_modules
    ),
    "parses": Work(
        "1,000 parses of a program with 20 MB of weights", 1000, large_program
    ),
    "calls": Work("1,000,000 calls that return an array", 1_000_000, calls),
}


def measure(work: Work, count: int, looks: int = SAMPLES) -> Iterator[Sample]:
    """The memory of this process while it works, at so many times, or at a few more.

    Garbage is collected first each time, which takes long in a large process.
    """
    process = psutil.Process()
    do = work.make()
    step = max(1, count // looks)
    for number in range(count):
        do(number)
        if (number + 1) % step == 0:
            gc.collect()
            yield number + 1, process.memory_info().rss / 1e6


def measured(work: Work, looks: int) -> list[Sample]:
    """The same as a list, which another process can return."""
    return list(measure(work, work.count, looks))


def growth(samples: Sequence[Sample], warm_up: float = 0.1) -> float:
    """Kilobytes that an iteration adds after the warm-up: the slope of a line.

    `warm_up` is a part of the whole.
    """
    count, _ = samples[-1]
    later = [sample for sample in samples if sample[0] > count * warm_up]
    numbers, memory = (np.array(each) for each in zip(*later, strict=True))
    slope = np.polyfit(numbers, memory, 1)[0]
    return float(slope) * 1000


def measure_apart(name: str, count: int) -> list[Sample]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", __spec__.name, name, "--count", str(count)]
    done = subprocess.run([*command, "--json"], capture_output=True, check=True)
    return [(number, memory) for number, memory in json.loads(done.stdout)]


# The picture.

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 680, 96, 64, 30, 52

_STYLE = """\
svg.picture { --ink: #24292f; --faint: #57606a; --line: #8c959f; --one: #1f5fbf;
  font: 14px sans-serif; }
@media (prefers-color-scheme: dark) {
  svg.picture { --ink: #e6e9ee; --faint: #a9b1bc; --line: #76808c; --one: #8ab4ff; }
}
svg.picture text { fill: var(--ink); }
svg.picture .faint { fill: var(--faint); font-size: 12px; }
svg.picture .axis { stroke: var(--line); }
svg.picture .memory { stroke: var(--one); stroke-width: 2; fill: none; }"""


def draw(runs: Sequence[tuple[str, Sequence[Sample]]]) -> str:
    """One plot for each run, under each other; memory begins at 0."""
    height = _TOP + len(runs) * (_HEIGHT + _GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" '
        f'viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'role="img">',
        "<title>Memory of the process over parses, compilations and calls</title>",
        f"<style>\n{_STYLE}\n</style>",
    ]
    for index, (title, samples) in enumerate(runs):
        parts += _plot(title, samples, _TOP + index * (_HEIGHT + _GAP))
    return "\n".join([*parts, "</svg>", ""])


def _plot(title: str, samples: Sequence[Sample], top: float) -> Iterator[str]:
    count, last = samples[-1]
    most = max(memory for _, memory in samples)
    right, bottom = _WIDTH - 80, top + _HEIGHT
    points = " ".join(
        f"{_LEFT + (right - _LEFT) * number / count:.1f},"
        f"{bottom - _HEIGHT * 0.9 * memory / most:.1f}"
        for number, memory in samples
    )
    height = bottom - _HEIGHT * 0.9 * last / most + 5
    yield f'<text x="{_LEFT}" y="{top - 6}">{title}</text>'
    yield f'<path class="axis" fill="none" d="M{_LEFT} {top}V{bottom}H{right}"/>'
    yield f'<polyline class="memory" points="{points}"/>'
    yield f'<text x="{right + 6}" y="{height:.1f}">{last:.0f} MB</text>'
    yield f'<text class="faint" x="{_LEFT - 6}" y="{bottom}" text-anchor="end">0</text>'
    yield (
        f'<text class="faint" x="{right}" y="{bottom + 16}" text-anchor="end">'
        f"{count:,}</text>"
    )


def main() -> None:
    """Measure what is asked for, print the growth, and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("works", nargs="*", default=list(WORKS), metavar="WORK")
    parser.add_argument("--count", type=int)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--svg", type=Path)
    given = parser.parse_args()
    if given.json:
        (name,) = given.works
        samples = list(measure(WORKS[name], given.count))
        sys.stdout.write(json.dumps(samples))
        return
    runs: list[tuple[str, list[Sample]]] = []
    for name in given.works:
        work = WORKS[name]
        samples = measure_apart(name, given.count or work.count)
        kilobytes = growth(samples)
        sys.stdout.write(
            f"{name}: {samples[-1][1]:.0f} MB, {kilobytes:+.4f} kB an iteration\n"
        )
        sys.stdout.flush()
        runs.append((work.title, samples))
    if given.svg is not None:
        write_text(given.svg, draw(runs))


if __name__ == "__main__":
    main()
