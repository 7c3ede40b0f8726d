"""A program explained as text, for editors and the playground."""

import pytest

from xdsl_bufferization.frontends.default_pipelines import PLAIN_PIPELINE
from xdsl_bufferization.tools.explain.explained_text import explain_text

DEEP = "\n".join(
    [
        "func.func @f(%a: tensor<4xf32>, %x: f32, %i: index, %c: i1) {",
        *["scf.if %c {"] * 100,
        "%0 = tensor.insert %x into %a[%i] : tensor<4xf32>",
        "%r = tensor.extract %0[%i] : tensor<4xf32>",
        *["}"] * 100,
        "return\n}\nfunc.func @g() {\n  return\n}\n",
    ]
)


@pytest.mark.parametrize("name", [None, "f"])
def test_a_deep_program_is_explained(name: str | None) -> None:
    found = explain_text(DEEP, PLAIN_PIPELINE, name)
    assert not found.is_error
    assert "@f: 2 tensor operands" in found.text
    assert ("@g" in found.text) is (name is None)


def test_an_error_of_the_rules_is_told() -> None:
    found = explain_text("func.func @f() {\n}\n", PLAIN_PIPELINE)
    assert found.is_error
    assert found.text.startswith("<document>:1:1: ")
