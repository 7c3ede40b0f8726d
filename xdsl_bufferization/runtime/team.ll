; Made of `team.c` by `make runtime-ir`; change that file.
; c42880a8e2ebf2ec2e5bb8fa603a72ff0c1f6264ace5a9b1537e8da0c43bb69f

%struct.counter = type { i64, [120 x i8] }
%struct.pthread_object = type { [128 x i8] }
%struct.mask = type { [128 x i8] }

@default_threads = global i64 1, align 8
@most_rounds = global i64 1, align 8
@open_shares = internal global %struct.counter zeroinitializer, align 128
@done_shares = internal global %struct.counter zeroinitializer, align 128
@is_busy = internal global %struct.counter zeroinitializer, align 128
@sleepers = internal global %struct.counter zeroinitializer, align 128
@workers = internal global i64 0, align 8
@mutex = internal global %struct.pthread_object zeroinitializer, align 128
@wake = internal global %struct.pthread_object zeroinitializer, align 128
@bind = global ptr null, align 8
@masks = global ptr null, align 8
@mask_count = global i64 0, align 8
@rest = internal global %struct.counter zeroinitializer, align 128
@function = internal global ptr null, align 8
@data = internal global ptr null, align 8
@team = internal global i64 0, align 8

define void @begin() {
entry:
  store atomic i64 0, ptr @open_shares monotonic, align 128
  store atomic i64 0, ptr @done_shares monotonic, align 128
  store atomic i64 0, ptr @is_busy monotonic, align 128
  store atomic i64 0, ptr @sleepers monotonic, align 128
  store i64 0, ptr @workers, align 8
  %call = tail call i32 @pthread_mutex_init(ptr @mutex, ptr null)
  %call1 = tail call i32 @pthread_cond_init(ptr @wake, ptr null)
  ret void
}

declare i32 @pthread_mutex_init(ptr, ptr)

declare i32 @pthread_cond_init(ptr, ptr)

define i64 @xbuf_take_iterations(ptr %taken, i64 %count) {
entry:
  %0 = atomicrmw add ptr %taken, i64 %count monotonic, align 8
  ret i64 %0
}

