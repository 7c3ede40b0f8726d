"""The table of the allocations that a call has noted, as LLVM IR.

    call void @put(ptr %call, ptr %allocated)      note it
    call void @each(table, slots, function, data)  call a function with all of them

The record of a call has the address of its table, and the number of its slots, a power
of two. The table is one of open addressing. A removed entry leaves no mark: those that
follow move up.
"""

from typing import Final

from .failure_record import word

FIRST_SLOTS: Final = 64
"""The size of the first table of allocations, a power of two."""

TABLE: Final = f"""
define internal i64 @home(i64 %key, i64 %mask) {{
  %mixed = mul i64 %key, -7046029254386353131
  %high = lshr i64 %mixed, 32
  %slot = and i64 %high, %mask
  ret i64 %slot
}}
; The slot of a key, or the empty one where it would be.
define internal i64 @find(ptr %table, i64 %mask, i64 %key) {{
entry:
  %home = call i64 @home(i64 %key, i64 %mask)
  br label %look
look:
  %slot = phi i64 [ %home, %entry ], [ %next, %more ]
  %at = getelementptr i64, ptr %table, i64 %slot
  %found = load i64, ptr %at
  %is_key = icmp eq i64 %found, %key
  %is_empty = icmp eq i64 %found, 0
  %ends = or i1 %is_key, %is_empty
  br i1 %ends, label %done, label %more
more:
  %after = add i64 %slot, 1
  %next = and i64 %after, %mask
  br label %look
done:
  ret i64 %slot
}}
; Empty a slot, and move up what follows.
define internal void @remove(ptr %table, i64 %mask, i64 %slot) {{
entry:
  %first_at = getelementptr i64, ptr %table, i64 %slot
  store i64 0, ptr %first_at
  br label %look
look:
  %gap = phi i64 [ %slot, %entry ], [ %gap, %stay ], [ %at, %move ]
  %last = phi i64 [ %slot, %entry ], [ %at, %stay ], [ %at, %move ]
  %after = add i64 %last, 1
  %at = and i64 %after, %mask
  %key_at = getelementptr i64, ptr %table, i64 %at
  %key = load i64, ptr %key_at
  %is_empty = icmp eq i64 %key, 0
  br i1 %is_empty, label %done, label %weigh
weigh:
  %home = call i64 @home(i64 %key, i64 %mask)
  %d0 = sub i64 %at, %home
  %from_home = and i64 %d0, %mask
  %d1 = sub i64 %at, %gap
  %from_gap = and i64 %d1, %mask
  %moves = icmp uge i64 %from_home, %from_gap
  br i1 %moves, label %move, label %stay
stay:
  br label %look
move:
  %gap_at = getelementptr i64, ptr %table, i64 %gap
  store i64 %key, ptr %gap_at
  store i64 0, ptr %key_at
  br label %look
done:
  ret void
}}
; Call a function with data and each key.
define internal void @each(ptr %table, i64 %slots, ptr %function, ptr %data) {{
entry:
  br label %next
next:
  %n = phi i64 [ 0, %entry ], [ %n1, %go_on ]
  %at = getelementptr ptr, ptr %table, i64 %n
  %key = load ptr, ptr %at
  %is_empty = icmp eq ptr %key, null
  br i1 %is_empty, label %go_on, label %meet
meet:
  call void %function(ptr %data, ptr %key)
  br label %go_on
go_on:
  %n1 = add i64 %n, 1
  %is_last = icmp eq i64 %n1, %slots
  br i1 %is_last, label %done, label %next
done:
  ret void
}}
; Put a key into the table of a call, which has room.
define internal void @put(ptr %call, ptr %allocated) {{
  %table_at = {word("%call", "table")}
  %table = load ptr, ptr %table_at
  %slots_at = {word("%call", "slots")}
  %slots = load i64, ptr %slots_at
  %mask = sub i64 %slots, 1
  %key = ptrtoint ptr %allocated to i64
  %slot = call i64 @find(ptr %table, i64 %mask, i64 %key)
  %at = getelementptr i64, ptr %table, i64 %slot
  store i64 %key, ptr %at
  ret void
}}
; Twice the slots; whether there is the memory.
define internal i1 @grow(ptr %call) noinline {{
entry:
  %table_at = {word("%call", "table")}
  %slots_at = {word("%call", "slots")}
  %old = load ptr, ptr %table_at
  %slots = load i64, ptr %slots_at
  %double = shl i64 %slots, 1
  %is_none = icmp eq i64 %slots, 0
  %more = select i1 %is_none, i64 {FIRST_SLOTS}, i64 %double
  %new = call ptr @calloc(i64 %more, i64 8)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %no, label %yes
no:
  ret i1 false
yes:
  store ptr %new, ptr %table_at
  store i64 %more, ptr %slots_at
  br i1 %is_none, label %done, label %move
move:
  call void @each(ptr %old, i64 %slots, ptr @put, ptr %call)
  call void @free(ptr %old)
  br label %done
done:
  ret i1 true
}}
"""
"""Needs `calloc` and `free` to be declared."""
