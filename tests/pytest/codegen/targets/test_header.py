"""The C header: descriptors as MLIR has them, names that C can spell, and rules."""

import re

from xdsl_bufferization.codegen.targets.header import c_functions, header
from xdsl_bufferization.support import abi

X = abi.MemRefSignature("f32", (4, None), written=False, name="x")
OUT = abi.MemRefSignature("f32", (4, None), written=True, name="out")


def of(*arguments: abi.ValueSignature, results: tuple[abi.ValueSignature, ...] = ()):
    return abi.FunctionSignature("f", arguments, results)


def prototypes(*signatures: abi.FunctionSignature) -> list[str]:
    text = " ".join(header("a.o", signatures).split())
    return re.findall(
        r"\*/ ((?:\w+|typedef [^;]*;[^}]*\} \w+;)[^;]*_ciface[^;]*;)", text
    )


def test_a_descriptor_is_mlirs():
    text = " ".join(header("a.o", [of(X)]).split())
    assert (
        "typedef struct { float *allocated; float *aligned; int64_t offset; "
        "int64_t sizes[2]; int64_t strides[2]; } MemRef2D_f32;"
    ) in text


def test_a_descriptor_of_rank_0_has_no_extents():
    text = " ".join(header("a.o", [of(abi.MemRefSignature("i1", ()))]).split())
    assert "uint8_t *aligned; int64_t offset; } MemRef0D_i1;" in text


def test_a_descriptor_is_declared_once_for_all_functions():
    assert header("a.o", [of(X, OUT), of(X)]).count("} MemRef2D_f32;") == 1


def test_a_buffer_goes_and_comes_by_pointer():
    assert prototypes(of(X, results=(OUT,))) == [
        "void _mlir_ciface_f(MemRef2D_f32 *result, MemRef2D_f32 *x);"
    ]


def test_a_number_goes_and_comes_by_value():
    number = abi.ScalarSignature("i32", "n")
    assert prototypes(of(number, results=(abi.ScalarSignature("f64"),))) == [
        "double _mlir_ciface_f(int32_t n);"
    ]


def test_several_results_are_one_struct():
    assert prototypes(of(results=(X, abi.ScalarSignature("index")))) == [
        "typedef struct { MemRef2D_f32 r0; int64_t r1; } f_results; "
        "void _mlir_ciface_f(f_results *result);"
    ]


def test_no_parameter_is_called_as_a_keyword_or_twice():
    names = ["int", "x", "x", "1", "result", "ümlaut", ""]
    signature = of(*(abi.ScalarSignature("i64", name) for name in names))
    (function,) = c_functions([signature])
    spelled = [name for _, name in function.arguments]
    assert spelled == ["arg0", "x", "x_", "arg3", "arg4", "arg5", "arg6"]


def test_a_name_that_c_cannot_spell_gets_a_label():
    odd = abi.FunctionSignature("a.b", (), ())
    assert prototypes(odd) == [
        'void _mlir_ciface_a_b(void) __asm__("_mlir_ciface_a.b");'
    ]


def test_names_that_become_the_same_are_told_apart():
    functions = [abi.FunctionSignature(name, (), ()) for name in ("a.b", "a-b")]
    assert [f.name for f in c_functions(functions)] == [
        "_mlir_ciface_a_b",
        "_mlir_ciface_a_b_",
    ]


def test_it_says_which_arguments_may_be_written():
    assert "may write into out */" in header("a.o", [of(X, OUT)])
    assert "may write" not in header("a.o", [of(X)])


def test_it_says_what_the_object_needs():
    text = header("a.o", [], [abi.FunctionSignature("ask", (X,), ())])
    after = text[text.index("The object needs these") :]
    assert "void _mlir_ciface_ask(MemRef2D_f32 *x);" in after


def test_a_complex_number_goes_as_two_and_comes_by_pointer():
    number = abi.ScalarSignature("complex<f32>", "z")
    assert prototypes(of(number, results=(abi.ScalarSignature("complex<f64>"),))) == [
        "void _mlir_ciface_f(double _Complex *result, float z_re, float z_im);"
    ]


def test_the_parts_of_a_number_are_not_called_as_another_parameter():
    arguments = (
        abi.ScalarSignature("f32", "z_im"),
        abi.ScalarSignature("complex<f32>", "z"),
        abi.ScalarSignature("f64", "z__re"),
    )
    assert prototypes(of(*arguments)) == [
        "void _mlir_ciface_f(float z_im, float z__re, float z__im, double z__re_);"
    ]


def test_buffers_of_complex_numbers_have_a_name_of_c():
    text = " ".join(
        header("a.o", [of(abi.MemRefSignature("complex<f64>", (4,)))]).split()
    )
    assert "double _Complex *aligned;" in text
    assert "} MemRef1D_complex_f64;" in text
