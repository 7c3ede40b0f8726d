; The books of the counting heap: what `heap.py` describes, for LLVM.
;
; No Python runs in here, so that a signal handler cannot either. One lock guards the
; books of all heaps. It is held for short times only, and never while memory is
; allocated, filled or freed by the functions of the heap.
;
; A table says of each address that a heap has given out how large it is, or that it was
; freed. It is open to linear search, at most half full, and holds pairs of an address
; and a size; an address of 0 is a free place.

%heap = type {
  ptr,  ;  0 malloc
  ptr,  ;  1 aligned_alloc
  ptr,  ;  2 free
  i64,  ;  3 whether memory is poisoned
  i64,  ;  4 allocs
  i64,  ;  5 frees
  i64,  ;  6 live bytes
  i64,  ;  7 peak bytes
  i64,  ;  8 double frees
  i64,  ;  9 foreign frees
  i64,  ; 10 copies
  i64,  ; 11 copied bytes
  ptr,  ; 12 the table
  i64,  ; 13 places in the table, a power of two
  i64,  ; 14 places in use
  i64,  ; 15 live allocations
  ptr,  ; 16 the memory held back for longest, a %held
  ptr,  ; 17 the memory held back last
  i64,  ; 18 bytes held back
  i64,  ; 19 the most bytes to hold back
  i64   ; 20 whether the heap ends with its last allocation
}
%entry = type { i64, i64 }
%held = type { ptr, ptr, i64 }  ; the next one, an address, a size

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i32 @sched_yield()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)

@guard = internal global i32 0

define void @xbuf_heap_lock() {
  br label %try
try:
  %before = atomicrmw xchg ptr @guard, i32 1 acquire
  %taken = icmp eq i32 %before, 0
  br i1 %taken, label %done, label %wait
wait:
  call i32 @sched_yield()
  br label %try
done:
  ret void
}

define void @xbuf_heap_unlock() {
  store atomic i32 0, ptr @guard release, align 4
  ret void
}

; The table.

define internal ptr @place_of(ptr %table, i64 %places, i64 %address) {
  %mask = sub i64 %places, 1
  %mixed = mul i64 %address, -7046029254386353131
  %hash = lshr i64 %mixed, 32
  br label %look
look:
  %at = phi i64 [ %hash, %0 ], [ %next, %other ]
  %index = and i64 %at, %mask
  %place = getelementptr %entry, ptr %table, i64 %index
  %found = load i64, ptr %place
  %is_it = icmp eq i64 %found, %address
  %is_free = icmp eq i64 %found, 0
  %ends = or i1 %is_it, %is_free
  br i1 %ends, label %done, label %other
other:
  %next = add i64 %at, 1
  br label %look
done:
  ret ptr %place
}

; Whether there is room for one more address.
define internal i1 @make_room(ptr %heap) {
  %table_at = getelementptr %heap, ptr %heap, i64 0, i32 12
  %places_at = getelementptr %heap, ptr %heap, i64 0, i32 13
  %used_at = getelementptr %heap, ptr %heap, i64 0, i32 14
  %places = load i64, ptr %places_at
  %used = load i64, ptr %used_at
  %twice = shl i64 %used, 1
  %fits = icmp ult i64 %twice, %places
  br i1 %fits, label %yes, label %grow
grow:
  %doubled = shl i64 %places, 1
  %more = call i64 @llvm.umax.i64(i64 %doubled, i64 64)
  %table = call ptr @calloc(i64 %more, i64 16)
  %failed = icmp eq ptr %table, null
  br i1 %failed, label %no, label %move
move:
  %old = load ptr, ptr %table_at
  br label %each
each:
  %index = phi i64 [ 0, %move ], [ %after, %skip ]
  %ended = icmp eq i64 %index, %places
  br i1 %ended, label %moved, label %one
one:
  %from = getelementptr %entry, ptr %old, i64 %index
  %address = load i64, ptr %from
  %is_free = icmp eq i64 %address, 0
  br i1 %is_free, label %skip, label %copy
copy:
  %to = call ptr @place_of(ptr %table, i64 %more, i64 %address)
  %entry = load %entry, ptr %from
  store %entry %entry, ptr %to
  br label %skip
skip:
  %after = add i64 %index, 1
  br label %each
moved:
  store ptr %table, ptr %table_at
  store i64 %more, ptr %places_at
  call void @free(ptr %old)
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}

