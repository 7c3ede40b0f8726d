"""A sample through `xbuf.jit(module, example, dynamic_shapes=...)`.

    called = exported(function, sample, is_compiled=True)
    called(*sample.arguments, **sample.named)

All sizes are left open, or none is. If they are open, the program is exported for
tensors of twice the sizes, if PyTorch takes these.
"""

# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch_suite.op_samples import Sample, enlarged_call, leaves

from xdsl_bufferization import jit


class _Call(torch.nn.Module):
    """A call as a module whose arguments are tensors alone."""

    def __init__(self, function: Callable[..., Any], sample: Sample) -> None:
        super().__init__()
        self._function = function
        flat, self._spec = pytree.tree_flatten((sample.arguments, sample.named))
        self._others = [None if isinstance(x, torch.Tensor) else x for x in flat]
        self._places = [n for n, x in enumerate(flat) if isinstance(x, torch.Tensor)]

    def forward(self, *tensors: torch.Tensor) -> Any:
        flat = [*self._others]
        for place, tensor in zip(self._places, tensors, strict=True):
            flat[place] = tensor
        arguments, named = pytree.tree_unflatten(flat, self._spec)
        return self._function(*arguments, **named)


def exported(
    function: Callable[..., Any], sample: Sample, *, is_compiled: bool
) -> Callable[..., Any]:
    """The function of a sample, exported and compiled, or computed by PyTorch."""
    call, sizes = _Call(function, sample), None
    larger = enlarged_call(function, sample) if sample.has_open_sizes else None
    example = _tensors(larger or (sample.arguments, sample.named))
    if sample.has_open_sizes:
        auto = torch.export.Dim.AUTO
        sizes = (tuple(dict.fromkeys(range(x.dim()), auto) for x in example),)
    if is_compiled:
        run = jit(call, example, dynamic_shapes=sizes)
    else:
        run = torch.export.export(call, example, dynamic_shapes=sizes).module()

    def called(*arguments: Any, **named: Any) -> Any:
        return run(*_tensors((arguments, named)))

    return called


def _tensors(value: Any) -> tuple[torch.Tensor, ...]:
    return tuple(each for each in leaves(value) if isinstance(each, torch.Tensor))
