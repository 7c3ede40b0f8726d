"""How long each step of `xbuf opt` takes, as mlir-opt's `-mlir-timing` prints it.

      ----Wall Time----  ----Name----
        0.0005 ( 58.8%)  Parser
        0.0001 (  6.8%)  canonicalize
        0.0001 ( 12.3%)  Output
        0.0002 ( 22.1%)  Rest
        0.0009 (100.0%)  Total

A pass that runs several times, such as once for each function, has one row.
"""

import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

PARSER, OUTPUT = "Parser", "Output"
"""The rows of what is not a pass."""

_REST, _TOTAL = "Rest", "Total"
_RULE = f"==={'-' * 73}==="


@dataclass
class Timing:
    """Seconds by step, in the order in which steps first ran."""

    is_sorted: bool = False
    """Whether the longest comes first."""

    _seconds: dict[str, float] = field(default_factory=dict[str, float])
    _started: float = field(default_factory=time.perf_counter)

    @contextmanager
    def of(self, name: str) -> Generator[None]:
        """Add the time that is spent inside of this to the row of `name`."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self._seconds[name] = self._seconds.get(name, 0.0) + spent

    def write(self) -> None:
        """Write the report to the standard error."""
        sys.stderr.writelines(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        total = time.perf_counter() - self._started
        rows = list(self._seconds.items())
        if self.is_sorted:
            rows.sort(key=lambda row: -row[1])
        rows += [
            (_REST, max(0.0, total - sum(self._seconds.values()))),
            (_TOTAL, total),
        ]
        yield _RULE
        yield f"{'... Execution time report ...':^79}".rstrip()
        yield _RULE
        yield f"  Total Execution Time: {total:.4f} seconds"
        yield ""
        yield "  ----Wall Time----  ----Name----"
        for name, seconds in rows:
            yield f"  {seconds:8.4f} ({seconds / total:6.1%})  {name}"
