"""How fast whole networks of PyTorch run, beside PyTorch and other runtimes.

    python benchmarks/models.py [--models mlp,vit] [--threads 1,2] [--quick]
    python benchmarks/models.py --profile --models vit --cpu x86-64-v3

Needs PyTorch and torch-mlir. Of the peers, those run that are installed: PyTorch eager,
`torch.compile` with a C++ compiler, ONNX Runtime (with onnx), OpenVINO.

Each network has a process for each number of threads. In that process all runners have
turns, each time in another order. A network or a peer that fails has its error in place
of its figures. Prints tables in Markdown:

- milliseconds of a call, the median of all turns; the median ratio to PyTorch eager and
  to the fastest peer: above 1, ours is faster
- seconds of processor time from the parsed program to a function, by passes, and by
  what makes code
- the most bytes that a call allocates at one time, what its buffers need at least, and
  how many copies a call executes
- the largest difference to PyTorch, over the largest number of the result

With `--profile`, the parts of our code that took the time are printed instead.
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from lesser_processor import add_cpu, begin_again_for, described, is_comparable

_TURN_SECONDS = 0.1
"""How long the calls of one turn take at least: threads that slept begin slowly."""

_SPIN_SECONDS = 0.3
"""How long the threads of a pool may spin before they sleep: 0.2 for OpenMP's."""

_MOST_SECONDS = 900
"""How long a network may take, with all that is compiled for it."""

_MAY_CRASH: Final = "inductor"
"""The peer without which a network is measured if its process ends by a signal.

Code of PyTorch 2.13 for AVX-512 wrote outside of its arrays on a Zen 4, also alone.
"""

_MOST_NESTS: Final = 25
"""So many parts of a network are printed."""

_QUICK_TURNS: Final = 5
_TURNS: Final = 15

NAMES: Final = (
    *("mlp", "resnet18", "nanogpt", "bert", "unet", "separable", "mobilenet", "vit"),
    *("mixer", "decode", "lstm", "efficientnet", "convnext", "prefill", "gru", "audio"),
    *("squeezenet", "dcgan", "pointnet", "tcn", "translator", "recommender"),
)
PEER_NAMES: Final = ("eager", "inductor", "ONNX Runtime", "OpenVINO")


def measure(
    name: str, threads: int, turns: int, peers: Iterable[str]
) -> dict[str, Any]:
    """All figures of a network, in this process."""
    import torch
    from models_list import made
    from models_runners import PEERS, Runner, ours

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    model, inputs = made(name)
    failures: dict[str, str] = {}
    figures: dict[str, Any] = {}
    runners: dict[str, Runner] = {}
    for peer in peers:
        try:
            runner = PEERS[peer](model, inputs, threads)
            runner.call()
            runners[peer] = runner
        # Whatever a peer raises is its row of the table, and not the end of the others.
        except Exception as error:
            failures[peer] = _described(error)
    try:
        runners["ours"], found = ours(model, inputs, threads)
        figures = {
            **found._asdict(),
            "difference": _difference(runners["ours"].call(), model(*inputs)),
        }
    # So is what we raise: the peers are measured all the same.
    except Exception as error:
        failures["ours"] = _described(error)
    return {
        "seconds": _turns(runners, threads, turns),
        "compile_seconds": {who: each.compile_seconds for who, each in runners.items()},
        "ours": figures,
        "failures": failures,
    }


def _described(error: Exception) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:200]


def _difference(results: Any, expected: Any) -> float:
    """The largest difference, over the largest number that is expected."""
    if not isinstance(expected, tuple):
        results, expected = (results,), (expected,)
    return max(
        float((ours - theirs).abs().max() / theirs.abs().max())
        for ours, theirs in zip(results, expected, strict=True)
    )


def _turns(
    runners: Mapping[str, Any], threads: int, turns: int
) -> dict[str, list[float]]:
    """The seconds of a call, for each turn of each runner."""
    seconds: dict[str, list[float]] = {who: [] for who in runners}
    repeats = {who: _repeats(each) for who, each in runners.items()}
    order = list(runners)
    for _ in range(turns):
        random.shuffle(order)
        for who in order:
            # Each runner has threads of its own, for the same cores. Nobody can ask
            # whether those of the runner before are asleep, so that it is waited for.
            if threads > 1:
                time.sleep(_SPIN_SECONDS)
            runners[who].call()
            seconds[who].append(_seconds(runners[who], repeats[who]))
    return seconds


def _repeats(runner: Any) -> int:
    return max(1, math.ceil(_TURN_SECONDS / _seconds(runner, 2)))


def _seconds(runner: Any, repeats: int) -> float:
    started = time.perf_counter()
    for _ in range(repeats):
        runner.call()
    return (time.perf_counter() - started) / repeats


def _in_new_process(
    name: str, threads: int, turns: int, peers: Sequence[str]
) -> dict[str, Any]:
    command = [sys.executable, __file__, "--alone", "--models", name]
    command += ["--threads", str(threads), "--turns", str(turns)]
    command += ["--peers", ",".join(peers)]
    environment = {
        **os.environ,
        "OMP_NUM_THREADS": str(threads),
        "MKL_NUM_THREADS": str(threads),
        "XBUF_CACHE": "off",
    }
    found, code, why = answer_of(command, environment)
    if found is not None:
        return found
    if code < 0 and _MAY_CRASH in peers:
        others = [each for each in peers if each != _MAY_CRASH]
        found = _in_new_process(name, threads, turns, others)
        found["failures"].setdefault(_MAY_CRASH, why)
        return found
    return {"failures": {"ours": why}}


