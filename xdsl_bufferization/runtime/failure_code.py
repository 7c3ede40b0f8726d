"""The code that ends calls and notes allocations, as LLVM IR.

`failures.py` says what it is for, and `failure_record.py` what a record has.
"""

from typing import Final

from .failure_kinds import (
    CHECK_STACK,
    CURRENT_CALL,
    FAIL,
    FAIL_AFTER_LOOP,
    GUARD_ITERATIONS,
    TRACK,
    UNTRACK,
    VALUES,
)
from .failure_record import RECORD_WORDS, word
from .failure_table import TABLE

BEGIN: Final = "_xbuf_begin_call"
"""`ptr (ptr call)`: begin a call in this thread; the result is for `SETJMP`."""

END: Final = "_xbuf_end_call"
"""`void (ptr call)`: end a call; if it failed, free what is noted."""

SETJMP: Final = "_xbuf_setjmp"
"""The C library's `_setjmp`."""

STACK_MARGIN: Final = 1 << 18
"""Bytes of the stack that a checked program leaves for what is not checked: functions
of the C library, and Python where the program calls it."""

KEY: Final = "_xbuf_record_key"
"""The variable with the key by which a thread finds its record: an `i32`."""

STACK_KEY: Final = "_xbuf_stack_key"
"""The same for the end of the stack of the thread."""


def failure_code(*, has_stack: bool) -> str:
    """The code; `KEY` and `STACK_KEY` are to be set before anything is called."""
    stack = _STACK_END if has_stack else _NO_STACK_END
    return "\n".join((_DECLARATIONS, _CALLS, _PIECES, TABLE, _NOTES, stack, _STACK))


_DECLARATIONS: Final = f"""
@{KEY} = global i32 0
@{STACK_KEY} = global i32 0
declare ptr @pthread_getspecific(i32)
declare i32 @pthread_setspecific(i32, ptr)
declare i64 @pthread_self()
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare i32 @sched_yield()
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i64 @write(i32, ptr, i64)
declare void @abort() noreturn
declare ptr @llvm.frameaddress.p0(i32)
@outside = private constant [68 x i8] c"xbuf: a check failed in a thread outside of \
the loops it shares in.\\0A"
"""

_CALLS: Final = f"""
define internal ptr @record() {{
  %key = load i32, ptr @{KEY}
  %record = call ptr @pthread_getspecific(i32 %key)
  ret ptr %record
}}
define internal void @set_record(ptr %record) {{
  %key = load i32, ptr @{KEY}
  call i32 @pthread_setspecific(i32 %key, ptr %record)
  ret void
}}
define ptr @{BEGIN}(ptr %call) {{
  %before = call ptr @record()
  %before_at = {word("%call", "before")}
  store ptr %before, ptr %before_at
  %whole_at = {word("%call", "whole")}
  store ptr %call, ptr %whole_at
  call void @set_record(ptr %call)
  %place = {word("%call", "place")}
  ret ptr %place
}}
define void @{END}(ptr %call) {{
  %before_at = {word("%call", "before")}
  %before = load ptr, ptr %before_at
  call void @set_record(ptr %before)
  %table_at = {word("%call", "table")}
  %table = load ptr, ptr %table_at
  %is_empty = icmp eq ptr %table, null
  br i1 %is_empty, label %done, label %noted
noted:
  %number = load i64, ptr %call
  %succeeded = icmp eq i64 %number, 0
  br i1 %succeeded, label %drop, label %clean
clean:
  %slots_at = {word("%call", "slots")}
  %slots = load i64, ptr %slots_at
  %free_at = {word("%call", "free")}
  %free = load ptr, ptr %free_at
  call void @each(ptr %table, i64 %slots, ptr @release, ptr %free)
  br label %drop
drop:
  call void @free(ptr %table)
  store ptr null, ptr %table_at
  br label %done
done:
  ret void
}}
define internal void @release(ptr %free, ptr %allocated) {{
  call void %free(ptr %allocated)
  ret void
}}
define void @{FAIL}(i64 %number, i64 %v0, i64 %v1, i64 %v2) {{
  %call = call ptr @record()
  %is_none = icmp eq ptr %call, null
  br i1 %is_none, label %stop, label %note
note:
  store i64 %number, ptr %call
  %at0 = {word("%call", "values")}
  store i64 %v0, ptr %at0
  %at1 = {word("%call", "values", 1)}
  store i64 %v1, ptr %at1
  %at2 = {word("%call", "values", 2)}
  store i64 %v2, ptr %at2
  %place = {word("%call", "place")}
  call void @longjmp(ptr %place, i32 1)
  unreachable
stop:
  call i64 @write(i32 2, ptr @outside, i64 68)
  call void @abort()
  unreachable
}}
define ptr @{CURRENT_CALL}() {{
  %call = call ptr @record()
  ret ptr %call
}}
define internal void @lock(ptr %call) {{
  %at = {word("%call", "lock")}
  br label %try
try:
  %pair = cmpxchg ptr %at, i64 0, i64 1 acquire monotonic
  %got = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %got, label %done, label %wait
wait:
  call i32 @sched_yield()
  br label %try
done:
  ret void
}}
define internal void @unlock(ptr %call) {{
  %at = {word("%call", "lock")}
  store atomic i64 0, ptr %at release, align 8
  ret void
}}
"""

