"""Textual pipelines and options are read as mlir-opt reads them."""

import pytest

from xdsl_bufferization.tools.common.diagnostics import UsageError
from xdsl_bufferization.tools.mlir_opt.arguments import separate
from xdsl_bufferization.tools.mlir_opt.pass_calls import (
    Nest,
    PassCall,
    is_nested,
    parse_pipeline,
    split_options,
)


def test_pipeline_with_nesting_and_options() -> None:
    text = "builtin.module( func.func(a{x={y=1 z} w},b), c{},builtin.module(any(d)) )"
    place = "--pass-pipeline:1:{}".format
    assert parse_pipeline(text) == (
        Nest(
            "func.func",
            (PassCall("a", "x={y=1 z} w", place(27)), PassCall("b", "", place(42))),
            place(17),
        ),
        PassCall("c", "", place(46)),
        Nest(
            "builtin.module",
            (Nest("any", (PassCall("d", "", place(69)),), place(65)),),
            place(50),
        ),
    )


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected the pipeline to be wrapped"),
        ("cse", 1, "expected the pipeline to be wrapped"),
        ("builtin.module(cse),cse", 1, "expected the pipeline to be wrapped"),
        ("func.func(cse)", 1, "can't run 'func.func' pass manager"),
        ("builtin.module(cse", 19, "expected ',' or ')' after a pass"),
        ("builtin.module(cse canonicalize)", 20, "expected ',' or ')' after a pass"),
        ("builtin.module(cse{a)", 19, "missing '}' of the options"),
        ("builtin.module(cse{a='b)", 19, "missing '}' of the options"),
        ("builtin.module(,)", 16, "expected the name of a pass or of an op"),
    ],
)
def test_wrong_pipeline(text: str, column: int, message: str) -> None:
    with pytest.raises(UsageError) as error:
        parse_pipeline(text)
    assert error.value.place == f"--pass-pipeline:1:{column}"
    assert error.value.message.startswith(message)


def test_options() -> None:
    assert [*split_options(" a  b=1,2 c={d=e f} g='h i' j= ")] == [
        ("a", None),
        ("b", "1,2"),
        ("c", "{d=e f}"),
        ("g", "'h i'"),
        ("j", ""),
    ]


def test_spelling_of_pipeline() -> None:
    assert is_nested("builtin.module(cse)")
    assert is_nested(" any (cse)")
    assert not is_nested("cse,canonicalize")
    assert not is_nested("one-shot-bufferize{a=1}")


def test_flags_are_separated() -> None:
    given = separate(
        [
            "-split-input-file",
            "--cse",
            "-a=b c=d",
            "-o",
            "-",
            "x.mlir",
            "-p",
            "any(cse)",
            "-p=cse",
            "-",
            "-v",
        ],
        {"cse", "a"},
    )
    assert given.calls == (
        PassCall("cse", "", "--cse"),
        PassCall("a", "b c=d", "--a"),
    )
    assert given.options == (
        "--split-input-file",
        "--output-file=-",
        "x.mlir",
        "--pass-pipeline=any(cse)",
        "--passes=cse",
        "-",
        "-v",
    )
