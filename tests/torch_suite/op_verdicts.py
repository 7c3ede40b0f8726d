"""A sample through `torch.compile(..., backend="xbuf")`, compared with PyTorch.

    judge(entry, sample, "backward")      # Verdict("equal", "")

Compared are shapes, types, strides and values of what comes back, what became of the
arguments, and gradients. The tolerance is that of `torch.testing.assert_close`, or that
of the entry. Where a result is further away than that, PyTorch computes it in 64 bits.
The result is equal if the distance to that is at most a few times the one of PyTorch.
How many times is known from how many numbers a result can be the sum of.
"""

# pyright: basic, reportMissingImports=false

import copy
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from math import log2, sqrt
from typing import Any

import torch
from torch.nn.parameter import is_lazy
from torch.testing._internal.common_device_type import toleranceOverride
from torch_suite.op_elements import TIMES, WIDE, elements_differ, one_of
from torch_suite.op_exports import exported
from torch_suite.op_samples import Entry, Sample, copied, enlarged_call, leaves

from xdsl_bufferization.frontends.pytorch import fallbacks
from xdsl_bufferization.frontends.pytorch.backend import xbuf
from xdsl_bufferization.frontends.pytorch.decompositions import decompositions
from xdsl_bufferization.frontends.pytorch.differences import UnsupportedGraphError
from xdsl_bufferization.frontends.pytorch.strides import with_strides


@dataclass(frozen=True)
class Tolerances:
    """How far a result may be away."""

    by_type: dict[torch.dtype, tuple[float, float]] = field(
        default_factory=dict[torch.dtype, tuple[float, float]]
    )
    """The absolute and the relative tolerance, where an entry has its own."""

    times: float = TIMES
    """So many times as far from the exact numbers as PyTorch, in floats of 32 bits."""


_UNITS = 8
"""Of the last place of a gradient's largest element: so little may be chance."""

_MORE_WEIGHTS = 4
"""With so many other weights of the outputs, chance has to be less unlucky."""

VERDICTS = {
    "equal": "compiled, and equal",
    "fallback": "computed by PyTorch, with a warning; exported: refused by a message",
    "wrong": "another result",
    "crashed": "a signal, or an exception that PyTorch alone does not raise",
    "late": "not done in time",
    "kept": "`torch.compile` gives no op to any back end",
    "traced": "`torch.compile` computes something else with PyTorch's own back ends",
    "refused": "PyTorch itself fails, without the back end as well",
}


@dataclass(frozen=True)
class Results:
    """What a call gave, as flat lists."""

    outputs: list[Any]
    arguments: list[Any]
    """The arguments after the call, and all tensors of a module."""

    gradients: list[Any]


@dataclass(frozen=True)
class Verdict:
    """How a sample went."""

    verdict: str
    reason: str = ""
    is_core: bool | None = None
    """Whether PyTorch decomposes the sample to Core ATen.

    None: nobody asked, as backwards, and for types other than f32.
    """


class BackEnd:
    """The back end, which counts the graphs with ops that reach it."""

    def __init__(self) -> None:
        self.graphs = 0

    def __call__(self, graph: Any, inputs: Any) -> Any:
        self.graphs += any(node.op.startswith("call_") for node in graph.graph.nodes)
        return xbuf(graph, inputs, {"threads": 1})


def warm_up() -> None:
    """Import what compiling imports."""
    torch.set_num_threads(1)
    # PyTorch measures how long it takes to see whether compiled code fits a call.
    torch._dynamo.guards.profile_guard_manager = lambda *_: 0.0
    _core_decompositions()
    x = torch.ones(2, requires_grad=True)
    torch.compile(lambda x: x * x, backend=BackEnd())(x).sum().backward()


def judge(
    entry: Entry,
    sample: Sample,
    direction: str,
    dtype: torch.dtype = torch.float32,
    seed: int = 0,
) -> Verdict:
    """Run a sample by PyTorch and by the back end, and compare."""
    tolerances = Tolerances(tolerances_of(entry), times_of(sample))
    found = _judge(tolerances, sample, direction == "backward", seed, BackEnd())
    return replace(found, is_core=_is_core(sample, direction, dtype))