_PIECES: Final = f"""
define void @{GUARD_ITERATIONS}(
    ptr %function, ptr %data, i64 %start, i64 %end, ptr %call) {{
  %piece = alloca [{RECORD_WORDS} x i64], align 16
  %so_far = load atomic i64, ptr %call monotonic, align 8
  %goes_on = icmp eq i64 %so_far, 0
  br i1 %goes_on, label %begin, label %done
begin:
  store i64 0, ptr %piece
  %call_at = {word("%piece", "call")}
  store ptr %call, ptr %call_at
  %whole_from = {word("%call", "whole")}
  %whole = load ptr, ptr %whole_from
  %whole_at = {word("%piece", "whole")}
  store ptr %whole, ptr %whole_at
  %before = call ptr @record()
  %before_at = {word("%piece", "before")}
  store ptr %before, ptr %before_at
  call void @set_record(ptr %piece)
  %place = {word("%piece", "place")}
  %again = call i32 @_setjmp(ptr %place) returns_twice
  %failed = icmp ne i32 %again, 0
  br i1 %failed, label %back, label %run
run:
  call void %function(ptr %data, i64 %start, i64 %end)
  br label %end_piece
back:
  call void @keep(ptr %piece)
  br label %end_piece
end_piece:
  %then = load ptr, ptr %before_at
  call void @set_record(ptr %then)
  br label %done
done:
  ret void
}}
define internal void @keep(ptr %piece) noinline {{
  %call_at = {word("%piece", "call")}
  %call = load ptr, ptr %call_at
  %whole_at = {word("%piece", "whole")}
  %whole = load ptr, ptr %whole_at
  call void @lock(ptr %whole)
  %so_far = load atomic i64, ptr %call monotonic, align 8
  %is_first = icmp eq i64 %so_far, 0
  br i1 %is_first, label %copy, label %done
copy:
  %from = {word("%piece", "values")}
  %to = {word("%call", "values")}
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 {8 * VALUES}, i1 false)
  %number = load i64, ptr %piece
  store atomic i64 %number, ptr %call release, align 8
  br label %done
done:
  call void @unlock(ptr %whole)
  ret void
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @{FAIL_AFTER_LOOP}(ptr %call) {{
  %number = load atomic i64, ptr %call acquire, align 8
  %succeeded = icmp eq i64 %number, 0
  br i1 %succeeded, label %done, label %fail
fail:
  %place = {word("%call", "place")}
  call void @longjmp(ptr %place, i32 1)
  unreachable
done:
  ret void
}}
"""