define void @xbuf_share_loop(ptr %shared, ptr %argument, i32 %asked) {
entry:
  %own_rest = alloca i64, align 8
  %cmp = icmp eq i32 %asked, 0
  %0 = load i64, ptr @default_threads, align 8
  %conv = sext i32 %asked to i64
  %cond = select i1 %cmp, i64 %0, i64 %conv
  %cmp1 = icmp sgt i64 %cond, 1
  br i1 %cmp1, label %land.lhs.true, label %if.end

land.lhs.true:
  %1 = cmpxchg ptr @is_busy, i64 0, i64 1 acquire monotonic, align 128
  %2 = extractvalue { i64, i1 } %1, 1
  br i1 %2, label %if.then, label %if.end

if.then:
  %sub.i = add nsw i64 %cond, -1
  %.old.i = load i64, ptr @workers, align 8
  %cmp.old.i = icmp slt i64 %.old.i, %sub.i
  br i1 %cmp.old.i, label %land.rhs.i, label %while.end.i

land.rhs.i:
  %call.i = tail call fastcc i1 @start_worker()
  %3 = load i64, ptr @workers, align 8
  %cmp.i = icmp slt i64 %3, %sub.i
  %or.cond.i = select i1 %call.i, i1 %cmp.i, i1 false
  br i1 %or.cond.i, label %land.rhs.i, label %while.end.i

while.end.i:
  store ptr %shared, ptr @function, align 8
  store ptr %argument, ptr @data, align 8
  store i64 %cond, ptr @team, align 8
  store atomic i64 0, ptr @rest monotonic, align 128
  store atomic i64 0, ptr @done_shares monotonic, align 128
  store atomic i64 %sub.i, ptr @open_shares seq_cst, align 128
  %4 = load atomic i64, ptr @sleepers seq_cst, align 128
  %cmp.i.i = icmp eq i64 %4, 0
  br i1 %cmp.i.i, label %publish.exit.i, label %if.end.i.i

if.end.i.i:
  %call1.i.i = tail call i32 @pthread_mutex_lock(ptr @mutex)
  %call2.i.i = tail call i32 @pthread_cond_broadcast(ptr @wake)
  %call3.i.i = tail call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %publish.exit.i

publish.exit.i:
  tail call void %shared(ptr %argument, i64 0, i64 %cond, ptr @rest)
  %call220.i = tail call fastcc i64 @take_share()
  %cmp3.not21.i = icmp eq i64 %call220.i, 0
  br i1 %cmp3.not21.i, label %for.cond4.preheader.i, label %for.body.i

for.cond4.preheader.i:
  %waited_for.0.lcssa.i = phi i64 [ %sub.i, %publish.exit.i ], [ %dec.i, %for.body.i ]
  %5 = load atomic i64, ptr @done_shares acquire, align 128
  %cmp6.not24.i = icmp eq i64 %5, %waited_for.0.lcssa.i
  br i1 %cmp6.not24.i, label %share.exit, label %for.body7.i

for.body.i:
  %call223.i = phi i64 [ %call2.i, %for.body.i ], [ %call220.i, %publish.exit.i ]
  %waited_for.022.i = phi i64 [ %dec.i, %for.body.i ], [ %sub.i, %publish.exit.i ]
  tail call void %shared(ptr %argument, i64 %call223.i, i64 %cond, ptr @rest)
  %dec.i = add i64 %waited_for.022.i, -1
  %call2.i = tail call fastcc i64 @take_share()
  %cmp3.not.i = icmp eq i64 %call2.i, 0
  br i1 %cmp3.not.i, label %for.cond4.preheader.i, label %for.body.i

for.body7.i:
  %round.025.i = phi i64 [ %inc.i, %for.body7.i ], [ 0, %for.cond4.preheader.i ]
  tail call fastcc void @wait_a_little(i64 %round.025.i)
  %inc.i = add i64 %round.025.i, 1
  %6 = load atomic i64, ptr @done_shares acquire, align 128
  %cmp6.not.i = icmp eq i64 %6, %waited_for.0.lcssa.i
  br i1 %cmp6.not.i, label %share.exit, label %for.body7.i

share.exit:
  store atomic i64 0, ptr @is_busy release, align 128
  br label %return

if.end:
  store i64 0, ptr %own_rest, align 8
  call void %shared(ptr %argument, i64 0, i64 1, ptr %own_rest)
  br label %return

return:
  ret void
}

define internal fastcc i1 @start_worker() {
entry:
  %thread = alloca i64, align 8
  %0 = load i64, ptr @workers, align 8
  %1 = inttoptr i64 %0 to ptr
  %call = call i32 @pthread_create(ptr %thread, ptr null, ptr @work, ptr %1)
  %cmp.not = icmp eq i32 %call, 0
  br i1 %cmp.not, label %if.end, label %return

if.end:
  %2 = load i64, ptr %thread, align 8
  %call1 = call i32 @pthread_detach(i64 %2)
  %3 = load i64, ptr @workers, align 8
  %inc = add i64 %3, 1
  store i64 %inc, ptr @workers, align 8
  br label %return

return:
  ret i1 %cmp.not
}

define internal fastcc i64 @take_share() {
entry:
  %0 = load atomic i64, ptr @open_shares acquire, align 128
  %cmp.old.not = icmp eq i64 %0, 0
  br i1 %cmp.old.not, label %while.end, label %land.rhs

land.rhs:
  %share.0 = phi i64 [ %3, %land.rhs ], [ %0, %entry ]
  %sub = add i64 %share.0, -1
  %1 = cmpxchg ptr @open_shares, i64 %share.0, i64 %sub seq_cst acquire, align 128
  %2 = extractvalue { i64, i1 } %1, 1
  %3 = extractvalue { i64, i1 } %1, 0
  %cmp = icmp eq i64 %3, 0
  %or.cond.not = select i1 %2, i1 true, i1 %cmp
  br i1 %or.cond.not, label %while.end, label %land.rhs

while.end:
  %share.2 = phi i64 [ 0, %entry ], [ %3, %land.rhs ]
  ret i64 %share.2
}

