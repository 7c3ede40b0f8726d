"""The fields of the record of a call, which IR and Python find by their names."""

import ctypes
import re

from xdsl_bufferization.runtime.failure_code import failure_code
from xdsl_bufferization.runtime.failure_kinds import VALUES
from xdsl_bufferization.runtime.failure_record import RECORD_WORDS, WORDS, word

JMP_BUF_WORDS = 39
"""Of glibc on Arm, the most of the machines that are supported."""


def test_fields_are_apart():
    places = list(WORDS.values())
    assert places == sorted(set(places))
    assert WORDS["number"] == 0
    assert WORDS["call"] - WORDS["values"] >= VALUES
    assert RECORD_WORDS - WORDS["place"] >= JMP_BUF_WORDS


def test_what_setjmp_writes_is_aligned():
    """`jmp_buf` of some machines has numbers of 16 bytes."""
    assert WORDS["place"] * ctypes.sizeof(ctypes.c_int64) % 16 == 0


def test_each_field_of_a_record_has_a_name():
    found = re.findall(
        r"getelementptr i64, ptr %(?:call|whole|piece), i64 (\d+)",
        failure_code(has_stack=True),
    )
    last_value = WORDS["values"] + VALUES
    named = {*WORDS.values(), *range(WORDS["values"], last_value)}
    assert set(map(int, found)) | {WORDS["number"]} == named


def test_a_word_is_found_by_the_name_of_its_field():
    assert word("%call", "table") == "getelementptr i64, ptr %call, i64 7"
    assert word("%call", "values", 2) == "getelementptr i64, ptr %call, i64 3"