def judge_batch(
    samples: Sequence[Sample],
    direction: str,
    dtype: torch.dtype = torch.float32,
    seed: int = 0,
) -> list[Verdict] | None:
    """Run several calls as one program; None if not all are equal.

    None as well if PyTorch makes several programs of the calls. The tolerance is that
    of `torch.testing.assert_close`.
    """
    together = Sample(
        lambda *calls: [
            sample.function(*call[0], **call[1])
            for sample, call in zip(samples, calls, strict=True)
        ],
        tuple((sample.arguments, sample.named) for sample in samples),
        {},
        all(sample.has_values for sample in samples),
        lambda outputs: [
            sample.differentiated(output)
            for sample, output in zip(samples, outputs, strict=True)
        ],
        any(sample.by_element for sample in samples),
        any(sample.has_open_sizes for sample in samples),
    )
    breaks = torch._dynamo.utils.counters["graph_break"]
    breaks.clear()
    found = _judge(Tolerances(), together, direction == "backward", seed, BackEnd())
    if found.verdict != "equal" or breaks:
        return None
    return [
        replace(found, is_core=_is_core(sample, direction, dtype)) for sample in samples
    ]


def _is_core(sample: Sample, direction: str, dtype: torch.dtype) -> bool | None:
    if direction == "backward" or dtype != torch.float32:
        return None
    return reduces_to_core(sample)


def _judge(
    tolerances: Tolerances,
    sample: Sample,
    backward: bool,
    seed: int,
    back_end: BackEnd,
) -> Verdict:
    try:
        expected = run(sample, None, backward, seed)
    except Exception as error:
        return Verdict("refused", _line(error))
    fallbacks.forget_what_was_said()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            actual = run(sample, back_end, backward, seed)
        except UnsupportedGraphError as error:  # Of what is exported.
            return Verdict("fallback", _line(error))
        except Exception as error:
            return _raised(sample, backward, seed, error)
    fell = [w for w in said if issubclass(w.category, fallbacks.FallbackWarning)]
    reason = str(fell[0].message) if fell else ""
    problem = _differences(tolerances, sample, expected, actual, backward, seed)
    if problem.startswith("gradients") and _is_chance(
        tolerances, sample, expected, actual, seed
    ):
        problem = ""
    if "values" in problem and _draws(tolerances, sample, seed):
        # PyTorch itself draws other numbers where it traces a function.
        traced = run(sample, _traced_by_pytorch(), backward, seed)
        problem = _differences(tolerances, sample, traced, actual, backward, seed)
    # A wrong trace that was compiled is a fault: the package has to refuse it.
    traces = ("eager", "aot_eager") if fell else ("eager",)
    if problem and any(
        _is_traced_so(each, tolerances, sample, backward, seed, actual)
        for each in traces
    ):
        return Verdict("traced", problem)
    if problem:
        return Verdict("wrong", problem)
    if fell:
        return Verdict("fallback", reason)
    return Verdict("equal" if back_end.graphs else "kept")


def _is_traced_so(
    back_end: str,
    tolerances: Tolerances,
    sample: Sample,
    backward: bool,
    seed: int,
    actual: Results,
) -> bool:
    """Whether a back end of PyTorch that compiles nothing has the same results.

    `nn.Transformer` with a mask of padding is such a function: PyTorch alone makes
    zeros of what is padding. Of `linalg.pinv` of complex matrices, a graph of ATen ops
    gives others than the function does.
    """
    try:
        traced = run(sample, back_end, backward, seed)
    except Exception:  # Whatever PyTorch raises, it has no results to compare.
        return False
    return not _differences(tolerances, sample, traced, actual, backward, seed)


def _is_chance(
    tolerances: Tolerances,
    sample: Sample,
    expected: Results,
    actual: Results,
    seed: int,
) -> bool:
    """Whether it is chance that gradients are less exact than those of PyTorch.

    Those that differ must be within a few units of the last place of their largest
    element. Such an error is a sum of roundings, and among thousands of samples a few
    are large. Other weights of the outputs give other roundings. A fault remains with
    all weights.
    """
    exact = _in_64_bits(sample, True, seed)
    if exact is None:
        return False
    triples = zip(actual.gradients, expected.gradients, exact.gradients, strict=True)
    if not all(
        not _values_differ(value, wanted, tolerances) or _is_within_units(value, same)
        for value, wanted, same in triples
    ):
        return False
    return not any(
        _differences(
            tolerances,
            sample,
            run(sample, None, True, other),
            run(sample, BackEnd(), True, other),
            True,
            other,
        )
        for other in range(seed + 1, seed + 1 + _MORE_WEIGHTS)
    )


def _is_within_units(value: Any, exact: Any) -> bool:
    if not isinstance(value, torch.Tensor) or value.dtype not in _SUMMED_AS_THEY_ARE:
        return False
    unit = torch.finfo(value.dtype).eps * exact.abs().max()
    return bool(((value.to(exact.dtype) - exact).abs() <= _UNITS * unit).all())