define internal fastcc void @wait_a_little(i64 %round) {
entry:
  tail call void @pause_processor()
  %0 = and i64 %round, -9223372036854775745
  %cmp = icmp eq i64 %0, 63
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %call = tail call i32 @sched_yield()
  br label %if.end

if.end:
  ret void
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)

define internal ptr @work(ptr %argument) {
entry:
  %0 = ptrtoint ptr %argument to i64
  %1 = load i64, ptr @mask_count, align 8
  %cmp = icmp sgt i64 %1, %0
  br i1 %cmp, label %if.then, label %for.cond.preheader

if.then:
  %2 = load ptr, ptr @bind, align 8
  %3 = load ptr, ptr @masks, align 8
  %arrayidx = getelementptr %struct.mask, ptr %3, i64 %0
  %call = tail call i32 %2(i32 0, i64 128, ptr %arrayidx)
  br label %for.cond.preheader

for.cond.preheader:
  br label %for.cond

for.cond:
  tail call fastcc void @wait_for_shares()
  %call1 = tail call fastcc i64 @take_share()
  %cmp2 = icmp eq i64 %call1, 0
  br i1 %cmp2, label %for.cond.backedge, label %if.end4

if.end4:
  %4 = load ptr, ptr @function, align 8
  %5 = load ptr, ptr @data, align 8
  %6 = load i64, ptr @team, align 8
  tail call void %4(ptr %5, i64 %call1, i64 %6, ptr @rest)
  %7 = atomicrmw add ptr @done_shares, i64 1 release, align 128
  br label %for.cond.backedge

for.cond.backedge:
  br label %for.cond
}

declare i32 @pthread_detach(i64)

define internal fastcc void @wait_for_shares() {
entry:
  %0 = load atomic i64, ptr @open_shares acquire, align 128
  %cmp4 = icmp eq i64 %0, 0
  br i1 %cmp4, label %for.body, label %for.end

for.body:
  %round.05 = phi i64 [ %inc, %if.end ], [ 0, %entry ]
  %1 = load i64, ptr @most_rounds, align 8
  %cmp1.not = icmp slt i64 %round.05, %1
  br i1 %cmp1.not, label %if.end, label %if.then

if.then:
  tail call fastcc void @sleep_until_woken()
  br label %for.end

if.end:
  tail call fastcc void @wait_a_little(i64 %round.05)
  %inc = add nuw nsw i64 %round.05, 1
  %2 = load atomic i64, ptr @open_shares acquire, align 128
  %cmp = icmp eq i64 %2, 0
  br i1 %cmp, label %for.body, label %for.end

for.end:
  ret void
}

define internal fastcc void @sleep_until_woken() {
entry:
  %call = tail call i32 @pthread_mutex_lock(ptr @mutex)
  %0 = atomicrmw add ptr @sleepers, i64 1 seq_cst, align 128
  %1 = load atomic i64, ptr @open_shares seq_cst, align 128
  %cmp = icmp eq i64 %1, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %call2 = tail call i32 @pthread_cond_wait(ptr @wake, ptr @mutex)
  br label %if.end

if.end:
  %2 = atomicrmw add ptr @sleepers, i64 -1 seq_cst, align 128
  %call3 = tail call i32 @pthread_mutex_unlock(ptr @mutex)
  ret void
}

declare i32 @pthread_mutex_lock(ptr)

declare i32 @pthread_cond_wait(ptr, ptr)

declare i32 @pthread_mutex_unlock(ptr)

declare i32 @pthread_cond_broadcast(ptr)

declare void @pause_processor()

declare i32 @sched_yield()