define internal ptr @entry_of(ptr %heap, ptr %pointer) {
  %table_at = getelementptr %heap, ptr %heap, i64 0, i32 12
  %places_at = getelementptr %heap, ptr %heap, i64 0, i32 13
  %table = load ptr, ptr %table_at
  %places = load i64, ptr %places_at
  %is_empty = icmp eq i64 %places, 0
  br i1 %is_empty, label %none, label %look
look:
  %address = ptrtoint ptr %pointer to i64
  %place = call ptr @place_of(ptr %table, i64 %places, i64 %address)
  %found = load i64, ptr %place
  %is_free = icmp eq i64 %found, 0
  br i1 %is_free, label %none, label %some
some:
  ret ptr %place
none:
  ret ptr null
}

define internal void @add_to(ptr %at, i64 %by) {
  %before = load i64, ptr %at
  %after = add i64 %before, %by
  store i64 %after, ptr %at
  ret void
}

; Allocations.

define ptr @xbuf_heap_alloc(ptr %heap, i64 %size) {
  %function = load ptr, ptr %heap
  %pointer = call ptr %function(i64 %size)
  %result = call ptr @record(ptr %heap, ptr %pointer, i64 %size)
  ret ptr %result
}

define ptr @xbuf_heap_aligned_alloc(ptr %heap, i64 %alignment, i64 %size) {
  %function_at = getelementptr %heap, ptr %heap, i64 0, i32 1
  %function = load ptr, ptr %function_at
  %pointer = call ptr %function(i64 %alignment, i64 %size)
  %result = call ptr @record(ptr %heap, ptr %pointer, i64 %size)
  ret ptr %result
}

define internal ptr @record(ptr %heap, ptr %pointer, i64 %size) {
  %failed = icmp eq ptr %pointer, null
  br i1 %failed, label %none, label %some
some:
  %poison_at = getelementptr %heap, ptr %heap, i64 0, i32 3
  %poison = load i64, ptr %poison_at
  %is_clean = icmp eq i64 %poison, 0
  br i1 %is_clean, label %write, label %fill
fill:
  call void @llvm.memset.p0.i64(ptr %pointer, i8 FRESH_BYTE, i64 %size, i1 false)
  br label %write
write:
  call void @xbuf_heap_lock()
  %has_room = call i1 @make_room(ptr %heap)
  br i1 %has_room, label %enter, label %full
enter:
  %table_at = getelementptr %heap, ptr %heap, i64 0, i32 12
  %places_at = getelementptr %heap, ptr %heap, i64 0, i32 13
  %used_at = getelementptr %heap, ptr %heap, i64 0, i32 14
  %table = load ptr, ptr %table_at
  %places = load i64, ptr %places_at
  %address = ptrtoint ptr %pointer to i64
  %place = call ptr @place_of(ptr %table, i64 %places, i64 %address)
  %found = load i64, ptr %place
  %is_new = icmp eq i64 %found, 0
  %one = zext i1 %is_new to i64
  call void @add_to(ptr %used_at, i64 %one)
  store i64 %address, ptr %place
  %size_at = getelementptr %entry, ptr %place, i64 0, i32 1
  store i64 %size, ptr %size_at
  %allocs_at = getelementptr %heap, ptr %heap, i64 0, i32 4
  %live_at = getelementptr %heap, ptr %heap, i64 0, i32 6
  %peak_at = getelementptr %heap, ptr %heap, i64 0, i32 7
  %count_at = getelementptr %heap, ptr %heap, i64 0, i32 15
  call void @add_to(ptr %allocs_at, i64 1)
  call void @add_to(ptr %count_at, i64 1)
  call void @add_to(ptr %live_at, i64 %size)
  %live = load i64, ptr %live_at
  %peak = load i64, ptr %peak_at
  %most = call i64 @llvm.umax.i64(i64 %live, i64 %peak)
  store i64 %most, ptr %peak_at
  call void @xbuf_heap_unlock()
  ret ptr %pointer
full:
  call void @xbuf_heap_unlock()
  call void @give_back(ptr %heap, ptr %pointer)
  ret ptr null
none:
  ret ptr null
}