_NOTES: Final = f"""
define internal ptr @whole() {{
  %call = call ptr @record()
  %is_none = icmp eq ptr %call, null
  br i1 %is_none, label %none, label %some
none:
  ret ptr null
some:
  %at = {word("%call", "whole")}
  %whole = load ptr, ptr %at
  ret ptr %whole
}}
define void @{TRACK}(ptr %allocated, i64 %number) {{
  %whole = call ptr @whole()
  %is_outside = icmp eq ptr %whole, null
  br i1 %is_outside, label %done, label %enter
enter:
  call void @lock(ptr %whole)
  %slots_at = {word("%whole", "slots")}
  %used_at = {word("%whole", "used")}
  %slots0 = load i64, ptr %slots_at
  %used = load i64, ptr %used_at
  %twice = shl i64 %used, 1
  %is_full = icmp uge i64 %twice, %slots0
  br i1 %is_full, label %make_room, label %put
make_room:
  %has_room = call i1 @grow(ptr %whole)
  br i1 %has_room, label %put, label %fail
put:
  call void @put(ptr %whole, ptr %allocated)
  %used1 = add i64 %used, 1
  store i64 %used1, ptr %used_at
  call void @unlock(ptr %whole)
  br label %done
fail:
  call void @unlock(ptr %whole)
  %free_at = {word("%whole", "free")}
  %free = load ptr, ptr %free_at
  call void %free(ptr %allocated)
  call void @{FAIL}(i64 %number, i64 0, i64 0, i64 0)
  unreachable
done:
  ret void
}}
define void @{UNTRACK}(ptr %allocated, i64 %number) {{
  %whole = call ptr @whole()
  %is_outside = icmp eq ptr %whole, null
  %is_nothing = icmp eq ptr %allocated, null
  %skips = or i1 %is_outside, %is_nothing
  br i1 %skips, label %done, label %enter
enter:
  call void @lock(ptr %whole)
  %slots_at = {word("%whole", "slots")}
  %slots = load i64, ptr %slots_at
  %has_none = icmp eq i64 %slots, 0
  br i1 %has_none, label %fail, label %look
look:
  %table_at = {word("%whole", "table")}
  %table = load ptr, ptr %table_at
  %mask = sub i64 %slots, 1
  %key = ptrtoint ptr %allocated to i64
  %slot = call i64 @find(ptr %table, i64 %mask, i64 %key)
  %at = getelementptr i64, ptr %table, i64 %slot
  %found = load i64, ptr %at
  %is_there = icmp eq i64 %found, %key
  br i1 %is_there, label %forget, label %fail
forget:
  call void @remove(ptr %table, i64 %mask, i64 %slot)
  %used_at = {word("%whole", "used")}
  %used = load i64, ptr %used_at
  %used1 = sub i64 %used, 1
  store i64 %used1, ptr %used_at
  call void @unlock(ptr %whole)
  br label %done
fail:
  call void @unlock(ptr %whole)
  call void @{FAIL}(i64 %number, i64 0, i64 0, i64 0)
  unreachable
done:
  ret void
}}
"""

_STACK_END: Final = f"""
declare i32 @pthread_getattr_np(i64, ptr)
declare i32 @pthread_attr_getstack(ptr, ptr, ptr)
declare i32 @pthread_attr_destroy(ptr)
define internal i64 @stack_end() noinline {{
  %key = load i32, ptr @{STACK_KEY}
  %known = call ptr @pthread_getspecific(i32 %key)
  %is_known = icmp ne ptr %known, null
  br i1 %is_known, label %old, label %ask
old:
  %address = ptrtoint ptr %known to i64
  ret i64 %address
ask:
  %attributes = alloca [64 x i64], align 16
  %start_at = alloca i64
  %size_at = alloca i64
  %self = call i64 @pthread_self()
  %error = call i32 @pthread_getattr_np(i64 %self, ptr %attributes)
  %failed = icmp ne i32 %error, 0
  br i1 %failed, label %unknown, label %read
read:
  call i32 @pthread_attr_getstack(ptr %attributes, ptr %start_at, ptr %size_at)
  call i32 @pthread_attr_destroy(ptr %attributes)
  %start = load i64, ptr %start_at
  %end = add i64 %start, {STACK_MARGIN}
  %kept = inttoptr i64 %end to ptr
  call i32 @pthread_setspecific(i32 %key, ptr %kept)
  ret i64 %end
unknown:
  ret i64 0
}}
"""

_NO_STACK_END: Final = """
define internal i64 @stack_end() {
  ret i64 0
}
"""

_STACK: Final = f"""
define void @{CHECK_STACK}(i64 %bytes, i64 %number) {{
  %here = call ptr @llvm.frameaddress.p0(i32 0)
  %from = ptrtoint ptr %here to i64
  %end = call i64 @stack_end()
  %room = sub i64 %from, %end
  %is_inside = icmp sge i64 %room, 0
  %fits = icmp ule i64 %bytes, %room
  %holds = and i1 %is_inside, %fits
  br i1 %holds, label %done, label %fail
fail:
  call void @{FAIL}(i64 %number, i64 %bytes, i64 %room, i64 0)
  unreachable
done:
  ret void
}}
"""