def _draws(tolerances: Tolerances, sample: Sample, seed: int) -> bool:
    """Whether a sample draws random numbers: another seed gives other outputs."""
    one, other = (run(sample, None, False, each) for each in (seed, seed + 1))
    return "values" in _differences(tolerances, sample, one, other, False, seed)


def run(
    sample: Sample, back_end: Callable[..., Any] | str | None, backward: bool, seed: int
) -> Results:
    """Call a sample, by PyTorch alone if there is no back end."""
    function = sample.function
    if isinstance(function, torch.nn.Module):
        function = copy.deepcopy(function)
    arguments, named = copied(sample.arguments), copied(sample.named)
    called = function
    if back_end is not None:
        called = _compiled(function, sample, back_end, backward)
    torch.manual_seed(seed)
    tensors = leaves((arguments, named))
    if isinstance(function, torch.nn.Module):
        tensors += [*function.parameters(), *function.buffers()]
    if not backward:
        with torch.no_grad():
            return Results(leaves(called(*arguments, **named)), tensors, [])
    output = called(*arguments, **named)
    wanted = [t for t in tensors if isinstance(t, torch.Tensor) and t.requires_grad]
    gradients = _gradients(sample, output, wanted, seed)
    return Results(leaves(output), tensors, gradients)


def _compiled(
    function: Any, sample: Sample, back_end: Callable[..., Any] | str, backward: bool
) -> Callable[..., Any]:
    torch._dynamo.reset()
    if sample.is_exported:
        is_compiled = isinstance(back_end, BackEnd)
        if is_compiled:
            back_end.graphs = 1
        with torch.no_grad():
            return exported(function, sample, is_compiled=is_compiled)
    called = torch.compile(function, backend=back_end, dynamic=sample.has_open_sizes)
    if sample.has_open_sizes:
        _call_with_other_sizes(called, sample, backward)
    return called


def _call_with_other_sizes(
    called: Callable[..., Any], sample: Sample, backward: bool
) -> None:
    """Have a function compiled for larger tensors, if PyTorch takes them.

    What is compiled for any sizes then serves for those of the sample.
    """
    with torch.set_grad_enabled(backward):
        if larger := enlarged_call(sample.function, sample):
            arguments, named = larger
            called(*arguments, **named)


def _gradients(sample: Sample, output: Any, wanted: list[Any], seed: int) -> list[Any]:
    generator = torch.Generator().manual_seed(seed)
    outputs = [
        each
        for each in leaves(sample.differentiated(output))
        if isinstance(each, torch.Tensor) and each.requires_grad
    ]
    # Eighths, which each type has.
    weights = [
        torch.randint(-16, 17, each.shape, generator=generator).to(each.dtype) / 8
        for each in outputs
    ]
    if not outputs or not wanted:
        return []
    if sample.by_element:  # The same for one element as for all.
        weights = [torch.full_like(each, 0.75) for each in outputs]
    return list(torch.autograd.grad(outputs, wanted, weights, allow_unused=True))


def _raised(sample: Sample, backward: bool, seed: int, error: Exception) -> Verdict:
    """Whose error it is that only the compiled sample raises."""
    try:
        run(sample, "aot_eager", backward, seed)
    except Exception as other:
        return Verdict("refused", f"aot_eager: {_line(other)}")
    return Verdict("crashed", _line(error))


def _line(error: BaseException) -> str:
    while (cause := getattr(error, "inner_exception", None) or error.__cause__) and (
        cause is not error
    ):
        error = cause
    place = ""
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "xdsl" in file:
            place = f" at {file.rpartition('site-packages/')[2]}:{trace.tb_lineno}"
        trace = trace.tb_next
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}{place}"


def _differences(
    tolerances: Tolerances,
    sample: Sample,
    expected: Results,
    actual: Results,
    backward: bool,
    seed: int,
) -> str:
    """How results differ, or nothing."""
    values_differ = _comparison(tolerances, sample, backward, seed)
    for part in ("outputs", "arguments", "gradients"):
        ours, theirs = getattr(actual, part), getattr(expected, part)
        if len(ours) != len(theirs):
            return f"{part}: {len(ours)} in place of {len(theirs)}"
        for number, (value, wanted) in enumerate(zip(ours, theirs, strict=True)):
            problem = _form_differs(value, wanted)
            if problem.startswith("strides") and (
                # An exported program has the strides of its example.
                (sample.is_exported and sample.has_open_sizes)
                or _are_promised(sample, backward, seed, part, number, value)
            ):
                problem = ""
            if not problem and sample.has_values:
                problem = values_differ(part, number, value, wanted)
            if problem:
                return f"{part} {number}: {problem}"
    return ""


