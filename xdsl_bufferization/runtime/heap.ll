; Made of `heap.c` by `make runtime-ir`; change that file.
; d623143f4e1ad26dac47c2d4018e37ab2f805d2a90ceb1ace505498f76723a09

%struct.entry = type { i64, i64 }

@guard = internal global i32 0, align 4

define void @xbuf_heap_lock() {
entry:
  %0 = atomicrmw xchg ptr @guard, i32 1 acquire, align 4
  %cmp.not1 = icmp eq i32 %0, 0
  br i1 %cmp.not1, label %while.end, label %while.body

while.body:
  %call = tail call i32 @sched_yield()
  %1 = atomicrmw xchg ptr @guard, i32 1 acquire, align 4
  %cmp.not = icmp eq i32 %1, 0
  br i1 %cmp.not, label %while.end, label %while.body

while.end:
  ret void
}

declare i32 @sched_yield()

define void @xbuf_heap_unlock() {
entry:
  store atomic i32 0, ptr @guard release, align 4
  ret void
}

define ptr @xbuf_heap_alloc(ptr %heap, i64 %size) {
entry:
  %0 = load ptr, ptr %heap, align 8
  %call = tail call ptr %0(i64 %size)
  %call1 = tail call fastcc ptr @record(ptr %heap, ptr %call, i64 %size)
  ret ptr %call1
}

define internal fastcc ptr @record(ptr %heap, ptr %pointer, i64 %size) {
entry:
  %cmp = icmp eq ptr %pointer, null
  br i1 %cmp, label %return, label %if.end

if.end:
  %poison = getelementptr i8, ptr %heap, i64 24
  %0 = load i64, ptr %poison, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end2, label %if.then1

if.then1:
  tail call void @llvm.memset.p0.i64(ptr align 1 %pointer, i8 -1, i64 %size, i1 false)
  br label %if.end2

if.end2:
  tail call void @xbuf_heap_lock()
  %call = tail call fastcc i1 @make_room(ptr %heap)
  br i1 %call, label %if.then3, label %if.end7.critedge

if.then3:
  tail call fastcc void @enter(ptr %heap, ptr %pointer, i64 %size)
  tail call void @xbuf_heap_unlock()
  br label %return

if.end7.critedge:
  tail call void @xbuf_heap_unlock()
  %free = getelementptr i8, ptr %heap, i64 16
  %1 = load ptr, ptr %free, align 8
  tail call void %1(ptr %pointer)
  br label %return

return:
  %retval.0 = phi ptr [ null, %if.end7.critedge ], [ null, %entry ], [ %pointer, %if.then3 ]
  ret ptr %retval.0
}

define ptr @xbuf_heap_aligned_alloc(ptr %heap, i64 %alignment, i64 %size) {
entry:
  %aligned_alloc = getelementptr i8, ptr %heap, i64 8
  %0 = load ptr, ptr %aligned_alloc, align 8
  %call = tail call ptr %0(i64 %alignment, i64 %size)
  %call1 = tail call fastcc ptr @record(ptr %heap, ptr %call, i64 %size)
  ret ptr %call1
}

define void @xbuf_heap_free(ptr %heap, ptr %pointer) {
entry:
  %cmp = icmp eq ptr %pointer, null
  br i1 %cmp, label %return, label %if.end

if.end:
  tail call void @xbuf_heap_lock()
  %call = tail call fastcc ptr @entry_of(ptr %heap, ptr %pointer)
  %cond = icmp eq ptr %call, null
  br i1 %cond, label %if.end10, label %land.lhs.true

land.lhs.true:
  %size = getelementptr i8, ptr %call, i64 8
  %0 = load i64, ptr %size, align 8
  %cmp3.not = icmp eq i64 %0, -1
  br i1 %cmp3.not, label %if.end10, label %if.then4

if.then4:
  tail call fastcc void @free_entry(ptr %heap, ptr %call, ptr %pointer)
  br label %return

if.end10:
  %.sink = phi i64 [ 72, %if.end ], [ 64, %land.lhs.true ]
  %double_frees = getelementptr i8, ptr %heap, i64 %.sink
  %1 = load i64, ptr %double_frees, align 8
  %inc9 = add i64 %1, 1
  store i64 %inc9, ptr %double_frees, align 8
  tail call void @xbuf_heap_unlock()
  br label %return

return:
  ret void
}

