"""How long an editor waits for `xbuf lsp`, and how much memory it takes.

    python benchmarks/editing.py
    python benchmarks/editing.py --lines 200 2000 --edits 20
    python benchmarks/editing.py --memory 10000

A program of so many lines has functions of 100 lines, or is one function (`--one`). It
is first opened with two errors, at its beginning and at its end. Two times are taken:
until one of the errors is published, and until both errors are. Each edit changes a
number in a function, and counts until its errors are published, and until the hints of
the text as it is now are there. A hover is asked for right after an edit, while the
child explains. A few edits add an op that needs a copy, and count until the op has its
hint (`new op`). Times are medians, in milliseconds; those of another server come with
`--peer mlir-lsp-server-22`. With `--memory`, edits follow each other, and the memory of
the server is read after 100, 1,000, 3,000, and all of them.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "pytest"))

from harness.editing.client import OURS, Client, place

URI: Final = "file:///program.mlir"
FAULTY: Final = "file:///faulty.mlir"
LINES_EACH: Final = 100
NAMES: Final = (
    "initialize", "first errors", "all errors", "errors", "hover", "hints", "new op",
)  # fmt: skip


def function(number: int, lines: int) -> str:
    """A function that inserts into a tensor, reads it, and copies it at times."""
    text = (
        f"func.func @f{number}(%a: tensor<64xf32>, %x: f32, %i: index) "
        "-> tensor<64xf32> {\n  %v0 = tensor.insert %x into %a[%i] : tensor<64xf32>\n"
    )
    count = 0
    while text.count("\n") < lines - 4:
        text += (
            f"  %c{count} = arith.constant {count}.0 : f32\n"
            f"  %y{count} = tensor.extract %v{count}[%i] : tensor<64xf32>\n"
            f"  %z{count} = arith.addf %y{count}, %c{count} : f32\n"
            f"  %v{count + 1} = tensor.insert %z{count} into %v{count}[%i] "
            ": tensor<64xf32>\n"
        )
        count += 1
    return text + f"  return %v{count} : tensor<64xf32>\n}}\n"


def program(lines: int, *, is_one: bool) -> str:
    """A program of so many lines."""
    if is_one:
        return function(0, lines)
    count = max(1, lines // LINES_EACH)
    return "".join(function(number, lines // count) for number in range(count))


def edits(text: str, count: int) -> Iterator[int]:
    """Places of numbers, all over the text."""
    for number in range(count):
        near = len(text) * (2 * number + 1) // (2 * count)
        at = text.find("constant ", near)
        yield (text.find("constant ") if at < 0 else at) + len("constant ")


def range_around(text: str, at: int) -> dict[str, object]:
    """The function around a place, or what a screen shows of it."""
    start = max(0, text.rfind("func.func", 0, at))
    end = text.find("\n}\n", at)
    shown = 50 * 60
    start, end = max(start, at - shown), min(end, at + shown)
    return {"start": place(text, start), "end": place(text, end)}


def wait_for_hints(client: Client, at: int, line: int | None = None) -> None:
    """Ask for hints around a place, until there are some, or some in a line."""
    around = range_around(client.text(URI), at)

    def is_there() -> bool:
        hints = client.about("inlayHint", URI, range=around)
        return any(line in (None, hint["position"]["line"]) for hint in hints)

    client.once("workspace/inlayHint/refresh", is_there)


def measure_new_op(client: Client, at: int) -> float:
    """Until an op that is added near a place has its hint; it is taken out again."""
    line_start = client.text(URI).index("\n", at) + 1
    op = "  %new = tensor.insert %x into %a[%i] : tensor<64xf32>\n"
    start = time.perf_counter()
    client.change(URI, line_start, line_start, op)
    wait_for_hints(client, at, place(client.text(URI), line_start)["line"])
    took = milliseconds(start)
    client.change(URI, line_start, line_start + len(op), "")
    client.diagnostics(URI)
    time.sleep(1)  # What is explained anew is no part of the next edit.
    return took


def milliseconds(start: float) -> float:
    """The time since then."""
    return 1000 * (time.perf_counter() - start)


def measure_opening(client: Client, text: str, *, is_ours: bool) -> tuple[float, float]:
    """Until the first error is there, and all errors, of a program that is opened.

    Another server may stop at the first one.
    """
    at, end = text.index("return %"), text.rindex("return %")
    broken = text[: end + 8] + text[end + 8 :].replace(":", ",", 1)
    broken = broken[: at + 8] + broken[at + 8 :].replace(":", ",", 1)
    count = 1 if at == end or not is_ours else 2
    times: list[float] = []
    start = time.perf_counter()
    client.open(FAULTY, broken)
    found: list[object] = []
    while len(found) < count:
        message = client.wait_for("textDocument/publishDiagnostics")
        found = message["params"]["diagnostics"]
        if found:
            times.append(milliseconds(start))
    client.tell("textDocument/didClose", {"textDocument": {"uri": FAULTY}})
    client.notes.clear()
    return times[0], times[-1]


def measure(command: list[str], text: str, count: int, *, is_ours: bool) -> list[str]:
    """The cells of a row."""
    with Client(command, seconds=600) as client:
        first = measure_opening(client, text, is_ours=is_ours)
        client.open(URI, text)
        client.diagnostics(URI)
        if is_ours:
            for at in edits(text, 1):
                wait_for_hints(client, at)
        errors: list[float] = []
        hints: list[float] = []
        hovers: list[float] = []
        ops: list[float] = []
        for number, at in enumerate(edits(text, count)):
            start = time.perf_counter()
            client.change(URI, at, at + 1, str(number % 9 + 1))
            client.diagnostics(URI)
            errors.append(milliseconds(start))
            begin = time.perf_counter()
            client.at("hover", URI, client.text(URI).rfind("tensor.insert", 0, at) + 2)
            hovers.append(milliseconds(begin))
            if is_ours:
                wait_for_hints(client, at)
                hints.append(milliseconds(start))
                if number % 5 == 0:
                    ops.append(measure_new_op(client, at))
                    wait_for_hints(client, at)
        cells = [1000 * client.initialized_after, *first, statistics.median(errors)]
        cells += [statistics.median(hovers)]
        cells += [statistics.median(each) for each in (hints, ops) if each]
        return [f"{each:.0f}" for each in cells]


def memory_of(process: int) -> int:
    """The resident memory of a process, in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) // 1024
    return 0