def _comparison(
    tolerances: Tolerances, sample: Sample, backward: bool, seed: int
) -> Callable[[str, int, Any, Any], str]:
    """From a result and the one of PyTorch to how they differ."""
    exact = cache(lambda: _in_64_bits(sample, backward, seed))

    def differ(part: str, number: int, value: Any, wanted: Any) -> str:
        if sample.by_element and isinstance(wanted, torch.Tensor):
            return elements_differ(
                value,
                wanted,
                lambda: _same_of(exact(), part, number),
                lambda n: _same_of(
                    run(one_of(sample, n), None, backward, seed), part, number
                ),
            )
        problem = _values_differ(value, wanted, tolerances)
        if not problem:
            return ""
        same = _same_of(exact(), part, number)
        is_wide = getattr(value, "dtype", None) in _SUMMED_AS_THEY_ARE
        times = tolerances.times if is_wide else TIMES
        return "" if _is_as_exact(value, wanted, same, times) else problem

    return differ


def _same_of(results: Results | None, part: str, number: int) -> Any:
    """A result of another call, if there is one."""
    values = [] if results is None else getattr(results, part)
    return values[number] if number < len(values) else None


def _form_differs(value: Any, wanted: Any) -> str:
    if not isinstance(wanted, torch.Tensor):
        return ""
    if not isinstance(value, torch.Tensor):
        return f"a {type(value).__name__} in place of a tensor"
    if value.dtype != wanted.dtype:
        return f"type {value.dtype} in place of {wanted.dtype}"
    if value.shape != wanted.shape:
        return f"shape {tuple(value.shape)} in place of {tuple(wanted.shape)}"
    if wanted.layout == torch.strided and _strides(value) != _strides(wanted):
        return f"strides {value.stride()} in place of {wanted.stride()}"
    return ""


def _strides(value: torch.Tensor) -> list[int]:
    """The strides that tell where elements are."""
    if not value.numel():
        return []
    pairs = zip(value.shape, value.stride(), strict=True)
    return [stride for size, stride in pairs if size > 1]


def _values_differ(value: Any, wanted: Any, tolerances: Tolerances) -> str:
    if not isinstance(wanted, torch.Tensor):
        same = value == wanted or (value != value and wanted != wanted)
        return "" if same else f"values: {value!r} in place of {wanted!r}"
    options = {}
    if own := tolerances.by_type.get(wanted.dtype):
        options = dict(zip(("atol", "rtol"), own, strict=True))
    try:
        torch.testing.assert_close(
            value, wanted, equal_nan=True, check_stride=False, **options
        )
    except AssertionError as error:
        return "values: " + " ".join(str(error).split())[:300]
    return ""


_SUMMED_AS_THEY_ARE = (torch.float32, torch.complex64)
"""Types with a wider one whose sums are made in the type itself."""


def times_of(sample: Sample) -> float:
    """How many times as far from the exact numbers as PyTorch a result may be.

    Compiled code adds the n terms of a sum one after the other, with rounding errors
    that grow like the square root of n. PyTorch adds pairs and blocks, with errors that
    grow like the root of log2(n). See Higham and Mary, A new approach to probabilistic
    rounding error analysis, 2019. The largest tensor of a call tells how long its sums
    can be.
    """
    function = sample.function
    tensors = leaves((sample.arguments, sample.named))
    if isinstance(function, torch.nn.Module):
        tensors += [*function.parameters(), *function.buffers()]
    # Parameters of lazy modules have no size yet.
    known = [t for t in tensors if isinstance(t, torch.Tensor) and not is_lazy(t)]
    sizes = [each.numel() for each in known]
    longest = max([2, *sizes])
    return max(TIMES, sqrt(longest / log2(longest)))


def tolerances_of(entry: Entry) -> dict[torch.dtype, tuple[float, float]]:
    """The largest tolerances that an entry gives for a test, by type."""
    found: dict[torch.dtype, tuple[float, float]] = {}
    for decorator in getattr(entry.info, "decorators", None) or ():
        for each in getattr(decorator, "decorators", [decorator]):
            if not isinstance(each, toleranceOverride):
                continue
            for dtype, allowed in each.d.items():
                old = found.get(dtype, (0.0, 0.0))
                found[dtype] = max(old[0], allowed.atol), max(old[1], allowed.rtol)
    return found


