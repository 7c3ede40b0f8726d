"""The back end `xbuf` of `torch.compile`.

    fast = torch.compile(model, backend="xbuf")
    fast(x)

PyTorch traces the model, and AOTAutograd makes graphs of ATen ops of it: one for
inference, or one forwards and one backwards. Each becomes native code. A graph that
cannot be compiled, or a call whose checks fail, is computed by PyTorch. A warning says
so, once.
"""

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import Any, Final, get_type_hints

from xdsl_bufferization.runtime.errors import EngineError, ProgramError
from xdsl_bufferization.runtime.processors.processor import processor_or_this
from xdsl_bufferization.support.frames import in_one_piece
from xdsl_bufferization.support.suggestions import hint

from .changing_weights import FunctionOfWeights
from .decompositions import decompositions
from .differences import UnsupportedGraphError, refuse_choices, refuse_other_traces
from .fallbacks import place_in, reason_of, say_once
from .frameworks import (
    aot_autograd,
    boxed,
    partition,
    static_inputs,
    torch,
    with_sizes_of,
)
from .function import NOT_COMPILED, TensorFunction, compile_graph
from .graphs import has_open_sizes, program_of
from .lowering import start_process
from .random_numbers import draw_before

_Call = Callable[..., Any]

_UNSUPPORTED: Final = (UnsupportedGraphError, *NOT_COMPILED)
"""What says that a graph cannot be compiled."""

_MOST_SIZES: Final = 64
"""For how many sizes a graph is compiled, if it cannot be for all sizes at once."""

_FEW_SIZES: Final = 8
"""From so many on, a graph is compiled for more only if half of all calls need not."""


@dataclass(frozen=True)
class BackendOptions:
    """What `torch.compile(..., options={...})` may say."""

    optimize: bool = True
    threads: int | None = None
    checked: bool | None = None
    """None: where torch-mlir's programs are known to need it."""

    cpu: str | None = None
    """The processor that code is generated for; None: as `XBUF_CPU` says."""

    strict: bool = False
    """Whether it is an error where PyTorch would have to compute something."""

    keep_weights: bool = True
    """Whether weights are packed once, and again only when they change."""


def xbuf(
    graph_module: Any,
    example_inputs: Sequence[object],
    options: dict[str, bool | int | str | None] | None = None,
    mode: str | None = None,
) -> Callable[..., object]:
    """The back end: what `torch.compile(model, backend="xbuf")` calls for each graph.

    `options` are those of `torch.compile`: `optimize`, `threads`, `checked` and `cpu`
    mean what they mean for `jit`. With `strict`, what cannot be compiled is an error,
    and PyTorch computes nothing. `keep_weights=False` packs weights in each call, for
    programs that write into them without PyTorch's knowledge. There is no `mode`.
    Raises `TypeError` for another option or value, `EngineError` for a processor whose
    code cannot run here, and `ImportError` without torch-mlir.
    """
    chosen = _chosen(options or {}, mode)
    # Of a graph, this error would mean that PyTorch computes it.
    processor_or_this(chosen.cpu)
    try:
        refuse_other_traces(graph_module.graph)
    except UnsupportedGraphError as error:
        if chosen.strict:
            raise
        say_once(f"PyTorch computes a graph, as {reason_of(error)}")
        return graph_module.forward
    table = decompositions()
    start_process()  # PyTorch traces the graphs in the meantime.

    def compile_forward(graph: Any, inputs: Sequence[Any]) -> _Call:
        return _compiled(graph, inputs, chosen, static_inputs())

    def compile_backward(graph: Any, inputs: Sequence[Any]) -> _Call:
        return _compiled(graph, inputs, chosen, frozenset())

    back_end: Any = aot_autograd(
        fw_compiler=compile_forward,
        bw_compiler=compile_backward,
        decompositions=table,
        partition_fn=partition(),
    )
    return in_one_piece(lambda: back_end(graph_module, example_inputs))


def _chosen(options: dict[str, Any], mode: str | None) -> BackendOptions:
    types = get_type_hints(BackendOptions)
    if mode is not None:
        raise TypeError(
            f"the back end xbuf has no mode '{mode}'; "
            f"its options are {', '.join(types)}"
        )
    for name, value in options.items():
        if name not in types:
            meant = hint(name, types) or f"; there is {', '.join(types)}"
            raise TypeError(f"the back end xbuf has no option '{name}'{meant}")
        if not isinstance(value, types[name]):
            expected = getattr(types[name], "__name__", types[name])
            raise TypeError(f"option '{name}' is {value!r}; expected {expected}")
    return BackendOptions(**options)


def _compiled(
    graph: Any,
    inputs: Sequence[Any],
    options: BackendOptions,
    weights: frozenset[int],
) -> _Call:
    if not options.keep_weights:
        weights = frozenset()
    try:
        _refuse_other_devices(inputs)
        drawn, draws = draw_before(graph)
        guarded = _guarded(drawn, options, weights)
    except _UNSUPPORTED as error:
        _say_who_computes(graph, options, error)
        return boxed(graph.forward)
    if not draws:
        return boxed(guarded)

    def draw_and_call(*inputs: Any) -> Any:
        return guarded(*inputs, *(draw() for draw in draws))

    return boxed(draw_and_call)