def answer_of(
    command: Sequence[str], environment: Mapping[str, str]
) -> tuple[Any, int, str]:
    """What a process prints as its last line, in JSON.

    If there is none: None, the exit code, and what went wrong.
    """
    try:
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=_MOST_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return None, 0, f"took longer than {_MOST_SECONDS} s"
    lines = done.stdout.splitlines()
    if not done.returncode and lines:
        return json.loads(lines[-1]), 0, ""
    last = (done.stderr.strip().splitlines() or [""])[-1]
    return None, done.returncode, f"exit code {done.returncode}: {last}"[:200]


# Tables.


def _ratio(results: Mapping[str, Any], who: str) -> float | None:
    """The median of how often faster ours is."""
    seconds = results.get("seconds", {})
    if who not in seconds or "ours" not in seconds:
        return None
    pairs = zip(seconds[who], seconds["ours"], strict=True)
    return statistics.median(theirs / ours for theirs, ours in pairs)


def _fastest_peer(results: Mapping[str, Any]) -> str | None:
    seconds: Mapping[str, list[float]] = results.get("seconds", {})
    medians = {
        who: statistics.median(each)
        for who, each in seconds.items()
        if who != "ours" and is_comparable(who)
    }
    return min(medians, key=lambda who: medians[who]) if medians else None


def _row(name: str, results: Mapping[str, Any], peers: Sequence[str]) -> list[str]:
    seconds = results.get("seconds", {})
    ours = results.get("ours", {})
    fastest = _fastest_peer(results)
    cells = [name]
    for who in ("ours", *peers):
        known = who in seconds
        cells.append(f"{statistics.median(seconds[who]) * 1e3:.2f}" if known else "-")
    for who in ("eager", fastest):
        ratio = None if who is None else _ratio(results, who)
        cells.append("-" if ratio is None else f"{ratio:.2f}")
    if not ours:
        return [*cells, *["-"] * 7]
    return [
        *cells,
        f"{ours['passes_seconds']:.2f}",
        f"{ours['code_seconds']:.2f}",
        f"{ours['peak_bytes'] / 1e6:.2f}",
        f"{ours['bound_bytes'] / 1e6:.2f}",
        f"{ours['peak_bytes'] / max(1, ours['bound_bytes']):.2f}",
        f"{ours['copies']}",
        f"{ours['difference']:.1e}",
    ]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _mean(ratios: Iterable[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    return f"{statistics.geometric_mean(known):.2f} of {len(known)}" if known else "-"


def print_table(names: Sequence[str], threads: int, turns: int, peers: Sequence[str]):
    """Measure the networks by a number of threads, and print a row for each."""
    header = [
        f"{threads} thread{'s' * (threads > 1)}, ms",
        *("ours", *map(described, peers)),
        *("eager/ours", "fastest/ours", "passes s", "code s"),
        *("peak MB", "bound MB", "peak/bound", "copies", "difference"),
    ]
    print(_line(header))
    print(_line(["---"] * len(header)))
    found: dict[str, Mapping[str, Any]] = {}
    for name in names:
        found[name] = _in_new_process(name, threads, turns, peers)
        print(_line(_row(name, found[name], peers)), flush=True)
    eager = _mean(_ratio(each, "eager") for each in found.values())
    fastest = _mean(
        _ratio(each, who) if (who := _fastest_peer(each)) else None
        for each in found.values()
    )
    print(f"\nGeometric means: eager/ours {eager}, fastest peer/ours {fastest}\n")
    for name, results in found.items():
        for who, why in results.get("failures", {}).items():
            print(f"- {name}, {who}: {why}")
    print(flush=True)


def print_profile(name: str, threads: int, turns: int) -> None:
    """Print which parts of our code took the time, in this process."""
    import torch
    from models_list import made
    from models_runners import profile

    torch.set_grad_enabled(False)
    print(f"{name}, {threads} thread{'s' * (threads > 1)}")
    for line in profile(*made(name), threads, turns)[:_MOST_NESTS]:
        print(line)
    print(flush=True)


def main() -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--models", default=",".join(NAMES), help="names, by commas")
    parser.add_argument("--threads", default="1,2", help="numbers of threads")
    parser.add_argument(
        "--peers", default=",".join(PEER_NAMES), help="names, by commas"
    )
    parser.add_argument("--turns", type=int, default=_TURNS)
    parser.add_argument(
        "--quick", action="store_true", help="few turns, and PyTorch eager alone"
    )
    parser.add_argument(
        "--profile", action="store_true", help="print which parts took the time"
    )
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    add_cpu(parser)
    args = parser.parse_args()
    names, peers = args.models.split(","), args.peers.split(",")
    counts = [int(text) for text in args.threads.split(",")]
    if args.alone:
        print(json.dumps(measure(names[0], counts[0], args.turns, peers)))
        return 0
    begin_again_for(args.cpu)
    if args.profile:
        for name in names:
            print_profile(name, counts[0], args.turns)
        return 0
    if args.quick:
        args.turns, peers = _QUICK_TURNS, ["eager"]
    for threads in counts:
        print_table(names, threads, args.turns, peers)
    return 0


if __name__ == "__main__":
    sys.exit(main())