define internal void @give_back(ptr %heap, ptr %pointer) {
  %function_at = getelementptr %heap, ptr %heap, i64 0, i32 2
  %function = load ptr, ptr %function_at
  call void %function(ptr %pointer)
  ret void
}

; Frees. A wrong address is counted, and otherwise ignored.

define void @xbuf_heap_free(ptr %heap, ptr %pointer) {
  %is_null = icmp eq ptr %pointer, null
  br i1 %is_null, label %done, label %look
look:
  call void @xbuf_heap_lock()
  %entry = call ptr @entry_of(ptr %heap, ptr %pointer)
  %is_foreign = icmp eq ptr %entry, null
  br i1 %is_foreign, label %foreign, label %known
known:
  %size_at = getelementptr %entry, ptr %entry, i64 0, i32 1
  %size = load i64, ptr %size_at
  %was_freed = icmp eq i64 %size, -1
  br i1 %was_freed, label %double, label %live
foreign:
  %foreign_at = getelementptr %heap, ptr %heap, i64 0, i32 9
  call void @add_to(ptr %foreign_at, i64 1)
  call void @xbuf_heap_unlock()
  ret void
double:
  %double_at = getelementptr %heap, ptr %heap, i64 0, i32 8
  call void @add_to(ptr %double_at, i64 1)
  call void @xbuf_heap_unlock()
  ret void
live:
  store i64 -1, ptr %size_at
  %frees_at = getelementptr %heap, ptr %heap, i64 0, i32 5
  %live_at = getelementptr %heap, ptr %heap, i64 0, i32 6
  %count_at = getelementptr %heap, ptr %heap, i64 0, i32 15
  call void @add_to(ptr %frees_at, i64 1)
  call void @add_to(ptr %count_at, i64 -1)
  %less = sub i64 0, %size
  call void @add_to(ptr %live_at, i64 %less)
  ; Without the lock, another thread may end the heap after its last allocation.
  %function_at = getelementptr %heap, ptr %heap, i64 0, i32 2
  %function = load ptr, ptr %function_at
  %poison_at = getelementptr %heap, ptr %heap, i64 0, i32 3
  %poison = load i64, ptr %poison_at
  %is_clean = icmp eq i64 %poison, 0
  br i1 %is_clean, label %plain, label %poisoned
plain:
  call void @end_if_over(ptr %heap)
  call void %function(ptr %pointer)
  ret void
poisoned:
  %held_at = getelementptr %heap, ptr %heap, i64 0, i32 18
  call void @add_to(ptr %held_at, i64 %size)
  %most_at = getelementptr %heap, ptr %heap, i64 0, i32 19
  %most = load i64, ptr %most_at
  ; Filled under the lock: what is held back may be freed by any thread.
  call void @llvm.memset.p0.i64(ptr %pointer, i8 FREED_BYTE, i64 %size, i1 false)
  call void @hold_back(ptr %heap, ptr %pointer, i64 %size)
  %excess = call ptr @excess_of(ptr %heap)
  call void @end_if_over(ptr %heap)
  call void @free_all(ptr %function, ptr %excess)
  ret void
done:
  ret void
}