def _guarded(
    graph: Any, options: BackendOptions, weights: frozenset[int]
) -> "_Guarded":
    """Code for all sizes that are left open; if there is none, for those of a call."""
    try:
        function = _compile(graph, options, weights)
    except _UNSUPPORTED:  # With the sizes of a call, there may be code.
        if not has_open_sizes(graph.graph):
            raise
        function = None
    if function is not None and weights:
        function = _with_changing_weights(function, graph, options, weights)
    return _Guarded(function, graph, options, weights)


def _with_sizes_of(graph: Any, inputs: Sequence[Any]) -> Any:
    try:
        return with_sizes_of(graph, inputs)
    except Exception as error:  # Whatever PyTorch raises where it traces a graph.
        raise UnsupportedGraphError(
            f"PyTorch does not trace it for the sizes of a call: {reason_of(error)}"
        ) from error


def _say_who_computes(graph: Any, options: BackendOptions, error: Exception) -> None:
    """Warn that PyTorch computes a graph, and why; raise an error if that is strict."""
    reason = reason_of(error)
    reason += place_in(graph.graph, reason)
    if options.strict:
        raise UnsupportedGraphError(reason) from error
    count = sum(node.op == "call_function" for node in graph.graph.nodes)
    say_once(f"PyTorch computes a graph of {count} ops, as {reason}")


def _with_changing_weights(
    function: TensorFunction, graph: Any, options: BackendOptions, weights: Set[int]
) -> FunctionOfWeights:
    def compile_as_they_are() -> TensorFunction | None:
        try:
            return _compile(graph, options, frozenset())
        except _UNSUPPORTED:
            return None  # The function of packed weights goes on, as before.

    return FunctionOfWeights(function, compile_as_they_are, weights)


def _compile(
    graph: Any, options: BackendOptions, weights: frozenset[int]
) -> TensorFunction:
    refuse_choices(graph.graph)
    program = program_of(graph)
    checked = options.checked
    if checked is None:
        checked = program.needs_checks
    return compile_graph(
        program,
        weights=weights,
        optimize=options.optimize,
        threads=0 if options.threads is None else options.threads,
        checked=checked,
        cpu=options.cpu,
    )


class _Guarded:
    """A compiled graph, and what is done when a check of it fails.

    torch-mlir translates some graphs with open sizes to programs whose sizes contradict
    each other, and others not at all. Such a graph is compiled for the sizes of each
    call. What fails there as well is computed by PyTorch, which has errors of its own.
    """

    def __init__(
        self,
        function: TensorFunction | FunctionOfWeights | None,
        graph: Any,
        options: BackendOptions,
        weights: frozenset[int],
    ):
        self._function = function
        self._graph = graph
        self._options = options
        self._weights = weights
        self._by_sizes: dict[object, TensorFunction | None] = {}
        """Code for the sizes of a call; None if there can be none."""
        self._reuses = 0
        """How many calls had sizes that there was code for."""

    def __call__(self, *inputs: Any) -> Any:
        if self._function is not None:
            try:
                return self._function(*inputs)
            except ProgramError as error:
                if not self._function.is_dynamic:
                    return self._computed_by_pytorch(inputs, error)
            except EngineError as error:  # A tensor that cannot be read.
                return self._computed_by_pytorch(inputs, error)
        try:
            function = self._for_sizes_of(inputs)
        except _UNSUPPORTED as error:
            _say_who_computes(self._graph, self._options, error)
            function = None
        if function is None:
            return self._graph.forward(*inputs)
        try:
            outputs = function(*inputs)
        except ProgramError as error:
            return self._computed_by_pytorch(inputs, error)
        self._function = None  # The sizes were what failed.
        return outputs

    def _for_sizes_of(self, inputs: Sequence[Any]) -> TensorFunction | None:
        if self._is_hopeless:
            return None
        key = tuple(getattr(value, "shape", value) for value in inputs)
        if key in self._by_sizes:
            self._reuses += 1
        else:
            self._refuse_many_sizes()
            try:
                graph = _with_sizes_of(self._graph, inputs)
                self._by_sizes[key] = _compile(graph, self._options, self._weights)
            except _UNSUPPORTED:  # A later call of these sizes does not try again.
                self._by_sizes[key] = None
                raise
        return self._by_sizes[key]

    @property
    def _is_hopeless(self) -> bool:
        """Whether there is no code for the first sizes: it is not about sizes."""
        tried = [*self._by_sizes.values()]
        return bool(tried) and tried[0] is None

    def _refuse_many_sizes(self) -> None:
        count = len(self._by_sizes)
        if count == _MOST_SIZES:
            raise UnsupportedGraphError(
                f"it has been compiled for {_MOST_SIZES} sizes; call torch.compile "
                "with dynamic=False"
            )
        if count >= _FEW_SIZES and self._reuses < count:
            raise UnsupportedGraphError(
                "it would have to be compiled for its sizes in each call"
            )

    def _computed_by_pytorch(self, inputs: Sequence[Any], error: Exception) -> Any:
        if self._options.strict:
            raise error
        outputs = self._graph.forward(*inputs)  # Or PyTorch's own error.
        say_once(f"PyTorch computes a call of a graph, as {reason_of(error)}")
        return outputs


def _refuse_other_devices(inputs: Sequence[Any]) -> None:
    for value in inputs:
        if isinstance(value, torch().Tensor) and value.device.type != "cpu":
            raise UnsupportedGraphError(
                f"a tensor is on the device {value.device}, and code is compiled for "
                "the processor"
            )
