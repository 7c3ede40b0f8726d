"""What compiling an MLP of N layers costs: default-tpp-passes, and making code.

    python benchmarks/tpp_compile.py [--layers 2,20,200] [--passes 5]

Prints a row for each number of layers:

- the seconds of all passes, and those from buffers to loaded code
- the exponent of growth of both since the row before
- the passes that took longest

Parsing and printing do not count. All are seconds of processor time, the faster of two
runs, each in a process of its own.
"""

import argparse
import sys
import time

from measuring import Cost, describe_machine, exponent, in_new_process

from xdsl_bufferization.bufferization.context import get_context
from xdsl_bufferization.dialects.parsing import parse_module
from xdsl_bufferization.pipelines.compile import compile_module
from xdsl_bufferization.pipelines.default_tpp_passes import DefaultTppPassesPass
from xdsl_bufferization.pipelines.pass_bundle import unbundle
from xdsl_bufferization.tools.gen.gen import MlpOptions, mlp

_WIDTH = 64
"""Of every layer: what the passes cost does not depend on it."""

_DOCUMENT = (128, 256, 512)
"""The layers of the MLP that the TPP document follows."""


_CODE = "code"
"""What making code counts as, among the passes."""


def measure(layers: tuple[int, ...]) -> dict[str, float]:
    """Seconds of each pass and of code, by name, for an MLP with bias and ReLU."""
    context = get_context()
    options = MlpOptions(256, layers, bias=True, relu=True)
    module = parse_module(mlp(options), "mlp.mlir", context)
    seconds: dict[str, float] = {}
    for each in unbundle([DefaultTppPassesPass()]):
        start = time.process_time()
        each.apply(context, module)
        spent = time.process_time() - start
        seconds[each.name] = seconds.get(each.name, 0.0) + spent
    start = time.process_time()
    compile_module(module)
    seconds[_CODE] = time.process_time() - start
    return seconds


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--layers", default="2,20,200", help="numbers of layers")
    parser.add_argument("--passes", type=int, default=4, help="to name in a row")
    args = parser.parse_args()
    print(describe_machine())
    header = f"{'layers':>8}{'passes':>9}{'code':>9}{'ms/layer':>10}{'exp.':>6}"
    print(f"{header}  longest passes")
    _print_row("document", _DOCUMENT, None, args.passes)
    before: Cost | None = None
    for text in args.layers.split(","):
        count = int(text)
        before = _print_row(text, (_WIDTH,) * (count + 1), before, args.passes)
    return 0


def _print_row(
    name: str, layers: tuple[int, ...], before: Cost | None, shown: int
) -> Cost:
    runs = [in_new_process(measure, layers) for _ in range(2)]
    best = min(runs, key=lambda run: sum(run.values()))
    count = len(layers) - 1
    now = Cost(count, sum(best.values()))
    growth = "" if before is None else f"{exponent(before, now):.2f}"
    code = best.pop(_CODE)
    longest = sorted(best.items(), key=lambda item: -item[1])[:shown]
    passes = ", ".join(f"{which} {seconds:.2f}" for which, seconds in longest)
    each = now.work / count * 1000
    print(
        f"{name:>8}{now.work - code:9.2f}{code:9.2f}{each:10.1f}{growth:>6}  {passes}",
        flush=True,
    )
    return now


if __name__ == "__main__":
    sys.exit(main())
