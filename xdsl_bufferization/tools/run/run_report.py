"""What `xbuf run` reports of a run, as text or for programs.

max_rel_error   2.1e-07
allocs          4 buffers
peak_bytes      4096 bytes, of buffers at a time
seconds         0.0012 0.0011 0.0011 s, of each call

With `--show` or `--print`, what comes out stands above that.
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
    "peak_bytes": " bytes, of all buffers at a time, with what aligns them",
    "copies": " copies of buffers",
    "caller_copies": " copies more, if the caller keeps its arrays",
    "seconds": " s, of each call",
    "mean_seconds": " s, the mean of all timed calls",
    "deviation_seconds": " s, their standard deviation",
    "gflops": " GFLOP/s, by the median time",
    "compile_seconds": " s, from tensors to code",
    "kernels": "",
    "threads": " threads at most",
    "cpu": ", the processor that the code is for",
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
    caller_copies: int
    """How many arguments a call copies if its caller keeps what it passes."""
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
    mean_seconds: float | None = None
    """The mean of the timed calls; None if these are no benchmark."""
    deviation_seconds: float | None = None
    """The standard deviation of the timed calls, likewise."""
    cpu: str | None = None
    """The name of the processor that the code is for; None: the one here."""

    def as_json(self) -> str:
        """One JSON object in one line."""
        return json.dumps(dataclasses.asdict(self), allow_nan=False)

    def as_text(self) -> str:
        """One `name value` per line."""
        values = dataclasses.asdict(self)
        if self.mean_seconds is not None:
            # Of a thousand calls, nobody reads the time of each.
            del values["seconds"]
        shown = [name for name in _UNITS if values.get(name) not in (None, [])]
        width = max(map(len, shown))
        lines = [f"{n:<{width}} {_text(values[n])}{_UNITS[n]}" for n in shown]
        return "\n".join(lines)


def format_outputs(outputs: Mapping[str, NDArray[Any]]) -> str:
    """Names, types and elements, as NumPy prints them; of large arrays, the corners."""
    return "".join(map(_format_output, outputs, outputs.values()))


def format_rows(outputs: Mapping[str, NDArray[Any]]) -> str:
    """The results row by row, as tpp-run prints them: all numbers, and no names.

    Without results, what is in the buffers among the arguments.
    """
    results = [array for name, array in outputs.items() if name.startswith("result")]
    return "".join(map(_format_rows, results or outputs.values()))


def _format_rows(array: NDArray[Any]) -> str:
    if array.ndim == 0:
        return f"{_number(array.item())}\n"
    rows = array.reshape(-1, array.shape[-1]).tolist()
    return "".join(f"( {', '.join(map(_number, row))} )\n" for row in rows)


def _number(value: complex) -> str:
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, complex):
        return f"({_number(value.real)},{_number(value.imag)})"
    return f"{value:g}" if isinstance(value, float) else str(value)


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