define internal fastcc ptr @entry_of(ptr %heap, ptr %pointer) {
entry:
  %places = getelementptr i8, ptr %heap, i64 104
  %0 = load i64, ptr %places, align 8
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %return, label %if.end

if.end:
  %table = getelementptr i8, ptr %heap, i64 96
  %1 = load ptr, ptr %table, align 8
  %2 = ptrtoint ptr %pointer to i64
  %call = tail call fastcc i64 @index_of(ptr %1, i64 %0, i64 %2)
  %arrayidx = getelementptr %struct.entry, ptr %1, i64 %call
  %3 = load i64, ptr %arrayidx, align 8
  %cmp3 = icmp eq i64 %3, 0
  %spec.select = select i1 %cmp3, ptr null, ptr %arrayidx
  br label %return

return:
  %retval.0 = phi ptr [ %spec.select, %if.end ], [ null, %entry ]
  ret ptr %retval.0
}

define internal fastcc void @free_entry(ptr %heap, ptr %entry1, ptr %pointer) {
entry:
  %size2 = getelementptr i8, ptr %entry1, i64 8
  %0 = load i64, ptr %size2, align 8
  store i64 -1, ptr %size2, align 8
  %live = getelementptr i8, ptr %heap, i64 120
  %1 = load i64, ptr %live, align 8
  %dec = add i64 %1, -1
  store i64 %dec, ptr %live, align 8
  %frees = getelementptr i8, ptr %heap, i64 40
  %2 = load i64, ptr %frees, align 8
  %inc = add i64 %2, 1
  store i64 %inc, ptr %frees, align 8
  %live_bytes = getelementptr i8, ptr %heap, i64 48
  %3 = load i64, ptr %live_bytes, align 8
  %sub = sub i64 %3, %0
  store i64 %sub, ptr %live_bytes, align 8
  %free = getelementptr i8, ptr %heap, i64 16
  %4 = load ptr, ptr %free, align 8
  %poison = getelementptr i8, ptr %heap, i64 24
  %5 = load i64, ptr %poison, align 8
  %tobool.not = icmp eq i64 %5, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:
  tail call fastcc void @unlock_or_end(ptr %heap)
  tail call void %4(ptr %pointer)
  br label %return

if.end:
  %held_bytes = getelementptr i8, ptr %heap, i64 144
  %6 = load i64, ptr %held_bytes, align 8
  %add = add i64 %6, %0
  store i64 %add, ptr %held_bytes, align 8
  tail call void @llvm.memset.p0.i64(ptr align 1 %pointer, i8 -52, i64 %0, i1 false)
  tail call fastcc void @hold_back(ptr %heap, ptr %pointer, i64 %0)
  %call = tail call fastcc ptr @excess_of(ptr %heap)
  tail call fastcc void @unlock_or_end(ptr %heap)
  tail call fastcc void @free_all(ptr %4, ptr %call)
  br label %return

return:
  ret void
}