def measure_memory(command: list[str], count: int) -> str:
    """The memory after 100 edits, after more, and after all of them."""
    text = program(2000, is_one=False)
    with Client(command, seconds=600) as client:
        client.open(URI, text)
        client.diagnostics(URI)
        found: list[str] = []
        places = list(edits(text, 50))
        for number in range(count):
            at = places[number % len(places)]
            client.change(URI, at, at + 1, str(number % 9 + 1))
            client.diagnostics(URI)
            client.notes.clear()
            if number + 1 in (100, 1000, 3000, count):
                size = memory_of(client.process.pid)
                found.append(f"{size} MB after {number + 1} edits")
    return ", ".join(found)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--lines", type=int, nargs="+", default=[200, 2000, 20000])
    add("--edits", type=int, default=50)
    add("--one", action="store_true", help="one function of 2,000 lines")
    add("--peer", help="another server")
    add("--memory", type=int, metavar="N", help="the memory after N edits")
    given = parser.parse_args()
    command = [given.peer] if given.peer else [*OURS]
    if given.memory:
        print(measure_memory(command, given.memory))
        return
    sizes = [2000] if given.one else given.lines
    print(f"| lines | {' | '.join(NAMES)} |")
    print("|---" * (len(NAMES) + 1) + "|")
    for lines in sizes:
        text = program(lines, is_one=given.one)
        cells = measure(command, text, given.edits, is_ours=given.peer is None)
        print(f"| {text.count(chr(10))} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
