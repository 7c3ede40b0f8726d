"""What `xbuf run` reports of a run, as text or for programs.

max_rel_error   2.1e-07
allocs          4 buffers
peak_bytes      4096 bytes, of buffers at a time
seconds         0.0012 0.0011 0.0011 s, of each call

With `--print`, what comes out stands above that.
"""

import dataclasses
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

_MOST_ELEMENTS = 64
"""So many elements of an array are printed, of a larger one only the corners."""

_UNITS: Final = {
    "max_rel_error": "",
    "allocs": " buffers",
    "frees": " buffers, before the call returned",
    "live_bytes": " bytes, once the results were collected",
    "peak_bytes": " bytes, of all buffers at a time",
    "copies": " copies of buffers",
    "seconds": " s, of each call",
    "gflops": " GFLOP/s, by the median time",
    "compile_seconds": " s, from tensors to code",
    "kernels": "",
    "threads": " threads at most",
}
"""What stands behind the number of each field."""


@dataclass(frozen=True)
class Counters:
    """What one call did to the heap."""

    allocs: int
    frees: int
    """Frees before the call returned; results are freed later."""
    live_bytes: int
    """Bytes still allocated once the results were collected."""
    peak_bytes: int
    copies: int
    """Copy operations executed."""


@dataclass(frozen=True)
class RunReport:
    """What `xbuf run` prints."""

    max_rel_error: float | None
    """None without a check; otherwise as `compare.py` defines it."""
    allocs: int
    frees: int
    live_bytes: int
    peak_bytes: int
    copies: int
    seconds: list[float]
    """The time of each timed call."""
    gflops: float | None
    """From the median time; None if the number of operations depends on the data."""
    compile_seconds: float
    """The time from tensors to code that can be called."""
    kernels: list[dict[str, Any]]
    """Those requested: what calls them, their description, and who serves them."""
    threads: int
    """How many threads may have run the timed calls."""

    def as_json(self) -> str:
        """One JSON object in one line."""
        return json.dumps(dataclasses.asdict(self), allow_nan=False)

    def as_text(self) -> str:
        """One `name value` per line."""
        lines = [
            f"{name:<15} {_text(value)}{_UNITS[name]}"
            for name, value in dataclasses.asdict(self).items()
            if value is not None and value != []
        ]
        return "\n".join(lines)


def format_outputs(outputs: Mapping[str, NDArray[Any]]) -> str:
    """Names, types and elements, as NumPy prints them; of large arrays, the corners."""
    return "".join(map(_format_output, outputs, outputs.values()))


def _format_output(name: str, array: NDArray[Any]) -> str:
    type_ = "x".join([*map(str, array.shape), array.dtype.name])
    elements = np.array2string(array, threshold=_MOST_ELEMENTS, edgeitems=3)
    between = "\n" if "\n" in elements else " "
    return f"{name}: {type_}{between}{elements}\n"


def _text(value: float | list[float] | list[dict[str, Any]]) -> str:
    if isinstance(value, list):
        counts = Counter(each["served_by"] for each in value if isinstance(each, dict))
        words = [f"{count} {name}" for name, count in counts.items()]
        words += [_text(each) for each in value if not isinstance(each, dict)]
        return " ".join(words)
    return f"{value:.3g}" if isinstance(value, float) else str(value)