define ptr @xbuf_heap_new(ptr %malloc, ptr %aligned_alloc, ptr %free, i64 %poison, i64 %most_held) {
entry:
  %call = tail call ptr @calloc(i64 1, i64 168)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %return, label %if.end

if.end:
  store ptr %malloc, ptr %call, align 8
  %aligned_alloc2 = getelementptr i8, ptr %call, i64 8
  store ptr %aligned_alloc, ptr %aligned_alloc2, align 8
  %free3 = getelementptr i8, ptr %call, i64 16
  store ptr %free, ptr %free3, align 8
  %poison4 = getelementptr i8, ptr %call, i64 24
  store i64 %poison, ptr %poison4, align 8
  %most_held5 = getelementptr i8, ptr %call, i64 152
  store i64 %most_held, ptr %most_held5, align 8
  br label %return

return:
  %retval.0 = phi ptr [ %call, %if.end ], [ null, %entry ]
  ret ptr %retval.0
}

declare ptr @calloc(i64, i64)

define void @xbuf_heap_close(ptr %owner) {
entry:
  %0 = load ptr, ptr %owner, align 8
  %cmp = icmp eq ptr %0, null
  br i1 %cmp, label %return, label %if.end

if.end:
  store ptr null, ptr %owner, align 8
  tail call void @xbuf_heap_lock()
  %ends = getelementptr i8, ptr %0, i64 160
  store i64 1, ptr %ends, align 8
  %most_held = getelementptr i8, ptr %0, i64 152
  store i64 0, ptr %most_held, align 8
  %free = getelementptr i8, ptr %0, i64 16
  %1 = load ptr, ptr %free, align 8
  %call = tail call fastcc ptr @excess_of(ptr %0)
  tail call fastcc void @unlock_or_end(ptr %0)
  tail call fastcc void @free_all(ptr %1, ptr %call)
  br label %return

return:
  ret void
}

define internal fastcc ptr @excess_of(ptr %heap) {
entry:
  %first1 = getelementptr i8, ptr %heap, i64 128
  %0 = load ptr, ptr %first1, align 8
  %held_bytes = getelementptr i8, ptr %heap, i64 144
  %cmp.not21 = icmp eq ptr %0, null
  br i1 %cmp.not21, label %while.end, label %land.rhs.lr.ph

land.rhs.lr.ph:
  %most_held = getelementptr i8, ptr %heap, i64 152
  %1 = load i64, ptr %most_held, align 8
  %cmp2 = icmp eq i64 %1, 0
  %held_bytes5 = getelementptr i8, ptr %heap, i64 144
  br label %land.rhs

land.rhs:
  %next.023 = phi ptr [ %0, %land.rhs.lr.ph ], [ %5, %while.body ]
  %last.022 = phi ptr [ null, %land.rhs.lr.ph ], [ %next.023, %while.body ]
  br i1 %cmp2, label %while.body, label %lor.rhs

lor.rhs:
  %2 = load i64, ptr %held_bytes, align 8
  %cmp4 = icmp ugt i64 %2, %1
  br i1 %cmp4, label %while.body, label %while.end

while.body:
  %size = getelementptr i8, ptr %next.023, i64 16
  %3 = load i64, ptr %size, align 8
  %4 = load i64, ptr %held_bytes5, align 8
  %sub = sub i64 %4, %3
  store i64 %sub, ptr %held_bytes5, align 8
  %5 = load ptr, ptr %next.023, align 8
  %cmp.not = icmp eq ptr %5, null
  br i1 %cmp.not, label %while.end, label %land.rhs

while.end:
  %last.0.lcssa = phi ptr [ null, %entry ], [ %last.022, %lor.rhs ], [ %next.023, %while.body ]
  %next.0.lcssa = phi ptr [ null, %entry ], [ %next.023, %lor.rhs ], [ null, %while.body ]
  store ptr %next.0.lcssa, ptr %first1, align 8
  %cmp8 = icmp eq ptr %last.0.lcssa, null
  br i1 %cmp8, label %return, label %if.end

if.end:
  store ptr null, ptr %last.0.lcssa, align 8
  br label %return

return:
  %retval.0 = phi ptr [ %0, %if.end ], [ null, %while.end ]
  ret ptr %retval.0
}

