"""The command line: what it prints, and how it fails."""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from harness.running.command_line import PROGRAM, Fails, line_of_failure

from xdsl_bufferization.tools.run.run_report import format_outputs, format_rows
from xdsl_bufferization.tools.xbuf import main


@pytest.fixture(autouse=True)
def in_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are named without a directory."""
    monkeypatch.chdir(tmp_path)
    Path("ok.mlir").write_text(PROGRAM)


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Fails:
    """`fails("run", ...)` is the first line that xbuf writes."""

    def run(*arguments: str) -> str:
        return line_of_failure(capsys, arguments)

    return run


def write(text: str) -> str:
    Path("bad.mlir").write_text(text)
    return "bad.mlir"


def test_what_a_program_prints_is_not_in_the_object(capsys: pytest.CaptureFixture[str]):
    text = "func.func @entry(%x: f32) {\n  vector.print %x : f32\n  return\n}\n"
    Path("print.mlir").write_text(text)
    np.savez("x.npz", arg0=np.float32(1.5))
    arguments = ["run", "print.mlir", "--inputs", "x.npz", "--repeat", "1"]
    assert main([*arguments, "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["copies"] == 0
    assert set(captured.err.split()) == {"1.5"}
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("1.5\n")


def test_json_is_one_object_with_all_fields(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "ok.mlir", "--check", "--json", "--repeat", "4"]) == 0
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert captured.err == ""
    assert list(report) == [
        "max_rel_error",
        "allocs",
        "frees",
        "live_bytes",
        "peak_bytes",
        "copies",
        "caller_copies",
        "seconds",
        "gflops",
        "compile_seconds",
        "kernels",
        "threads",
        "mean_seconds",
        "deviation_seconds",
        "cpu",
    ]
    assert report["max_rel_error"] == 0
    assert len(report["seconds"]) == 4


def test_text_has_a_line_per_field(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "ok.mlir"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines][:2] == ["allocs", "frees"]


def test_numbers_have_units(capsys: pytest.CaptureFixture[str]):
    assert main(["run", "ok.mlir", "--repeat", "1", "--no-optimize"]) == 0
    units = {
        name: " ".join(rest)
        for name, _, *rest in map(str.split, capsys.readouterr().out.splitlines())
    }
    assert units == {
        "allocs": "buffers",
        "frees": "buffers, before the call returned",
        "live_bytes": "bytes, once the results were collected",
        "peak_bytes": "bytes, of all buffers at a time, with what aligns them",
        "copies": "copies of buffers",
        "caller_copies": "copies more, if the caller keeps its arrays",
        "seconds": "s, of each call",
        "gflops": "GFLOP/s, by the median time",
        "compile_seconds": "s, from tensors to code",
        "threads": "threads at most",
    }


def test_results_are_printed_as_numpy_prints_them(capsys: pytest.CaptureFixture[str]):
    np.savez("in.npz", arg0=np.arange(4, dtype=np.float32), arg1=np.float32(9))
    run = ["run", "ok.mlir", "--inputs", "in.npz", "--show"]
    assert main(run) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("result0: 4xfloat32 [9. 1. 2. 3.]\nallocs ")
    assert main([*run, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "result0: 4xfloat32 [9. 1. 2. 3.]\n"
    json.loads(captured.out)


def test_results_are_printed_as_tpp_run_prints_them(
    capsys: pytest.CaptureFixture[str],
):
    np.savez("in.npz", arg0=np.arange(4, dtype=np.float32), arg1=np.float32(9.5))
    assert main(["run", "ok.mlir", "--inputs", "in.npz", "-print"]) == 0
    assert capsys.readouterr().out.startswith("( 9.5, 1, 2, 3 )\nallocs ")


def test_a_benchmark_has_a_mean_and_a_deviation(capsys: pytest.CaptureFixture[str]):
    run = ["run", "ok.mlir", "-n", "7", "--no-optimize"]
    assert main(run) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines]
    assert "seconds" not in names
    assert {"mean_seconds", "deviation_seconds"} < {*names}
    assert main([*run, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    seconds = np.array(report["seconds"])
    assert len(seconds) == 7
    np.testing.assert_allclose(report["mean_seconds"], seconds.mean())
    np.testing.assert_allclose(report["deviation_seconds"], seconds.std())


def test_rows_have_all_numbers():
    cube = np.arange(12, dtype=np.float64).reshape(2, 3, 2)
    outputs = {"result0": cube, "result1": np.array(True), "arg0": np.zeros(3)}
    assert format_rows(outputs).splitlines() == [
        "( 0, 1 )",
        "( 2, 3 )",
        "( 4, 5 )",
        "( 6, 7 )",
        "( 8, 9 )",
        "( 10, 11 )",
        "1",
    ]
    assert format_rows({"arg0": np.array([1e-9, 1j])}) == "( (1e-09,0), (0,1) )\n"


def test_large_results_are_shortened():
    large = np.arange(90_000).reshape(300, 300)
    text = format_outputs({"result0": large, "result1": np.array(1.5, np.float32)})
    lines = text.splitlines()
    assert lines[0] == "result0: 300x300xint64"
    assert lines[1] == "[[    0     1     2 ...   297   298   299]"
    assert lines[-1] == "result1: float32 1.5"
    assert len(lines) == 9


def test_gen_and_run(capsys: pytest.CaptureFixture[str]):
    layers = [
        "--batch",
        "4",
        "--layers",
        "3,8,2",
        "--bias",
        "--relu",
        "--kernel",
        "args",
    ]
    assert main(["gen", *layers]) == 0
    Path("mlp.mlir").write_text(capsys.readouterr().out)
    assert main(["run", "mlp.mlir", "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["max_rel_error"] < 1e-5


def test_inputs_and_outputs(capsys: pytest.CaptureFixture[str]):
    np.savez("in.npz", arg0=np.arange(4, dtype=np.float32), arg1=np.float32(9))
    arguments = ["--inputs", "in.npz", "--outputs", "out.npz", "--check"]
    assert main(["run", "ok.mlir", *arguments]) == 0
    with np.load("out.npz") as loaded:
        assert loaded["result0"].tolist() == [9, 1, 2, 3]
    capsys.readouterr()


def test_a_failed_check_reports_and_fails(capsys: pytest.CaptureFixture[str]):
    assert main(["gen", "--layers", "16,16", "--batch", "4"]) == 0
    Path("mlp.mlir").write_text(capsys.readouterr().out)
    arguments = ["run", "mlp.mlir", "--check", "--json", "--tolerance"]
    assert main([*arguments, "1e-30"]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out)["max_rel_error"] > 1e-30
    assert "error: the results differ" in captured.err.splitlines()[0]
    with pytest.raises(SystemExit):
        main([*arguments, "-1"])
    assert "'-1' is no number from 0 on" in capsys.readouterr().err


# Bad input, one line each.


def test_a_missing_file(fails: Fails):
    assert fails("run", "no.mlir") == "no.mlir: error: No such file or directory"


def test_a_directory(fails: Fails):
    assert fails("run", ".") == ".: error: Is a directory"


def test_what_is_not_text(fails: Fails):
    Path("bad.mlir").write_bytes(b"func.func @a() {\n  \xff\n}")
    assert fails("run", "bad.mlir") == "bad.mlir:2:3: error: this is not UTF-8 text"


def test_a_syntax_error(fails: Fails):
    file = write(PROGRAM.replace("into %t", "onto %t"))
    assert fails("run", file).startswith("bad.mlir:3:25: error: Expected 'into'")


def test_an_attribute_that_xdsl_asserts(fails: Fails):
    file = write(
        """
        func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
          %0 = linalg.generic {indexing_maps = 1, iterator_types = []}
            outs(%t : tensor<4xf32>) {
          } -> tensor<4xf32>
        }"""
    )
    assert fails("run", file).startswith("bad.mlir:")


def test_an_unregistered_operation(fails: Fails):
    file = write("func.func @f() {\n  %0 = foo.bar : i32\n  return\n}")
    assert fails("run", file) == (
        "bad.mlir:2:8: error: Operation foo.bar is not registered: dialect 'foo' is "
        "not known; install the package that has it, or load it into the context"
    )


@pytest.mark.parametrize(
    "op, close",
    [
        ("arith.subbi", "arith.subi"),
        ("linalg.matmull", "linalg.matmul"),
        ("arit.addi", "arith"),
        ("xsmm.gem", "xsmm.gemm"),
    ],
)
def test_an_operation_whose_name_is_close_to_another(op: str, close: str, fails: Fails):
    line = fails("run", write(f"func.func @f() {{\n  %0 = {op} : i32\n  return\n}}"))
    assert line.startswith(f"bad.mlir:2:8: error: Operation {op} is not registered: ")
    assert f"did you mean {close}?" in line


def test_a_region_that_does_not_end(fails: Fails):
    file = write("func.func @f(%c: i1) {\n  scf.if %c {\n  }\n  return\n")
    assert fails("run", file) == (
        "bad.mlir:5:1: error: expected an operation, a block such as '^bb1:', or the "
        "'}' of the region that begins at 1:22"
    )


def test_something_between_operations(fails: Fails):
    file = write("func.func @f(%c: i1) {\n  scf.if %c {\n    )\n  }\n  return\n}")
    assert fails("run", file) == (
        "bad.mlir:3:5: error: expected an operation, a block such as '^bb1:', or the "
        "'}' of the region that begins at 2:13"
    )


def test_two_functions_with_one_name(fails: Fails):
    file = write("func.func private @f()\n\nfunc.func private @f()")
    assert fails("run", file) == (
        "bad.mlir:3:1: error: 'func.func' op: Redefinition of symbol \"f\", which "
        "line 1 defines"
    )


def test_a_literal_with_too_few_elements(fails: Fails):
    constant = "  %0 = arith.constant dense<[1.0, 2.0]> : tensor<4xf32>\n"
    assert fails("run", write(f"func.func @f() {{\n{constant}  return\n}}")) == (
        "bad.mlir:2:28: error: Shape mismatch in dense literal. Expected [4] shape "
        "from the type, but got [2] shape."
    )


def test_a_literal_without_elements(fails: Fails):
    constant = "  %0 = arith.constant dense<> : tensor<4xf32>\n"
    assert fails("run", write(f"func.func @f() {{\n{constant}  return\n}}")) == (
        "bad.mlir:2:28: error: Expected at least one element in the dense literal, "
        "but got None"
    )


def test_a_program_nested_too_deeply(fails: Fails):
    depth = 2000
    text = "func.func @f(%c: i1) {\n" + "scf.if %c {\n" * depth + "}\n" * depth
    line = fails("run", write(text + "return\n}"))
    assert "this is nested more than 2000 levels deep" in line


def test_an_operation_that_does_not_verify(fails: Fails):
    file = write(PROGRAM.replace("return %0 : tensor<4xf32>", "return"))
    assert fails("run", file).startswith("bad.mlir:4:3: error: 'func.return' op: ")


def test_a_verifier_that_raises_a_bare_exception(fails: Fails):
    file = write(
        """func.func @f(%x: i32, %c: i1) -> i32 {
  %0 = "scf.while"(%x) ({
  ^bb0(%a: i64):
    scf.condition(%c) %x : i32
  }, {
  ^bb0(%a: i32):
    scf.yield %a : i32
  }) : (i32) -> i32
  return %0 : i32
}"""
    )
    assert fails("run", file).startswith("bad.mlir:2:8: error: 'scf.while'")


def test_an_operation_without_a_model(fails: Fails):
    file = write(
        PROGRAM.replace(
            "tensor.insert %x into %t[%c0] : tensor<4xf32>",
            '"test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>',
        )
    )
    for check in ([], ["--check"]):
        line = fails("run", file, *check)
        assert line.startswith("bad.mlir:3:8: error: ")
        assert "'test.op'" in line


def test_a_tensor_left_at_a_boundary(fails: Fails):
    line = fails("run", "ok.mlir", "--pipeline", "one-shot-bufferize")
    assert line.startswith("ok.mlir:1:1: error: argument 0 of @entry is still a tensor")
    assert "bufferize-function-boundaries" in line


def test_an_unknown_pass(fails: Fails):
    line = fails("run", "ok.mlir", "--pipeline", "cse,one-shot-bufferise")
    assert line == (
        "--pipeline:1:5: error: there is no pass 'one-shot-bufferise'; "
        "do you mean 'one-shot-bufferize'?"
    )


def test_an_unknown_option_of_a_pass(fails: Fails):
    line = fails("run", "ok.mlir", "--pipeline", "one-shot-bufferize{copy-all=true}")
    assert line.startswith(
        "--pipeline:1:20: error: pass 'one-shot-bufferize' has no option 'copy-all'; "
        "it has allow-return-allocs-from-loops, "
    )


def test_a_wrong_value_of_an_option(fails: Fails):
    line = fails(
        "run", "ok.mlir", "--pipeline", "one-shot-bufferize{buffer-alignment=x}"
    )
    assert line.startswith("--pipeline:1:1: error: wrong option of pass 'one-shot-buff")


def test_a_pipeline_that_cannot_be_read(fails: Fails):
    line = fails("run", "ok.mlir", "--pipeline", "cse{")
    assert line == "--pipeline:1:5: error: Expected argument name here"


def test_a_wrong_shape_names_the_argument(fails: Fails):
    np.savez("in.npz", arg0=np.zeros(3, np.float32), arg1=np.float32(9))
    assert fails("run", "ok.mlir", "--inputs", "in.npz") == (
        "ok.mlir:1:1: error: argument 0 (%t) of @entry, tensor<4xf32>, "
        "is not a 3xfloat32, which 'arg0' of in.npz is"
    )


def test_dynamic_sizes_need_inputs(fails: Fails):
    file = write("func.func @f(%t: tensor<?xf32>) {\n  return\n}")
    assert fails("run", file) == (
        "bad.mlir:1:1: error: argument 0 (%t) of @f, tensor<?xf32>, "
        "has dynamic sizes; give it with --inputs"
    )


def test_an_entry_must_be_chosen(fails: Fails):
    file = write("func.func @a() {\n  return\n}\nfunc.func @b() {\n  return\n}")
    assert (
        fails("run", file) == "bad.mlir: error: choose a function with --entry: @a, @b"
    )
    line = fails("run", file, "--entry", "c")
    assert line == "bad.mlir: error: there is no public function @c; there is @a, @b"


def test_a_function_that_is_nowhere(fails: Fails):
    file = write(
        """func.func private @nowhere(f32) -> f32
