"""What the first call of `torch.compile` costs, beside inductor.

    python benchmarks/first_calls.py [--models mlp,gpt2] [--threads 1]

Needs PyTorch, torch-mlir and a C++ compiler for inductor. `gpt2` and `mamba` need
transformers, `hrnet` and `sequencer` need timm; those that are not installed are left
out.

Each first call is in a new process, and nothing is in a cache: neither ours nor that of
inductor. The network has run without compilation before, so that PyTorch is ready. The
clock runs from `torch.compile` to the result. Prints a table in Markdown, in seconds:

- *inductor* and *ours*, and how many times as long inductor takes
- *PyTorch*: of ours, what PyTorch takes to trace the network, to make graphs of ATen
  ops, and to run what is left out of them
- *torch-mlir*: from the graph to linalg on tensors, with imports that are not done yet
- *passes and code*: the rest, which is this package
"""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from lesser_processor import add_cpu, begin_again_for
from models import NAMES, answer_of

_WHO: Final = ("inductor", "xbuf")

Figures = Mapping[str, float]


class _FromPackage(NamedTuple):
    """A network that a package makes."""

    package: str
    make: Callable[[], tuple[Any, tuple[Any, ...]]]


def _gpt2() -> tuple[Any, tuple[Any, ...]]:
    import torch
    import transformers

    config = transformers.GPT2Config(
        n_layer=6, n_embd=384, n_head=6, vocab_size=5000, use_cache=False
    )
    return transformers.GPT2LMHeadModel(config), (torch.randint(0, 5000, (1, 64)),)


def _mamba() -> tuple[Any, tuple[Any, ...]]:
    import torch
    import transformers

    config = transformers.MambaConfig(
        num_hidden_layers=4, hidden_size=128, vocab_size=1000, use_cache=False
    )
    return transformers.MambaForCausalLM(config), (torch.randint(0, 1000, (1, 32)),)


def _of_timm(name: str) -> Callable[[], tuple[Any, tuple[Any, ...]]]:
    def make() -> tuple[Any, tuple[Any, ...]]:
        import timm
        import torch

        return timm.create_model(name), (torch.randn(1, 3, 224, 224),)

    return make


_OTHERS: Final = {
    "gpt2": _FromPackage("transformers", _gpt2),
    "mamba": _FromPackage("transformers", _mamba),
    "hrnet": _FromPackage("timm", _of_timm("hrnet_w18_small")),
    "sequencer": _FromPackage("timm", _of_timm("sequencer2d_s")),
}


def _made(name: str) -> tuple[Any, tuple[Any, ...]]:
    """A network and its inputs, the same in each process."""
    import torch

    torch.manual_seed(0)
    if name in _OTHERS:
        model, inputs = _OTHERS[name].make()
        return model.eval(), inputs
    from models_list import made

    return made(name)


def measure(name: str, who: str, threads: int) -> Figures:
    """The seconds of a first call, in this process."""
    import torch

    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)
    model, inputs = _made(name)
    expected = _tensor(model(*inputs))
    parts: dict[str, float] = {}
    if who == "xbuf":
        _measure_parts(parts)
    options = {"options": {"threads": threads, "strict": True}} if parts else {}
    started = time.perf_counter()
    result = _tensor(
        torch.compile(model, backend=who, dynamic=False, **options)(*inputs)
    )
    parts["all"] = time.perf_counter() - started
    torch.testing.assert_close(result, expected, rtol=1e-3, atol=1e-3)
    return parts


def _tensor(result: Any) -> Any:
    """What a network computes, of all that it returns."""
    result = getattr(result, "logits", result)
    return result[0] if isinstance(result, tuple) else result


def _measure_parts(parts: dict[str, float]) -> None:
    """Have the seconds of parts of the back end counted."""
    from xdsl_bufferization.frontends.pytorch import backend, graphs

    def counted(part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        parts[part] = 0.0

        def count(*arguments: Any, **named: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                parts[part] += time.perf_counter() - started

        return count

    graphs.translated = counted("torch-mlir", graphs.translated)
    backend.program_of = counted("program", backend.program_of)
    backend.compile_graph = counted("code", backend.compile_graph)


def _in_new_process(name: str, who: str, threads: int) -> Figures | str:
    command = [sys.executable, __file__, "--alone", who, "--models", name]
    command += ["--threads", str(threads)]
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            **os.environ,
            "OMP_NUM_THREADS": str(threads),
            "XBUF_CACHE": "off",
            "TORCHINDUCTOR_CACHE_DIR": folder,
        }
        found, _, why = answer_of(command, environment)
    return why if found is None else found


def _row(name: str, found: Mapping[str, Figures | str]) -> list[str]:
    inductor, ours = (found[who] for who in _WHO)
    seconds = [
        "-" if isinstance(each, str) else f"{each['all']:.1f}"
        for each in (inductor, ours)
    ]
    if isinstance(ours, str):
        return [name, *seconds, *["-"] * 4]
    ratio = "-"
    if not isinstance(inductor, str):
        ratio = f"{inductor['all'] / ours['all']:.1f}"
    package = ours["program"] - ours["torch-mlir"] + ours["code"]
    parts = ours["all"] - package - ours["torch-mlir"], ours["torch-mlir"], package
    return [name, *seconds, ratio, *(f"{each:.1f}" for each in parts)]


def print_table(names: Sequence[str], threads: int) -> None:
    """Measure the networks, and print a row for each."""
    header = ("network", "inductor", "ours", "inductor / ours")
    header += ("of ours: PyTorch", "torch-mlir", "passes and code")
    print(f"| {' | '.join(header)} |")
    print("|" + "---|" * len(header))
    ratios: list[float] = []
    problems: list[str] = []
    for name in names:
        found = {who: _in_new_process(name, who, threads) for who in _WHO}
        print(f"| {' | '.join(_row(name, found))} |", flush=True)
        problems += [
            f"- {name}, {who}: {each}"
            for who, each in found.items()
            if isinstance(each, str)
        ]
        inductor, ours = (found[who] for who in _WHO)
        if not isinstance(inductor, str) and not isinstance(ours, str):
            ratios.append(inductor["all"] / ours["all"])
    if ratios:
        mean = statistics.geometric_mean(ratios)
        print(f"\ninductor / ours: least {min(ratios):.1f}, geometric mean {mean:.1f}")
    print("\n".join(problems))


def _is_installed(name: str) -> bool:
    from importlib.util import find_spec

    return name not in _OTHERS or find_spec(_OTHERS[name].package) is not None


def main() -> int:
    """Run the benchmark from the command line."""
    description = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(description=description)
    names = ",".join(filter(_is_installed, (*NAMES, *_OTHERS)))
    parser.add_argument("--models", default=names, help="names, by commas")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    add_cpu(parser)
    args = parser.parse_args()
    if args.alone:
        print(json.dumps(measure(args.models, args.alone, args.threads)))
        return 0
    begin_again_for(args.cpu)
    print_table(args.models.split(","), args.threads)
    return 0


if __name__ == "__main__":
    sys.exit(main())
