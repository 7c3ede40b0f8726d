"""Forms of the ops of linalg: named ops; and maps, bodies, combiners of the others."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from harness.cases.forms.form import PRECISION, Form, function, numbers, tensor
from harness.cases.named_ops import element_types, program, shapes
from xdsl_bufferization import parse
from xdsl_bufferization.dialects.linalg.table import NAMED_OPS

PAIRS = (
    *((t, t) for t in ("f32", "f64", "i8", "i32", "i64", "i1", "f16", "complex<f32>")),
    *(("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("i32", "f32"), ("f32", "i32")),
)

FLOAT_COMBINERS = ("addf", "mulf", "maximumf", "minimumf", "maxnumf", "minnumf")
INTEGER_COMBINERS = (
    *("addi", "muli", "maxsi", "minsi", "maxui", "minui"),
    *("andi", "ori", "xori"),
)

MAPS = {
    "identity": "(i, j) -> (i, j)",
    "permuted": "(i, j) -> (j, i)",
    "row": "(i, j) -> (j)",
    "column": "(i, j) -> (i)",
    "constant": "(i, j) -> (0, j)",
    "diagonal": "(i, j) -> (i, i)",
    "number": "(i, j) -> ()",
    "reversed": "(i, j) -> (3 - i, j)",
    "folded": "(i, j) -> (i floordiv 2, j mod 3)",
}
OUTPUTS = ("identity", "permuted", "diagonal", "row", "column", "number")


def _allowed(text: str) -> bool:
    try:
        parse(text)
    except Exception:  # What is refused is no form.
        return False
    return True


def _named() -> Iterator[Form]:
    for row, (source, target) in product(NAMED_OPS.values(), PAIRS):
        text = program(row, source, target)
        if row.name == "linalg.fill_rng_2d" or not _allowed(text):
            continue
        elements = element_types(row, source, target)
        arguments = [
            numbers(shape, element, at, positive=True)
            for at, (shape, element) in enumerate(
                zip(shapes(row), elements, strict=True)
            )
        ]
        tolerance = max(PRECISION.get(each, 2e-5) for each in (source, target))
        is_exact = not {source, target} - {"i1", "i8", "i32", "i64"}
        name = f"{row.name} {source} {target}"
        yield Form(name, text, arguments, 0.0 if is_exact else tolerance)


def _rank(map_: str) -> int:
    return map_.partition("-> ")[2].count(",") + (not map_.endswith("()"))


def generic(
    maps: Sequence[str],
    iterators: Sequence[str],
    types: Sequence[str],
    body: str,
    more: str = "",
) -> str:
    """A program with one linalg.generic, whose last operand is the output."""
    elements = [each[7:-1].split("x")[-1] for each in types]
    names = [f"%{at}" for at in range(len(types))]
    arguments = ", ".join(
        f"%{'abcdefg'[at]}: {element}" for at, element in enumerate(elements)
    )
    inputs = (
        f"ins({', '.join(names[:-1])} : {', '.join(types[:-1])})" if names[1:] else ""
    )
    kinds = ", ".join(f'"{each}"' for each in iterators)
    texts = ", ".join(f"affine_map<{each}>" for each in maps)
    return function(
        f"""
  %r0 = linalg.generic {{indexing_maps = [{texts}],
      iterator_types = [{kinds}]}} {inputs} outs({names[-1]} : {types[-1]}) {{
  ^bb0({arguments}):
    %i = linalg.index 0 : index
    {body}
    linalg.yield %z : {elements[-1]}
  }} -> {types[-1]}""",
        types,
        [types[-1]],
        more,
    )


BODIES = {
    "f32": {
        "both": "%z = arith.subf %a, %b : f32",
        "input": "%z = arith.negf %a : f32",
        "output": "%z = arith.addf %b, %b : f32",
        "index": """%w = arith.index_cast %i : index to i32
    %v = arith.sitofp %w : i32 to f32
    %z = arith.addf %v, %a : f32""",
    },
    "i32": {
        "both": "%z = arith.subi %a, %b : i32",
        "input": "%z = arith.muli %a, %a : i32",
        "output": "%z = arith.addi %b, %b : i32",
        "index": """%w = arith.index_cast %i : index to i32
    %z = arith.muli %w, %a : i32""",
    },
}


def _maps() -> Iterator[Form]:
    """Each map of an input with each map of an output and each kind of body."""
    for element, source, target in product(BODIES, MAPS, OUTPUTS):
        for kind, body in BODIES[element].items():
            maps = [MAPS[source], MAPS[target]]
            types = [tensor([4] * _rank(each), element) for each in maps]
            kept = (
                "i" in maps[1].partition("-> ")[2],
                "j" in maps[1].partition("-> ")[2],
            )
            iterators = ["parallel" if each else "reduction" for each in kept]
            # A loop that no operand's dimension is has no length.
            known = "".join(maps[at].partition("-> ")[2] for at in range(2))
            if not all(f" {each}" in f" {known}".replace("(", "( ") for each in "ij"):
                continue
            is_odd = source in ("reversed", "folded", "constant")
            if is_odd and target not in ("identity", "permuted"):
                continue
            arguments = [
                numbers([4] * _rank(m), element, at) for at, m in enumerate(maps)
            ]
            text = generic(maps, iterators, types, body)
            yield Form(f"generic {source} to {target}, {kind}", text, arguments)


def _reductions() -> Iterator[Form]:
    elements = [(c, e) for c in FLOAT_COMBINERS for e in ("f32", "f64", "f16", "bf16")]
    elements += [(c, e) for c in INTEGER_COMBINERS for e in ("i8", "i32", "i64", "i1")]
    for combiner, element in elements:
        for target, swapped in product(("column", "row", "number"), (False, True)):
            maps = [MAPS["identity"], MAPS[target]]
            types = [tensor([3, 5], element), _output(target, element)]
            names = "%b, %a" if swapped else "%a, %b"
            kinds = [
                "parallel" if f" {n}" in _results(maps[1]) else "reduction"
                for n in "ij"
            ]
            arguments = [numbers([3, 5], element), numbers(_sizes(target), element, 1)]
            body = f"%z = arith.{combiner} {names} : {element}"
            text = generic(maps, kinds, types, body)
            tolerance = 8 * PRECISION.get(element, 0.0)
            yield Form(
                f"reduction {combiner} {element} {target}", text, arguments, tolerance
            )
        result = tensor([3], element)
        text = function(
            f"""
  %r0 = linalg.reduce {{ arith.{combiner} }} ins(%0 : {tensor([3, 5], element)})
      outs(%1 : {result}) dimensions = [1]""",
            [tensor([3, 5], element), result],
            [result],
        )
        arguments = [numbers([3, 5], element), numbers([3], element, 1)]
        yield Form(
            f"reduce {combiner} {element}",
            text,
            arguments,
            8 * PRECISION.get(element, 0.0),
        )


def _results(map_: str) -> str:
    return map_.partition("-> ")[2].replace("(", " ").replace(")", "")


def _sizes(target: str) -> list[int]:
    return {"column": [3], "row": [5], "number": []}[target]


def _output(target: str, element: str) -> str:
    return tensor(_sizes(target), element)


CALLED = """
func.func private @put(%t: tensor<4xf32>, %a: f32, %j: index) -> tensor<4xf32> {
  %u = tensor.insert %a into %t[%j] : tensor<4xf32>
  return %u : tensor<4xf32>
}"""

RICH_BODIES = {
    "insert": """%u = tensor.insert %a into %0[%i] : tensor<4xf32>
    %c0 = arith.constant 0 : index
    %z = tensor.extract %u[%c0] : tensor<4xf32>""",
    "slices": """%s = tensor.extract_slice %0[%i] [1] [1]
      : tensor<4xf32> to tensor<1xf32>
    %u = tensor.insert_slice %s into %0[1] [1] [1] : tensor<1xf32> into tensor<4xf32>
    %c1 = arith.constant 1 : index
    %z = tensor.extract %u[%c1] : tensor<4xf32>""",
    "call": """%u = func.call @put(%0, %b, %i) : (tensor<4xf32>, f32, index)
      -> tensor<4xf32>
    %c2 = arith.constant 2 : index
    %z = tensor.extract %u[%c2] : tensor<4xf32>""",
    "branch": """%c2 = arith.constant 2 : index
    %p = arith.cmpi slt, %i, %c2 : index
    %z = scf.if %p -> f32 {
      scf.yield %a : f32
    } else {
      %x = arith.subf %a, %b : f32
      scf.yield %x : f32
    }""",
    "loop": """%c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %z = scf.for %k = %c0 to %i step %c1 iter_args(%s = %a) -> f32 {
      %x = tensor.extract %0[%k] : tensor<4xf32>
      %y = arith.addf %s, %x : f32
      scf.yield %y : f32
    }""",
    "vector": """%v = vector.broadcast %a : f32 to vector<4xf32>
    %w = arith.mulf %v, %v : vector<4xf32>
    %z = vector.extract %w[1] : f32 from vector<4xf32>""",
    "elements": """%t = tensor.from_elements %b, %a : tensor<2xf32>
    %c1 = arith.constant 1 : index
    %z = tensor.extract %t[%c1] : tensor<2xf32>""",
}


def _rich_bodies() -> Iterator[Form]:
    """Bodies that compute tensors, vectors, branches, loops and calls."""
    more: dict[str, tuple[str, list[int], str]] = {
        "parallel": ("(i) -> (i)", [4], "parallel"),
        "reduction": ("(i) -> ()", [], "reduction"),
    }
    for (name, body), (kind, (map_, shape, iterator)) in product(
        RICH_BODIES.items(), more.items()
    ):
        types = ["tensor<4xf32>", tensor(shape, "f32")]
        text = generic(["(i) -> (i)", map_], [iterator], types, body, CALLED)
        arguments = [numbers([4], "f32"), numbers(shape, "f32", 1)]
        yield Form(f"body with {name}, {kind}", text, arguments, 1e-6)


def _simple() -> Iterator[Form]:
    """Ops with one form for each permutation, dimension or kind."""
    for element in ("f32", "i8", "i1", "f16", "complex<f64>"):
        a, b = tensor([2, 3, 4], element), tensor([4, 2, 3], element)
        text = function(
            f"  %r0 = linalg.transpose ins(%0 : {a}) outs(%1 : {b})"
            " permutation = [2, 0, 1]",
            [a, b],
            [b],
        )
        arguments = [numbers([2, 3, 4], element), numbers([4, 2, 3], element)]
        yield Form(f"transpose {element}", text, arguments)
        c = tensor([3], element)
        text = function(
            f"  %r0 = linalg.broadcast ins(%0 : {c}) outs(%1 : {a})"
            " dimensions = [0, 2]",
            [c, a],
            [a],
        )
        arguments = [numbers([3], element), numbers([2, 3, 4], element)]
        yield Form(f"broadcast {element}", text, arguments)
    for op, element in (("addf", "f32"), ("muli", "i32"), ("xori", "i1")):
        t = tensor([3, 4], element)
        text = function(
            f"  %r0 = linalg.map {{ arith.{op} }} ins(%0, %1 : {t}, {t})"
            f" outs(%2 : {t})",
            [t] * 3,
            [t],
        )
        yield Form(f"map {op}", text, [numbers([3, 4], element, at) for at in range(3)])
        text = function(
            f"""
  %r0 = linalg.map ins(%0 : {t}) outs(%1 : {t})
    (%a: {element}, %b: {element}) {{
      %z = arith.{op} %a, %b : {element}
      linalg.yield %z : {element}
    }}""",
            [t] * 2,
            [t],
        )
        arguments = [numbers([3, 4], element, at) for at in range(2)]
        yield Form(f"map with its init {op}", text, arguments)
    for element, axis in product(("f32", "f64"), (0, 1)):
        t = tensor([3, 4], element)
        text = function(
            f"""
  %r0 = linalg.softmax dimension({axis}) ins(%0 : {t}) outs(%1 : {t}) -> {t}""",
            [t] * 2,
            [t],
        )
        arguments = [numbers([3, 4], element, at) for at in range(2)]
        yield Form(f"softmax {element}", text, arguments, 4 * PRECISION[element])
    kinds = ("exp", "abs", "negf", "add", "sub", "mul", "div", "max_signed", "powf")
    for kind in kinds:
        count = 1 if kind in ("exp", "abs", "negf") else 2
        t = tensor([3, 4], "f32")
        names = ", ".join(f"%{at}" for at in range(count))
        text = function(
            f"""
  %r0 = linalg.elementwise kind=#linalg.elementwise_kind<{kind}>
      ins({names} : {", ".join([t] * count)}) outs(%{count} : {t}) -> {t}""",
            [t] * (count + 1),
            [t],
        )
        arguments = [
            numbers([3, 4], "f32", at, positive=True) for at in range(count + 1)
        ]
        yield Form(f"elementwise {kind}", text, arguments, 1e-6)


def _two_outputs() -> Iterator[Form]:
    """The largest number of each row, and where that is."""
    text = function(
        """
  %r0, %r1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,
      affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%0 : tensor<3x5xf32>) outs(%1, %2 : tensor<3xf32>, tensor<3xindex>) {
  ^bb0(%a: f32, %b: f32, %c: index):
    %j = linalg.index 1 : index
    %p = arith.cmpf ogt, %a, %b : f32
    %x = arith.select %p, %a, %b : f32
    %y = arith.select %p, %j, %c : index
    linalg.yield %x, %y : f32, index
  } -> (tensor<3xf32>, tensor<3xindex>)""",
        ["tensor<3x5xf32>", "tensor<3xf32>", "tensor<3xindex>"],
        ["tensor<3xf32>", "tensor<3xindex>"],
    )
    start = np.full(3, -np.inf, np.float32)
    yield Form("argmax", text, [numbers([3, 5], "f32"), start, np.zeros(3, np.int64)])


def forms() -> list[Form]:
    """All forms of linalg's ops."""
    return [
        *_named(),
        *_maps(),
        *_reductions(),
        *_rich_bodies(),
        *_simple(),
        *_two_outputs(),
    ]