define internal void @hold_back(ptr %heap, ptr %pointer, i64 %size) {
  %held = call ptr @malloc(i64 24)
  %failed = icmp eq ptr %held, null
  br i1 %failed, label %forget, label %enter
forget:  ; Without memory for a note, the memory stays for ever.
  ret void
enter:
  %pointer_at = getelementptr %held, ptr %held, i64 0, i32 1
  %size_at = getelementptr %held, ptr %held, i64 0, i32 2
  store ptr null, ptr %held
  store ptr %pointer, ptr %pointer_at
  store i64 %size, ptr %size_at
  %first_at = getelementptr %heap, ptr %heap, i64 0, i32 16
  %last_at = getelementptr %heap, ptr %heap, i64 0, i32 17
  %first = load ptr, ptr %first_at
  %last = load ptr, ptr %last_at
  %is_first = icmp eq ptr %first, null
  %to = select i1 %is_first, ptr %first_at, ptr %last
  store ptr %held, ptr %to
  store ptr %held, ptr %last_at
  ret void
}

; Takes out what is held back beyond the limit: a list, the oldest first.
define internal ptr @excess_of(ptr %heap) {
  %first_at = getelementptr %heap, ptr %heap, i64 0, i32 16
  %bytes_at = getelementptr %heap, ptr %heap, i64 0, i32 18
  %most_at = getelementptr %heap, ptr %heap, i64 0, i32 19
  %first = load ptr, ptr %first_at
  %most = load i64, ptr %most_at
  %is_all = icmp eq i64 %most, 0
  br label %next
next:
  %held = phi ptr [ %first, %0 ], [ %after, %take ]
  %last = phi ptr [ null, %0 ], [ %held, %take ]
  %bytes = load i64, ptr %bytes_at
  %is_over = icmp ugt i64 %bytes, %most
  %continues = or i1 %is_over, %is_all
  %is_end = icmp eq ptr %held, null
  %stays = xor i1 %continues, true
  %stops = or i1 %stays, %is_end
  br i1 %stops, label %cut, label %take
take:
  %size_at = getelementptr %held, ptr %held, i64 0, i32 2
  %size = load i64, ptr %size_at
  %less = sub i64 0, %size
  call void @add_to(ptr %bytes_at, i64 %less)
  %after = load ptr, ptr %held
  br label %next
cut:
  store ptr %held, ptr %first_at
  %is_none = icmp eq ptr %last, null
  br i1 %is_none, label %none, label %some
some:
  store ptr null, ptr %last
  ret ptr %first
none:
  ret ptr null
}

define internal void @free_all(ptr %function, ptr %list) {
  br label %next
next:
  %held = phi ptr [ %list, %0 ], [ %after, %one ]
  %is_end = icmp eq ptr %held, null
  br i1 %is_end, label %done, label %one
one:
  %pointer_at = getelementptr %held, ptr %held, i64 0, i32 1
  %pointer = load ptr, ptr %pointer_at
  %after = load ptr, ptr %held
  call void %function(ptr %pointer)
  call void @free(ptr %held)
  br label %next
done:
  ret void
}

; Unlocks the books, and frees them if nobody needs them any more.
define internal void @end_if_over(ptr %heap) {
  %ends_at = getelementptr %heap, ptr %heap, i64 0, i32 20
  %count_at = getelementptr %heap, ptr %heap, i64 0, i32 15
  %ends = load i64, ptr %ends_at
  %count = load i64, ptr %count_at
  %is_closed = icmp ne i64 %ends, 0
  %is_empty = icmp eq i64 %count, 0
  %is_over = and i1 %is_closed, %is_empty
  call void @xbuf_heap_unlock()
  br i1 %is_over, label %end, label %done
end:
  %table_at = getelementptr %heap, ptr %heap, i64 0, i32 12
  %table = load ptr, ptr %table_at
  call void @free(ptr %table)
  call void @free(ptr %heap)
  br label %done
done:
  ret void
}

; What Python calls.