def _in_64_bits(sample: Sample, backward: bool, seed: int) -> Results | None:
    """What PyTorch computes of the same numbers in 64 bits, if it can."""

    def widened(value: Any) -> Any:
        if isinstance(value, torch.dtype):
            return WIDE.get(value, value)
        if not isinstance(value, torch.Tensor) or value.dtype not in WIDE:
            return value
        wide = value.detach().to(WIDE[value.dtype])
        return wide.requires_grad_(value.requires_grad)

    function = sample.function
    if isinstance(function, torch.nn.Module):
        is_complex = any(each.is_complex() for each in function.parameters())
        wide_type = torch.complex128 if is_complex else torch.float64
        function = copy.deepcopy(function).to(wide_type)
    tree_map = torch.utils._pytree.tree_map
    wide = Sample(
        function,
        tree_map(widened, sample.arguments),
        tree_map(widened, sample.named),
        differentiated=sample.differentiated,
    )
    try:
        return run(wide, None, backward, seed)
    except Exception:
        return None


def _is_as_exact(value: Any, wanted: Any, exact: Any, times: float) -> bool:
    """Whether a result is about as near to the exact numbers as that of PyTorch."""
    if not all(isinstance(each, torch.Tensor) for each in (value, wanted, exact)):
        return False
    if value.dtype not in WIDE or exact.dtype != WIDE[value.dtype]:
        return False
    if exact.shape != value.shape:
        return False
    finite = exact.isfinite() & wanted.isfinite()
    if not torch.equal(value[~finite].isnan(), wanted[~finite].isnan()):
        return False
    exact, value, wanted = exact[finite], value[finite], wanted[finite]
    if not exact.numel():
        return True
    room = times * (wanted.to(exact.dtype) - exact).abs().max()
    return bool(((value.to(exact.dtype) - exact).abs() <= room).all())


def _are_promised(
    sample: Sample, backward: bool, seed: int, part: str, number: int, value: Any
) -> bool:
    """Whether PyTorch's compiler has the same strides in its graph of the sample.

    That of open sizes has formulas in place of strides.
    """
    sample = replace(sample, has_open_sizes=False)
    try:
        promised = run(sample, _traced_by_pytorch(), backward, seed)
    except Exception:
        return False
    return _strides(getattr(promised, part)[number]) == _strides(value)


def _traced_by_pytorch() -> Callable[..., Any]:
    """A back end in which PyTorch computes the graphs that this package gets."""
    from torch._dynamo.backends.common import aot_autograd

    return aot_autograd(fw_compiler=_as_the_graph_says, decompositions=decompositions())


def _as_the_graph_says(graph: Any, inputs: Any) -> Callable[..., Any]:
    """A graph whose outputs have the strides that it says.

    Those of PyTorch's products of expanded tensors are others.
    """
    from functorch.compile import make_boxed_func

    (output,) = graph.graph.find_nodes(op="output")
    promised = [getattr(each, "meta", {}).get("val") for each in output.args[0]]

    def call(*given: Any) -> list[Any]:
        with torch.no_grad():
            return [*map(_laid_out, graph.forward(*given), promised)]

    return make_boxed_func(call)


def _laid_out(value: Any, like: Any) -> Any:
    """A tensor with the strides of another one, if its own are different."""
    if not isinstance(like, torch.Tensor) or _strides(value) == _strides(like):
        return value
    return with_strides(value, like.shape, like.stride())


@cache
def _core_decompositions() -> dict[Any, Any]:
    from torch._decomp import core_aten_decompositions

    return dict(core_aten_decompositions())  # A table that is made when it is read.


def reduces_to_core(sample: Sample) -> bool | None:
    """Whether PyTorch's own decompositions make Core ATen of a sample.

    None if PyTorch cannot trace the sample.
    """
    from torch.fx.experimental.proxy_tensor import make_fx

    flat, spec = torch.utils._pytree.tree_flatten((sample.arguments, sample.named))
    tensors = [each for each in flat if isinstance(each, torch.Tensor)]

    def call(*given: torch.Tensor) -> Any:
        rest = iter(given)
        filled = [next(rest) if isinstance(x, torch.Tensor) else x for x in flat]
        arguments, named = torch.utils._pytree.tree_unflatten(filled, spec)
        return sample.function(*arguments, **named)

    try:
        with torch.no_grad():
            graph = make_fx(
                call,
                decomposition_table=_core_decompositions(),
                tracing_mode="fake",
                _allow_non_fake_inputs=True,
            )(*tensors)
    except Exception:
        return None
    ops = [node.target for node in graph.graph.nodes if node.op == "call_function"]
    return all(
        torch.Tag.core in op.tags
        for op in ops
        if isinstance(op, torch._ops.OpOverload) and op.namespace != "prim"
    )
