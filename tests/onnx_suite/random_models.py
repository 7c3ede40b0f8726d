"""Random models of ONNX's ops, as cases.

    case = random_case(7)
    onnx.printer.to_text(case.model)

Each node is drawn with its options. ONNX Runtime and ONNX's reference run it at once,
as a model of its own. Where neither does, or where their numbers differ, it is drawn
again. Operands have all types, and sizes of zero and one. Some are inputs, others are
known.

Two ways to add numbers up give results that are nearly the same. Ops such as `Floor`
and `ArgMax` would make other numbers of them, and take exact values only: multiples of
1/64. Inputs are quarters.
"""

# ONNX is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnxruntime
from drawing import LARGEST, MOST_TRIALS, SIZES
from onnx import helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator
from onnx_suite.cases import Case
from onnx_suite.model_steps import JUMPS, STEPS, TYPES, Draw, Node, dtype_of

OPSETS = (13, 18, 21, 23, 26)

MOST_ELEMENTS = 5_000
"""A result with more elements, or with a number that is too large, is drawn again."""

COUNTS = (1, 1, 1, 1, 2, 2, 3)
"""How many operands steps have."""

_DIGITS = {"float16": 2e-3, "bfloat16": 2e-2, "float64": 1e-6}
"""What results of the two may differ by, for each type; 2e-4 for others."""


@dataclass
class _Model:
    """What has been drawn so far."""

    opset: int
    values: dict[str, np.ndarray] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    results: list[str] = field(default_factory=list)


def random_case(seed: int) -> Case:
    """A model of a few nodes, with inputs and what it makes of them."""
    draw = Draw(seed)
    model = _Model(draw.choice(OPSETS))
    dtype = TYPES[seed % len(TYPES)]
    sizes = [draw.choice(SIZES) for _ in range(4)]
    for _ in range(draw.randint(1, 3)):
        _add_leaf(
            draw, model, _argument(draw, sizes, dtype), is_known=not draw.randrange(4)
        )
    length = draw.randint(1, 6)
    for _ in range(MOST_TRIALS):
        if len(model.nodes) == length:
            break
        _add_node(draw, model)
    outputs = model.results[-1:]
    outputs += [each for each in model.results[:-1] if draw.random() < 0.4]
    proto = _proto(
        model.opset, model.nodes, model.values, model.inputs, outputs, model.known
    )
    ops = [each.op_type for each in model.nodes]
    expected = [model.values[each] for each in outputs]
    given = [model.values[each] for each in model.inputs]
    largest = max((_digits(each) for each in expected), default=0)
    name = f"random {seed}: {' '.join(ops)}"
    return Case("random", name, proto, [(given, expected)], largest, largest)


def _argument(draw: Draw, sizes: Sequence[int], dtype: str) -> np.ndarray:
    dtype = draw.choice([dtype, dtype, draw.choice(TYPES)])
    rank = draw.choice([0, 1, 2, 2, 3, 3, 4, 4])
    shape = draw.shape(sizes, rank)
    return draw.quarters(dtype_of(dtype), *shape)


def _add_leaf(draw: Draw, model: _Model, value: np.ndarray, *, is_known: bool) -> str:
    name = f"v{len(model.values)}"
    model.values[name] = np.asarray(value)
    (model.known if is_known else model.inputs).append(name)
    return name


def _add_node(draw: Draw, model: _Model) -> None:
    count = draw.choice(COUNTS)
    kind, make = draw.choice([*STEPS[count].items()])
    names = [draw.choice([*model.values]) for _ in range(count)]
    values = [model.values[name] for name in names]
    if kind in JUMPS and not all(map(_is_exact, values)):
        return
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            node = make(draw, *values)
    except Exception:  # NumPy's own: the options do not fit these operands.
        return
    if node.op in ("Div", "Mod") and not node.operands[1].all():
        return  # ONNX does not say what integers divided by 0 are.
    results = results_of(node, model.opset)
    if results is None:
        return
    operands = []
    for each in node.operands:
        place = next((n for n, value in enumerate(values) if value is each), None)
        if place is not None:
            operands.append(names[place])
        elif each is None:
            operands.append("")
        else:
            is_known = draw.random() < 0.8
            operands.append(_add_leaf(draw, model, each, is_known=is_known))
    first = len(model.values)
    outputs = [f"v{first + n}" for n in range(len(results))]
    model.values |= zip(outputs, results, strict=True)
    model.results += outputs
    model.nodes.append(_made(node, operands, outputs))