define internal fastcc void @unlock_or_end(ptr %heap) {
entry:
  %ends = getelementptr i8, ptr %heap, i64 160
  %0 = load i64, ptr %ends, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %return.critedge, label %land.rhs

land.rhs:
  %live = getelementptr i8, ptr %heap, i64 120
  %1 = load i64, ptr %live, align 8
  %cmp = icmp eq i64 %1, 0
  tail call void @xbuf_heap_unlock()
  br i1 %cmp, label %if.end, label %return

if.end:
  %table = getelementptr i8, ptr %heap, i64 96
  %2 = load ptr, ptr %table, align 8
  tail call void @free(ptr %2)
  tail call void @free(ptr %heap)
  br label %return

return.critedge:
  tail call void @xbuf_heap_unlock()
  br label %return

return:
  ret void
}

define internal fastcc void @free_all(ptr %function, ptr %list) {
entry:
  %cmp.not5 = icmp eq ptr %list, null
  br i1 %cmp.not5, label %while.end, label %while.body

while.body:
  %list.addr.06 = phi ptr [ %0, %while.body ], [ %list, %entry ]
  %0 = load ptr, ptr %list.addr.06, align 8
  %pointer = getelementptr i8, ptr %list.addr.06, i64 8
  %1 = load ptr, ptr %pointer, align 8
  tail call void %function(ptr %1)
  tail call void @free(ptr %list.addr.06)
  %cmp.not = icmp eq ptr %0, null
  br i1 %cmp.not, label %while.end, label %while.body

while.end:
  ret void
}

define i64 @xbuf_heap_size(ptr %heap, ptr %pointer) {
entry:
  tail call void @xbuf_heap_lock()
  %call = tail call fastcc ptr @entry_of(ptr %heap, ptr %pointer)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %cond.end, label %cond.false

cond.false:
  %size2 = getelementptr i8, ptr %call, i64 8
  %0 = load i64, ptr %size2, align 8
  br label %cond.end

cond.end:
  %cond = phi i64 [ %0, %cond.false ], [ -2, %entry ]
  tail call void @xbuf_heap_unlock()
  ret i64 %cond
}

define void @xbuf_heap_count_copy(ptr %heap, i64 %size) {
entry:
  tail call void @xbuf_heap_lock()
  %copies = getelementptr i8, ptr %heap, i64 80
  %0 = load i64, ptr %copies, align 8
  %inc = add i64 %0, 1
  store i64 %inc, ptr %copies, align 8
  %copied_bytes = getelementptr i8, ptr %heap, i64 88
  %1 = load i64, ptr %copied_bytes, align 8
  %add = add i64 %1, %size
  store i64 %add, ptr %copied_bytes, align 8
  tail call void @xbuf_heap_unlock()
  ret void
}