func.func @f(%x: f32) -> f32 {
  %0 = func.call @nowhere(%x) : (f32) -> f32
  return %0 : f32
}"""
    )
    assert fails("run", file).startswith(
        "bad.mlir:2:1: error: undefined symbol: nowhere"
    )


def test_an_output_that_cannot_be_written(fails: Fails):
    line = fails("run", "ok.mlir", "--outputs", "no/out.npz")
    assert line == "no/out.npz: error: No such file or directory"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gen", "--layers", "3"], "xbuf gen: error: argument --layers: '3' is less"),
        (["gen", "--layers", "3,x"], "xbuf gen: error: argument --layers: 'x' is not"),
        (["gen", "--batch", "0"], "xbuf gen: error: argument --batch: 0 is not"),
        (["gen", "--tiles", "3,4"], "xbuf gen: error: argument --tiles: '3,4' is not"),
        (["gen", "--vnni", "2"], "xbuf gen: error: --vnni needs --float-type bf16"),
        (["run"], "xbuf run: error: the following arguments are required: FILE"),
        (["explian"], "xbuf: error: there is no command 'explian'; do you mean 'expl"),
        (["a.mlir"], "xbuf: error: there is no command 'a.mlir'; to run a program: xb"),
        (["--chek", "run", "a"], "xbuf: error: unrecognized arguments: --chek; do you"),
        (["zzz"], "xbuf: error: there is no command 'zzz'; xbuf --help lists them"),
    ],
)
def test_wrong_arguments_of_the_tool(fails: Fails, arguments: list[str], message: str):
    assert fails(*arguments).startswith(message)


def test_the_name_alone_shows_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith("usage: xbuf")
    assert "explain" in said
    assert said.endswith("\nxbuf: error: there is no command\n")


def test_a_defect_is_reported_as_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def broken(_: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("xdsl_bufferization.tools.run.run.run", broken)
    assert main(["run", "ok.mlir"]) == 70
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "ok.mlir: error: internal error, please report it: ZeroDivisionError: a defect "
        "(XBUF_TRACEBACK=1 shows where)"
    ]
    monkeypatch.setenv("XBUF_TRACEBACK", "Off")
    assert main(["run", "ok.mlir"]) == 70
    assert capsys.readouterr().err.splitlines() == lines
    monkeypatch.setenv("XBUF_TRACEBACK", "1")
    assert main(["run", "ok.mlir"]) == 70
    assert "Traceback" in capsys.readouterr().err


def test_an_interrupt_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("xdsl_bufferization.tools.run.run.run", interrupted)
    assert main(["run", "ok.mlir"]) == 130
    assert capsys.readouterr().err == "xbuf: error: interrupted\n"


# What needs a process of its own.

XBUF = [sys.executable, "-m", "xdsl_bufferization.tools.xbuf"]


def test_a_reader_that_stops_reading_is_no_error():
    # Unbuffered, Python itself loses the error of a write that is cut short.
    environment = {**os.environ, "PYTHONUNBUFFERED": ""}
    process = subprocess.Popen(
        [*XBUF, "gen", "--seed", "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 141


SMALL = "gen --batch 1 --layers 1,1"


@pytest.mark.parametrize(
    ("command", "unbuffered"),
    ((SMALL, ""), (SMALL, "1"), ("run --help", "")),
)
def test_a_full_disk_is_one_line(command: str, unbuffered: str):
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with Path("/dev/full").open("w") as full:
        result = subprocess.run(
            [*XBUF, *command.split()],
            stdout=full,
            stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            text=True,
            check=False,
        )
    assert result.stderr == "xbuf: error: No space left on device\n"
    assert result.returncode == 1


@pytest.mark.volume(sample=3)
@pytest.mark.parametrize(
    ("command", "closed", "code"),
    (
        ("gen --batch 1 --layers 1,1", 1, 0),
        ("build ok.mlir -o ok.o", 1, 0),
        ("run ok.mlir", 1, 0),
        ("run ok.mlir", 2, 0),
        ("run missing.mlir", 2, 1),
        ("run -", 0, 1),
        ("--help", 1, 0),
    ),
)
def test_a_closed_stream_is_an_empty_one(command: str, closed: int, code: int):
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", *XBUF, *command.split()],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stderr
    assert "internal error" not in done.stderr


def test_the_version_is_output(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    printed = capsys.readouterr()
    assert printed.out == f"xbuf {version('xdsl-bufferization')}\n"
    assert not printed.err


def test_a_pass_loads_no_others(tmp_path: Path):
    """Whoever asks for no proof waits for none of the passes that proofs look at."""
    file = tmp_path / "empty.mlir"
    file.write_text("builtin.module {\n}\n")
    code = (
        "import sys\n"
        "from xdsl_bufferization.tools.xbuf import main\n"
        f"main(['opt', '-p', 'verify-mlir-22', {str(file)!r}])\n"
        "rooms = ('bufferization.analyses', 'pipelines.')\n"
        "rooms = tuple(f'xdsl_bufferization.{room}' for room in rooms)\n"
        "light = ('universe', 'registry', 'pass_files', 'transform_dialect', 'alone')\n"
        # These name passes, and import none.
        "light += ('available_passes', 'steps', 'pass_bundle')\n"
        "print([name for name in sys.modules if name.startswith(rooms)\n"
        "       and name.rpartition('.')[2] not in light])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.endswith("\n[]\n")


def test_help_loads_no_compiler():
    code = (
        "import sys\n"
        "from xdsl_bufferization.tools.xbuf import main\n"
        "try:\n"
        "    main(['run', '--help'])\n"
        "except SystemExit:\n"
        "    pass\n"
        "print({'numpy', 'llvmlite', 'xdsl', 'rich'} & set(sys.modules))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.endswith("\nset()\n")
