"""What is known of processors by their names."""

import re
import subprocess

import pytest
from harness.oracles.tools import find_oracle

from xdsl_bufferization.runtime.processors.names import (
    NAMES,
    NATIVE,
    features_of,
    problem_of,
)

NOT_FOR_PROGRAMS = frozenset(
    [
        "adx",
        "aes",
        "avx512vp2intersect",
        "cldemote",
        "clflushopt",
        "clwb",
        "clzero",
        "cmov",
        "cmpccxadd",
        "enqcmd",
        "fsgsbase",
        "hreset",
        "invpcid",
        "kl",
        "movdir64b",
        "movdiri",
        "mwaitx",
        "pclmul",
        "pconfig",
        "pku",
        "prefetchi",
        "ptwrite",
        "rdpid",
        "rdpru",
        "rdrnd",
        "rdseed",
        "serialize",
        "sgx",
        "sha",
        "sha512",
        "shstk",
        "sm3",
        "sm4",
        "tsxldtrk",
        "uintr",
        "vaes",
        "vpclmulqdq",
        "waitpkg",
        "wbnoinvd",
        "widekl",
        "x87",
        "xsavec",
        "xsaveopt",
        "xsaves",
    ]
)
"""What LLVM uses only where it is asked to, and what every processor of x86-64 has."""


@pytest.mark.oracle
@pytest.mark.parametrize("name", [each for each in NAMES if each != NATIVE])
def test_features_are_those_that_clang_knows(name: str):
    command = [find_oracle("clang-22"), f"-march={name}", "--target=x86_64-linux-gnu"]
    command += ["-x", "c", "-", "-S", "-emit-llvm", "-o", "-"]
    text = subprocess.run(
        command, input="void f(){}", capture_output=True, text=True, check=True
    ).stdout
    known = re.search(r'"target-features"="([^"]*)"', text)
    assert known is not None
    features = {each[1:] for each in known[1].split(",") if each.startswith("+")}
    assert features_of(name) <= features
    assert features - features_of(name) <= NOT_FOR_PROGRAMS


def test_each_level_has_more_than_the_one_before():
    levels = [features_of(f"x86-64-v{number}") for number in (2, 3, 4)]
    assert features_of("x86-64") < levels[0] < levels[1] < levels[2]
    assert {"avx2", "fma"} <= levels[1]
    assert not any(feature.startswith("avx512") for feature in levels[1])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("haswel", "there is no processor 'haswel'; did you mean haswell?"),
        ("X86-64-V3", "'X86-64-V3'; did you mean x86-64-v3 or x86-64-v4 or x86-64-v2?"),
        ("zen3", "there is no processor 'zen3'; did you mean znver3?"),
        ("", "the names are native, x86-64-v2, x86-64-v3, x86-64-v4 and those of LLVM"),
        ("fast\n" * 99, "there is no processor 'fast"),
    ],
)
def test_another_name_is_refused(name: str, said: str):
    problem = problem_of(name)
    assert problem is not None
    assert said in problem
    assert len(problem) < 300


def test_known_names_are_right():
    assert not any(map(problem_of, NAMES))