define void @xbuf_heap_report(ptr %heap, ptr %report) {
entry:
  tail call void @xbuf_heap_lock()
  %counters = getelementptr i8, ptr %heap, i64 32
  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %report, ptr align 8 %counters, i64 64, i1 false)
  tail call void @xbuf_heap_unlock()
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @xbuf_heap_reset(ptr %heap) {
entry:
  tail call void @xbuf_heap_lock()
  %counters = getelementptr i8, ptr %heap, i64 32
  %live_bytes = getelementptr i8, ptr %heap, i64 48
  %0 = load i64, ptr %live_bytes, align 8
  tail call void @llvm.memset.p0.i64(ptr align 8 %counters, i8 0, i64 16, i1 false)
  %.compoundliteral.sroa.3.0.counters1.sroa_idx = getelementptr i8, ptr %heap, i64 56
  store i64 %0, ptr %.compoundliteral.sroa.3.0.counters1.sroa_idx, align 8
  %.compoundliteral.sroa.4.0.counters1.sroa_idx = getelementptr i8, ptr %heap, i64 64
  tail call void @llvm.memset.p0.i64(ptr align 8 %.compoundliteral.sroa.4.0.counters1.sroa_idx, i8 0, i64 32, i1 false)
  tail call void @xbuf_heap_unlock()
  ret void
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal fastcc i1 @make_room(ptr %heap) {
entry:
  %used = getelementptr i8, ptr %heap, i64 112
  %0 = load i64, ptr %used, align 8
  %mul = shl i64 %0, 1
  %places = getelementptr i8, ptr %heap, i64 104
  %1 = load i64, ptr %places, align 8
  %cmp = icmp ult i64 %mul, %1
  br i1 %cmp, label %return, label %if.end

if.end:
  %mul3 = shl i64 %1, 1
  %spec.store.select = tail call i64 @llvm.umax.i64(i64 %mul3, i64 64)
  %call = tail call ptr @calloc(i64 %spec.store.select, i64 16)
  %cmp7 = icmp eq ptr %call, null
  br i1 %cmp7, label %return, label %if.end9

if.end9:
  tail call fastcc void @copy_entries(ptr %heap, ptr %call, i64 %spec.store.select)
  %table10 = getelementptr i8, ptr %heap, i64 96
  %2 = load ptr, ptr %table10, align 8
  store ptr %call, ptr %table10, align 8
  store i64 %spec.store.select, ptr %places, align 8
  tail call void @free(ptr %2)
  br label %return

return:
  %retval.0 = phi i1 [ true, %if.end9 ], [ true, %entry ], [ false, %if.end ]
  ret i1 %retval.0
}

define internal fastcc void @enter(ptr %heap, ptr %pointer, i64 %size) {
entry:
  %table = getelementptr i8, ptr %heap, i64 96
  %0 = load ptr, ptr %table, align 8
  %places = getelementptr i8, ptr %heap, i64 104
  %1 = load i64, ptr %places, align 8
  %2 = ptrtoint ptr %pointer to i64
  %call = tail call fastcc i64 @index_of(ptr %0, i64 %1, i64 %2)
  %arrayidx = getelementptr %struct.entry, ptr %0, i64 %call
  %3 = load i64, ptr %arrayidx, align 8
  %cmp = icmp eq i64 %3, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %used = getelementptr i8, ptr %heap, i64 112
  %4 = load i64, ptr %used, align 8
  %inc = add i64 %4, 1
  store i64 %inc, ptr %used, align 8
  br label %if.end

if.end:
  store i64 %2, ptr %arrayidx, align 8
  %.compoundliteral.sroa.2.0.arrayidx3.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  store i64 %size, ptr %.compoundliteral.sroa.2.0.arrayidx3.sroa_idx, align 8
  %live = getelementptr i8, ptr %heap, i64 120
  %5 = load i64, ptr %live, align 8
  %inc6 = add i64 %5, 1
  store i64 %inc6, ptr %live, align 8
  %counters7 = getelementptr i8, ptr %heap, i64 32
  %6 = load i64, ptr %counters7, align 8
  %inc8 = add i64 %6, 1
  store i64 %inc8, ptr %counters7, align 8
  %live_bytes = getelementptr i8, ptr %heap, i64 48
  %7 = load i64, ptr %live_bytes, align 8
  %add = add i64 %7, %size
  store i64 %add, ptr %live_bytes, align 8
  %peak_bytes = getelementptr i8, ptr %heap, i64 56
  %8 = load i64, ptr %peak_bytes, align 8
  %cmp10 = icmp ult i64 %8, %add
  br i1 %cmp10, label %if.then11, label %if.end14

if.then11:
  store i64 %add, ptr %peak_bytes, align 8
  br label %if.end14

if.end14:
  ret void
}

define internal fastcc void @copy_entries(ptr %heap, ptr %to, i64 %places) {
entry:
  %places1 = getelementptr i8, ptr %heap, i64 104
  %0 = load i64, ptr %places1, align 8
  %cmp13.not = icmp eq i64 %0, 0
  br i1 %cmp13.not, label %for.end, label %for.body.lr.ph

for.body.lr.ph:
  %table = getelementptr i8, ptr %heap, i64 96
  br label %for.body

for.body:
  %i.014 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %1 = load ptr, ptr %table, align 8
  %arrayidx = getelementptr %struct.entry, ptr %1, i64 %i.014
  %entry2.sroa.0.0.copyload = load i64, ptr %arrayidx, align 8
  %cmp3.not = icmp eq i64 %entry2.sroa.0.0.copyload, 0
  br i1 %cmp3.not, label %for.inc, label %if.then

if.then:
  %entry2.sroa.4.0.arrayidx.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx, i64 8
  %entry2.sroa.4.0.copyload = load i64, ptr %entry2.sroa.4.0.arrayidx.sroa_idx, align 8
  %call = tail call fastcc i64 @index_of(ptr %to, i64 %places, i64 %entry2.sroa.0.0.copyload)
  %arrayidx5 = getelementptr %struct.entry, ptr %to, i64 %call
  store i64 %entry2.sroa.0.0.copyload, ptr %arrayidx5, align 8
  %entry2.sroa.4.0.arrayidx5.sroa_idx = getelementptr inbounds nuw i8, ptr %arrayidx5, i64 8
  store i64 %entry2.sroa.4.0.copyload, ptr %entry2.sroa.4.0.arrayidx5.sroa_idx, align 8
  br label %for.inc

for.inc:
  %inc = add nuw i64 %i.014, 1
  %2 = load i64, ptr %places1, align 8
  %cmp = icmp ult i64 %inc, %2
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

declare void @free(ptr)

define internal fastcc i64 @index_of(ptr %table, i64 %places, i64 %address) {
entry:
  %sub = add i64 %places, -1
  %mul = mul i64 %address, -7046029254386353131
  %shr = lshr i64 %mul, 32
  br label %while.cond

while.cond:
  %shr.pn = phi i64 [ %shr, %entry ], [ %add, %while.cond ]
  %i.0 = and i64 %shr.pn, %sub
  %arrayidx = getelementptr %struct.entry, ptr %table, i64 %i.0
  %0 = load i64, ptr %arrayidx, align 8
  %cmp.not = icmp eq i64 %0, %address
  %cmp4.not = icmp eq i64 %0, 0
  %or.cond = or i1 %cmp.not, %cmp4.not
  %add = add i64 %i.0, 1
  br i1 %or.cond, label %while.end, label %while.cond

while.end:
  ret i64 %i.0
}

define internal fastcc void @hold_back(ptr %heap, ptr %pointer, i64 %size) {
entry:
  %call = tail call ptr @malloc(i64 24)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %return, label %if.end

if.end:
  store ptr null, ptr %call, align 8
  %.compoundliteral.sroa.2.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 8
  store ptr %pointer, ptr %.compoundliteral.sroa.2.0..sroa_idx, align 8
  %.compoundliteral.sroa.3.0..sroa_idx = getelementptr inbounds nuw i8, ptr %call, i64 16
  store i64 %size, ptr %.compoundliteral.sroa.3.0..sroa_idx, align 8
  %first = getelementptr i8, ptr %heap, i64 128
  %0 = load ptr, ptr %first, align 8
  %cmp3 = icmp eq ptr %0, null
  br i1 %cmp3, label %if.then4, label %if.else

if.then4:
  store ptr %call, ptr %first, align 8
  br label %if.end7

if.else:
  %last = getelementptr i8, ptr %heap, i64 136
  %1 = load ptr, ptr %last, align 8
  store ptr %call, ptr %1, align 8
  br label %if.end7

if.end7:
  %last8 = getelementptr i8, ptr %heap, i64 136
  store ptr %call, ptr %last8, align 8
  br label %return

return:
  ret void
}

declare ptr @malloc(i64)

declare i64 @llvm.umax.i64(i64, i64)
