"""Write the PyTorch corpus: each model of `models.py` as an .mlir and an .npz file.

Run by hand, in an environment with PyTorch and torch-mlir (README.md); nothing else in
the project imports either. A run writes the same files each time, up to the last bits
of floating-point results, which depend on the machine.

    python export.py            all models
    python export.py mlp cnn    these models

NAME.mlir holds one function, @main, as linalg on tensors. NAME.npz holds its arguments
`arg0`, `arg1`, ... and what PyTorch itself computed from them, `result0`, ...
"""

# PyTorch and torch-mlir are not installed where the project is checked.
# pyright: standard, reportMissingImports=false, reportAttributeAccessIssue=false

import argparse
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from models import CORPUS, Entry
from torch import Tensor, nn
from torch_mlir import fx, ir
from torch_mlir.extras.fx_importer import FxImporterHooks

HERE = Path(__file__).parent
SEED = 2023


class DenseWeights(FxImporterHooks):
    """Import weights as `dense` constants; torch-mlir itself uses `dense_resource`."""

    def resolve_literal(self, gni: Any, literal: Any, info: Any) -> ir.Value | None:
        if not isinstance(literal, Tensor):
            return None
        # Weights are fake tensors during import: `tolist` works on them, `numpy` not.
        values = np.array(literal.tolist(), np.float32)
        assert literal.dtype == torch.float32, literal.dtype
        return ir.Operation.create(
            "torch.vtensor.literal",
            results=[gni._cc.tensor_to_vtensor_type(literal)],
            attributes={"value": ir.DenseElementsAttr.get(values)},
        ).result


def export(entry: Entry, directory: Path) -> None:
    """Write `entry`'s module, its arguments and its results into `directory`."""
    torch.manual_seed(SEED)
    model = entry.model().eval()
    arguments = entry.inputs()
    with torch.no_grad():
        results = run(model, arguments)
    (directory / f"{entry.name}.mlir").write_text(lower(entry, model, arguments))
    arrays = named("arg", arguments) | named("result", results)
    # Not compressed: the bytes would depend on the version of zlib.
    np.savez(directory / f"{entry.name}.npz", **arrays)


def run(model: nn.Module, arguments: Sequence[Tensor]) -> Sequence[Tensor]:
    """What PyTorch computes, eagerly, always as a sequence."""
    results = model(*arguments)
    return [results] if isinstance(results, Tensor) else results


def lower(entry: Entry, model: nn.Module, arguments: Sequence[Tensor]) -> str:
    """The text of `model` as linalg on tensors."""
    with warnings.catch_warnings():
        # torch.export warns about PyTorch's own modules.
        warnings.simplefilter("ignore")
        module = fx.export_and_import(
            model,
            *arguments,
            output_type="linalg-on-tensors",
            func_name="main",
            dynamic_shapes=open_sizes(entry),
            hooks=DenseWeights() if entry.dense else None,
        )
    return f"{str(module).strip()}\n"


def open_sizes(entry: Entry) -> dict[str, Any] | None:
    """The sizes left open, as `torch.export` wants them: one name, one size."""
    if entry.dynamic is None:
        return None
    return {
        argument: {axis: torch.export.Dim(f"size{axis}") for axis in axes}
        for argument, axes in entry.dynamic.items()
    }


def named(prefix: str, tensors: Sequence[Tensor]) -> dict[str, Any]:
    """`tensors` as arrays under `prefix` and their position, contiguous."""
    return {
        f"{prefix}{position}": np.ascontiguousarray(tensor.detach().numpy()).reshape(
            tensor.shape  # ascontiguousarray gives rank 0 a dimension
        )
        for position, tensor in enumerate(tensors)
    }


def main() -> None:
    """Export the models named on the command line, or all of them."""
    parser = argparse.ArgumentParser(description="Write the PyTorch corpus.")
    known = {entry.name: entry for entry in CORPUS}
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    names = parser.parse_args().names or list(known)
    if unknown := sorted(set(names) - known.keys()):
        parser.error(f"unknown model {unknown[0]}; known: {', '.join(known)}")
    for name in names:
        export(known[name], HERE)
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