def case_of(node: Node, *, opset: int = 21, known: Sequence[int] = ()) -> Case:
    """A model of one node; operands with some numbers are known, and others inputs."""
    values, outputs = _values_of(node), [f"o{n}" for n in range(node.outputs)]
    results = results_of(node, opset)
    assert results is not None, f"ONNX does not run {node.op}"
    constants = [f"i{n}" for n in known]
    inputs = [name for name in values if name not in constants]
    given = [values[name] for name in inputs]
    values |= zip(outputs, results, strict=True)
    proto = _proto(opset, [_alone(node, outputs)], values, inputs, outputs, constants)
    digits = max(map(_digits, results))
    return Case("random", node.op, proto, [(given, results)], digits, digits)


def _values_of(node: Node) -> dict[str, np.ndarray]:
    return {f"i{n}": each for n, each in enumerate(node.operands) if each is not None}


def _alone(node: Node, outputs: Sequence[str]) -> Any:
    """The node, where the operands have the names that `_values_of` gives them."""
    operands = ["" if each is None else f"i{n}" for n, each in enumerate(node.operands)]
    return _made(node, operands, outputs)


def _made(node: Node, operands: list[str], outputs: Sequence[str]) -> Any:
    """A node of ONNX; operands that are left out at the end have no name."""
    while operands and not operands[-1]:
        operands.pop()
    return helper.make_node(node.op, operands, outputs, **node.attributes)


def results_of(node: Node, opset: int) -> list[np.ndarray] | None:
    """What a node gives; None if nobody knows, or if it is large."""
    values = _values_of(node)
    outputs = [f"o{n}" for n in range(node.outputs)]
    try:
        proto = _proto(opset, [_alone(node, outputs)], values, [*values], outputs, [])
        shape_inference.infer_shapes(proto, check_type=True, strict_mode=True)
    except Exception:  # ONNX's own: a type that an attribute may not have.
        return None
    found = [_of_runtime(proto, values), _of_reference(proto, values)]
    first, *rest = filter(None, found) if any(found) else [[]]
    if not first or not all(_is_fit(each) for one in (first, *rest) for each in one):
        return None
    return first if all(_are_alike(first, other) for other in rest) else None


def _of_runtime(proto: Any, values: dict[str, np.ndarray]) -> list[np.ndarray] | None:
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(
            proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return [np.asarray(each) for each in session.run(None, values)]
    except Exception:  # ONNX Runtime raises many kinds for nodes that it lacks.
        return None


def _of_reference(proto: Any, values: dict[str, np.ndarray]) -> list[np.ndarray] | None:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = ReferenceEvaluator(proto).run(None, values)
        return [np.asarray(each) for each in found]
    except Exception:  # The reference raises many kinds for nodes that it lacks.
        return None


def _digits(value: np.ndarray) -> float:
    return _DIGITS.get(value.dtype.name, 2e-4)


def _are_alike(ours: Sequence[np.ndarray], theirs: Sequence[np.ndarray]) -> bool:
    return all(
        (one.shape, one.dtype) == (other.shape, other.dtype)
        and np.allclose(
            one.astype(np.float64),
            other.astype(np.float64),
            _digits(one),
            _digits(one) * max(1.0, abs(one.astype(np.float64)).max(initial=0)),
            equal_nan=True,
        )
        for one, other in zip(ours, theirs, strict=True)
    )


def _is_exact(value: np.ndarray) -> bool:
    numbers = 64 * value.astype(np.float64)
    return bool((numbers == np.rint(numbers)).all())


def _is_fit(value: np.ndarray) -> bool:
    if value.dtype.name not in TYPES or value.size > MOST_ELEMENTS:
        return False
    numbers = value.astype(np.float64)
    return bool((np.isfinite(numbers) & (np.abs(numbers) <= LARGEST)).all())


def _proto(
    opset: int,
    nodes: Sequence[Any],
    values: dict[str, np.ndarray],
    inputs: Sequence[str],
    outputs: Sequence[str],
    known: Sequence[str],
) -> Any:
    def declared(name: str) -> Any:
        value = values.get(name)
        if value is None:
            return helper.make_empty_tensor_value_info(name)
        code = helper.np_dtype_to_tensor_dtype(value.dtype)
        return helper.make_tensor_value_info(name, code, value.shape)

    graph = helper.make_graph(
        list(nodes),
        "model",
        [declared(name) for name in inputs],
        [declared(name) for name in outputs],
        [numpy_helper.from_array(values[name], name) for name in known],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    made.ir_version = 10
    return made
