"""What the playground loads, and how long somebody waits for it in Chromium.

    python benchmarks/playground.py

Sizes are those that a host sends, with gzip at its usual level for all but archives. A
cold visit has nothing from before, and a warm one has the files in the browser's cache.
An edit counts from the change until decisions, hints and remedies are shown; times are
medians of five. The first edits of a tab add blanks, which changes no decision. The
others make an op write to an older tensor, which is copied then. Needs Node.js, npm and
Chromium.
"""

import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "pytest"))
sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))

from harness.pages.playgrounds import (
    Playground,
    built_playground,
    insertions,
    lonely_browser,
)

VISITS = 3
SIZES = (20, 500)
TABS = ("decisions", "buffers", "deallocation", "memory", "stages", "compare")


def main() -> None:
    """Print all figures."""
    with built_playground() as host, lonely_browser() as browser:
        cold: list[float] = []
        warm: list[float] = []
        for number in range(VISITS):
            host.sent.clear()
            context = browser.new_context()
            playground = Playground(context.new_page(), host)
            cold.append(playground.visit())
            if not number:
                print(f"loaded: {host.total / 1e6:.1f} MB, {host.raw / 1e6:.1f} MB raw")
                for path, sizes in sorted(host.sent.items()):
                    print(f"  {path}: {sum(sizes):,}")
            playground.warm_spare()
            warm.append(playground.visit())
            context.close()
        print(f"first result: cold {_median(cold)} s, warm {_median(warm)} s")
        playground = Playground(browser.new_page(), host)
        playground.visit()
        playground.warm_spare()
        for line in _times_of_tabs(playground):
            print(line)


def _times_of_tabs(playground: Playground) -> Iterator[str]:
    for ops in SIZES:
        for tab in TABS:
            text = insertions(ops)
            playground.open(text, tab=tab)
            blanks = [text.replace("%1[%i]", f"%1[{' ' * n}%i]") for n in range(1, 6)]
            others = [text.replace(f"%{n}[%i]", f"%{n - 1}[%i]") for n in range(1, 6)]
            took = [
                _median([playground.open(each, tab=tab) for each in edited])
                for edited in (blanks, others)
            ]
            yield f"{ops} ops, {tab}: {took[0]} s, with a new copy {took[1]} s"


def _median(seconds: list[float]) -> str:
    return f"{statistics.median(seconds):.2f}"


if __name__ == "__main__":
    main()
