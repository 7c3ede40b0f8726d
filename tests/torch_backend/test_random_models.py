"""Random models of ONNX, and the forms of ops in which such models erred."""

# PyTorch and ONNX are not installed where the project is checked.
# pyright: basic, reportMissingImports=false

from collections.abc import Sequence

import numpy as np
import pytest
from onnx_suite.model_steps import Node, ints
from onnx_suite.random_models import case_of, random_case
from onnx_suite.run_models import FAILURES, records_of
from onnx_suite.verdicts import verdict_of

X = np.arange(2 * 4 * 2 * 3, dtype=np.float32).reshape(2, 4, 2, 3)
BYTES = np.array([200, 1, 128], np.uint8)
BOOLS = np.array([True, False, True])
PLACES = np.array([1, 1, 0])
OTHERS = np.array([False, True, False])


def test_random_models() -> None:
    cases = [random_case(number) for number in range(40)]
    records = list(records_of(cases))
    assert len(records) == len(cases)
    assert [each for each in records if each["verdict"] in FAILURES] == []


@pytest.mark.parametrize(
    ("node", "known"),
    [
        (Node("Selu", [np.array([-1.5, 1.0])]), ()),
        (Node("Selu", [np.array([-1.5, 1.0])], {"alpha": 0.5}), ()),
        *(
            (Node("DepthToSpace", [X], {"blocksize": size, "mode": mode}), ())
            for size in (1, 2)
            for mode in ("CRD", "DCR")
        ),
        *(
            (Node(op, [BOOLS, places, OTHERS], {"reduction": reduction}), ())
            for op, places in (
                ("ScatterND", PLACES[:, None]),
                ("ScatterElements", PLACES),
            )
            for reduction in ("add", "mul", "max", "min")
        ),
        (
            Node(
                "OneHot",
                [
                    np.array([-2.5, -0.25, 1.75, -6, 7], np.float32),
                    ints([5]),
                    ints([3, 8]),
                ],
            ),
            (1, 2),
        ),
        (
            Node(
                "Pad",
                [X, ints([1, 0, 2, 0]), None, ints([0, -1])],
                {"mode": "wrap"},
            ),
            (1,),
        ),
        *(
            (
                Node("Pad", [X, ints([0, 0, 0, first, 0, 0, 0, last])], {"mode": mode}),
                (1,),
            )
            for mode in ("reflect", "edge", "wrap")
            for first, last in ((1, 2), (-1, 1), (7, 0), (0, -1))
        ),
        *(
            (
                Node(
                    "Gemm", [x, x, *summand], {"alpha": 0.5, "beta": beta, "transA": 1}
                ),
                (),
            )
            for x in (X[0, 0], X[0, 0].astype(np.int32))
            for summand in ((), (x[:1],))
            for beta in (0.0, 0.5)
        ),
        *((Node(op, [BYTES, BYTES[::-1].copy()]), (1,)) for op in ("Add", "Equal")),
    ],
)
def test_forms_that_erred(node: Node, known: Sequence[int]) -> None:
    assert verdict_of(case_of(node, known=known)) == {"verdict": "equal", "reason": ""}


@pytest.mark.parametrize(
    "node",
    [
        Node("Transpose", [np.zeros((2, 0, 3), np.float32)]),
        Node(
            "Resize",
            [np.zeros((2, 0), np.float32), None, np.array([2, 1.5], np.float32)],
        ),
        Node(
            "Resize",
            [
                np.zeros((17, 2, 0, 3), np.int8),
                None,
                np.array([1, 1, 0.5, 1], np.float32),
            ],
        ),
        Node("DepthToSpace", [np.zeros((0, 4, 2, 3), np.float32)], {"blocksize": 2}),
        Node("DepthToSpace", [np.zeros((1, 4, 0, 3), np.float32)], {"blocksize": 2}),
        Node("Concat", [np.zeros((2, 0)), np.zeros((3, 0))], {"axis": 0}),
        Node("Tile", [np.ones((2, 3)), ints([0, 2])]),
    ],
)
def test_results_without_elements(node: Node) -> None:
    known = range(1, len(node.operands)) if node.op == "Tile" else ()
    verdict = verdict_of(case_of(node, known=[*known]))
    assert verdict == {"verdict": "equal", "reason": ""}