define ptr @xbuf_heap_new(ptr %malloc, ptr %aligned_alloc, ptr %free, i64 %poison,
                          i64 %most_held) {
  %heap = call ptr @calloc(i64 1, i64 ptrtoint (ptr getelementptr (%heap, ptr null, i64 1) to i64))
  %failed = icmp eq ptr %heap, null
  br i1 %failed, label %none, label %some
some:
  %aligned_at = getelementptr %heap, ptr %heap, i64 0, i32 1
  %free_at = getelementptr %heap, ptr %heap, i64 0, i32 2
  %poison_at = getelementptr %heap, ptr %heap, i64 0, i32 3
  %most_at = getelementptr %heap, ptr %heap, i64 0, i32 19
  store ptr %malloc, ptr %heap
  store ptr %aligned_alloc, ptr %aligned_at
  store ptr %free, ptr %free_at
  store i64 %poison, ptr %poison_at
  store i64 %most_held, ptr %most_at
  ret ptr %heap
none:
  ret ptr null
}

; Nobody has the heap any more; it ends with its last allocation.
define void @xbuf_heap_close(ptr %owner) {
  %heap = load ptr, ptr %owner
  %is_null = icmp eq ptr %heap, null
  br i1 %is_null, label %done, label %close
close:
  store ptr null, ptr %owner
  call void @xbuf_heap_lock()
  %ends_at = getelementptr %heap, ptr %heap, i64 0, i32 20
  %most_at = getelementptr %heap, ptr %heap, i64 0, i32 19
  %free_at = getelementptr %heap, ptr %heap, i64 0, i32 2
  store i64 1, ptr %ends_at
  store i64 0, ptr %most_at
  %function = load ptr, ptr %free_at
  %excess = call ptr @excess_of(ptr %heap)
  call void @end_if_over(ptr %heap)
  call void @free_all(ptr %function, ptr %excess)
  br label %done
done:
  ret void
}

; The size of a live allocation; -1 if it was freed, -2 if it is of another heap.
define i64 @xbuf_heap_size(ptr %heap, ptr %pointer) {
  call void @xbuf_heap_lock()
  %entry = call ptr @entry_of(ptr %heap, ptr %pointer)
  %is_foreign = icmp eq ptr %entry, null
  br i1 %is_foreign, label %foreign, label %known
known:
  %size_at = getelementptr %entry, ptr %entry, i64 0, i32 1
  %size = load i64, ptr %size_at
  call void @xbuf_heap_unlock()
  ret i64 %size
foreign:
  call void @xbuf_heap_unlock()
  ret i64 -2
}

define void @xbuf_heap_count_copy(ptr %heap, i64 %size) {
  call void @xbuf_heap_lock()
  %copies_at = getelementptr %heap, ptr %heap, i64 0, i32 10
  %bytes_at = getelementptr %heap, ptr %heap, i64 0, i32 11
  call void @add_to(ptr %copies_at, i64 1)
  call void @add_to(ptr %bytes_at, i64 %size)
  call void @xbuf_heap_unlock()
  ret void
}

; The eight counters, in the order of %heap.
define void @xbuf_heap_report(ptr %heap, ptr %report) {
  call void @xbuf_heap_lock()
  %counters = getelementptr %heap, ptr %heap, i64 0, i32 4
  %values = load [8 x i64], ptr %counters
  store [8 x i64] %values, ptr %report
  call void @xbuf_heap_unlock()
  ret void
}

; Counts anew; what is live stays live, and is the new peak.
define void @xbuf_heap_reset(ptr %heap) {
  call void @xbuf_heap_lock()
  %allocs_at = getelementptr %heap, ptr %heap, i64 0, i32 4
  %live_at = getelementptr %heap, ptr %heap, i64 0, i32 6
  %peak_at = getelementptr %heap, ptr %heap, i64 0, i32 7
  %double_at = getelementptr %heap, ptr %heap, i64 0, i32 8
  %live = load i64, ptr %live_at
  store [2 x i64] zeroinitializer, ptr %allocs_at
  store i64 %live, ptr %peak_at
  store [4 x i64] zeroinitializer, ptr %double_at
  call void @xbuf_heap_unlock()
  ret void
}
