"""What may be written at a place."""

import pytest
from harness.editing.texts import marked

from xdsl_bufferization.editing.completion import complete, describe_pass

HEAD = "#map = affine_map<(d0) -> (d0)>\n!t = tensor<4xf32>\n"
FUNCTION = "func.func @f(%a: tensor<4xf32>, %i: index) {{\n{0}\n  return\n}}\n"


def labels(line: str) -> list[str]:
    document, (place,) = marked(HEAD + FUNCTION.format(line))
    return [item.label for item in complete(document, place)]


@pytest.mark.parametrize(
    ("line", "offered", "not_offered"),
    [
        ("  %0 = tensor.extract %¦", ["%a", "%i"], ["%x"]),
        ("  scf.for {\n %x = tensor.empty()\n }\n  test.op %¦", ["%a"], ["%x"]),
        ("  %0 = tensor.¦", ["tensor.extract", "tensor.insert"], ["memref.alloc"]),
        ("  tensor.ex¦", ["tensor.extract"], []),
        ("  ¦", ["tensor", "linalg", "bufferization", "xsmm"], []),
        ("  func.call @¦", ["@f"], []),
        ("  cf.br ^¦\n^end:", ["^end"], []),
        ("  test.op {a = #¦", ["#map", "#linalg", "#gpu"], ["!t"]),
        ("  %0 = tensor.empty() : !¦", ["!t", "!llvm"], ["#map"]),
        ("  %0 = tensor.empty() : !llvm.¦", ["!llvm.ptr"], []),
        ("  %0 = memref.alloc() {¦", ["alignment"], ["operandSegmentSizes"]),
        ("  %0 = tensor.empty() : ¦", ["tensor", "f32", "index"], ["tensor.empty"]),
    ],
)
def test_offered(line: str, offered: list[str], not_offered: list[str]) -> None:
    found = labels(line)
    assert [each for each in offered if each not in found] == []
    assert [each for each in not_offered if each in found] == []


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ('// RUN: xbuf opt -p "canon¦', "canonicalize"),
        ('// RUN: xbuf opt -p "cse,one-¦', "one-shot-bufferize"),
        ('// RUN: xbuf opt -p "one-shot-bufferize{¦', "bufferize-function-boundaries"),
        ('// RUN: xbuf opt -p "one-shot-bufferize{a=1 ¦', "analysis-heuristic"),
        ("// RUN: xbuf opt --pass-pipeline='builtin.module(¦", "canonicalize"),
        ("// RUN: xbuf opt --one-shot¦", "one-shot-bufferize"),
        ('// RUN: mlir-opt -one-shot-bufferize="¦', "bufferize-function-boundaries"),
    ],
)
def test_passes_and_options_are_offered_in_commands(line: str, offered: str) -> None:
    document, (place,) = marked(line)
    assert offered in [item.label for item in complete(document, place)]


def test_what_is_written_is_replaced() -> None:
    document, (place,) = marked(FUNCTION.format("  %0 = tensor.ex¦"))
    item = complete(document, place)[0]
    assert document.text[item.range.start : item.range.end] == "tensor.ex"


def test_values_have_their_types_where_they_are_known() -> None:
    document, (place,) = marked(FUNCTION.format("  test.op %¦i"))
    details = {item.label: item.detail for item in complete(document, place)}
    assert details["%a"] == "tensor<4xf32>, 16 bytes"


def test_a_pass_is_described_with_its_options() -> None:
    assert "`bufferize-function-boundaries`" in describe_pass("one-shot-bufferize")
    assert describe_pass("nothing") == ""
