; A team of threads that share loops: what `team.py` describes, for LLVM.
;
; The thread that calls publishes a loop: what runs a share of it, and how many shares
; there are for others. A worker takes a share by counting them down, and counts up when
; the share is done. The caller runs its own share, then those that nobody has taken, and
; waits for the others. So nobody waits for a worker that is not there yet.
;
; What several threads write has a cache line of its own, and one in between.

@open = global [16 x i64] zeroinitializer, align 128      ; shares that nobody has
@done = global [16 x i64] zeroinitializer, align 128      ; shares that workers have done
@rest = global [16 x i64] zeroinitializer, align 128      ; iterations that were taken
@is_busy = global [32 x i32] zeroinitializer, align 128   ; whether a loop is shared
@function = global ptr null
@data = global ptr null
@team = global i64 0
@workers = global i64 0
@sleepers = global [16 x i64] zeroinitializer, align 128
@mutex = global [16 x i64] zeroinitializer, align 128
@wake = global [16 x i64] zeroinitializer, align 128

@default_threads = global i64 1
@most_rounds = global i64 1      ; of waiting, before a worker sleeps
@bind = global ptr null          ; sched_setaffinity, if workers are to be bound
@masks = global ptr null         ; 128 bytes for each worker
@mask_count = global i64 0

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_broadcast(ptr)
declare i32 @sched_yield()
PAUSE_DECLARATION

; Begin with no workers: at first, and in a child of a process that had some.
define void @begin() {
  store i64 0, ptr @open
  store i64 0, ptr @done
  store i32 0, ptr @is_busy
  store i64 0, ptr @workers
  store i64 0, ptr @sleepers
  %ignored_1 = call i32 @pthread_mutex_init(ptr @mutex, ptr null)
  %ignored_2 = call i32 @pthread_cond_init(ptr @wake, ptr null)
  ret void
}

; So many iterations more are taken; returns how many were before.
define i64 @xbuf_take_iterations(ptr %rest, i64 %count) {
  %before = atomicrmw add ptr %rest, i64 %count monotonic
  ret i64 %before
}

; Call `function(data, share, shares, rest)` for each share, and wait for all.
define void @xbuf_share_loop(ptr %function, ptr %data, i32 %threads) {
entry:
  %own_rest = alloca i64
  %asked = sext i32 %threads to i64
  %is_default = icmp eq i64 %asked, 0
  %default = load i64, ptr @default_threads
  %team = select i1 %is_default, i64 %default, i64 %asked
  %is_one = icmp sle i64 %team, 1
  br i1 %is_one, label %alone, label %try
try:
  %tried = cmpxchg ptr @is_busy, i32 0, i32 1 acquire monotonic
  %is_free = extractvalue { i32, i1 } %tried, 1
  br i1 %is_free, label %hire, label %alone

; Another loop has the workers: that around this one, or one of another caller.
alone:
  store i64 0, ptr %own_rest
  call void %function(ptr %data, i64 0, i64 1, ptr %own_rest)
  ret void

hire:
  %others = sub i64 %team, 1
  %workers = load i64, ptr @workers
  %is_enough = icmp sge i64 %workers, %others
  br i1 %is_enough, label %publish, label %start
start:
  %is_started = call i1 @start_worker(i64 %workers)
  br i1 %is_started, label %hire, label %publish
publish:
  store ptr %function, ptr @function
  store ptr %data, ptr @data
  store i64 %team, ptr @team
  store i64 0, ptr @rest
  store i64 0, ptr @done
  store atomic i64 %others, ptr @open seq_cst, align 8
  %sleepers = load atomic i64, ptr @sleepers seq_cst, align 8
  %are_awake = icmp eq i64 %sleepers, 0
  br i1 %are_awake, label %own, label %wake
wake:
  %ignored_3 = call i32 @pthread_mutex_lock(ptr @mutex)
  %ignored_4 = call i32 @pthread_cond_broadcast(ptr @wake)
  %ignored_5 = call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %own
own:
  call void %function(ptr %data, i64 0, i64 %team, ptr @rest)
  br label %more

; Shares that nobody has taken.
more:
  %waited_for = phi i64 [ %others, %own ], [ %fewer, %take ]
  %share = call i64 @take_share()
  %is_none = icmp eq i64 %share, 0
  br i1 %is_none, label %wait, label %take
take:
  call void %function(ptr %data, i64 %share, i64 %team, ptr @rest)
  %fewer = sub i64 %waited_for, 1
  br label %more

wait:
  %round = phi i64 [ 0, %more ], [ %next_round, %again ]
  %done = load atomic i64, ptr @done acquire, align 8
  %are_done = icmp eq i64 %done, %waited_for
  br i1 %are_done, label %end, label %again
again:
  call void @wait_a_little(i64 %round)
  %next_round = add i64 %round, 1
  br label %wait
end:
  store atomic i32 0, ptr @is_busy release, align 4
  ret void
}

; The number of a share that nobody has, or 0.
define internal i64 @take_share() {
entry:
  %first = load atomic i64, ptr @open acquire, align 8
  br label %try
try:
  %share = phi i64 [ %first, %entry ], [ %found, %exchange ]
  %is_none = icmp eq i64 %share, 0
  br i1 %is_none, label %end, label %exchange
exchange:
  %fewer = sub i64 %share, 1
  %tried = cmpxchg ptr @open, i64 %share, i64 %fewer seq_cst acquire
  %found = extractvalue { i64, i1 } %tried, 0
  %is_taken = extractvalue { i64, i1 } %tried, 1
  br i1 %is_taken, label %end, label %try
end:
  ret i64 %share
}

; Now and then another thread gets this core: it may be the one that is waited for.
define internal void @wait_a_little(i64 %round) {
entry:
  PAUSE
  %part = and i64 %round, 63
  %is_last = icmp eq i64 %part, 63
  br i1 %is_last, label %yield, label %end
yield:
  %ignored_6 = call i32 @sched_yield()
  br label %end
end:
  ret void
}

define internal i1 @start_worker(i64 %number) {
entry:
  %thread = alloca i64
  %argument = inttoptr i64 %number to ptr
  %error = call i32 @pthread_create(ptr %thread, ptr null, ptr @worker, ptr %argument)
  %is_started = icmp eq i32 %error, 0
  br i1 %is_started, label %note, label %end
note:
  %id = load i64, ptr %thread
  %ignored_7 = call i32 @pthread_detach(i64 %id)
  %count = add i64 %number, 1
  store i64 %count, ptr @workers
  br label %end
end:
  ret i1 %is_started
}

define internal ptr @worker(ptr %argument) {
entry:
  %number = ptrtoint ptr %argument to i64
  %mask_count = load i64, ptr @mask_count
  %is_bound = icmp slt i64 %number, %mask_count
  br i1 %is_bound, label %bind, label %awake
bind:
  %set = load ptr, ptr @bind
  %masks = load ptr, ptr @masks
  %mask = getelementptr [16 x i64], ptr %masks, i64 %number
  %ignored_8 = call i32 %set(i32 0, i64 128, ptr %mask)
  br label %awake

awake:
  %most_rounds = load i64, ptr @most_rounds
  br label %look
look:
  %round = phi i64 [ 0, %awake ], [ %next_round, %again ]
  %open = load atomic i64, ptr @open acquire, align 8
  %is_none = icmp eq i64 %open, 0
  br i1 %is_none, label %wait, label %try
wait:
  %is_long = icmp sge i64 %round, %most_rounds
  br i1 %is_long, label %sleep, label %again
again:
  call void @wait_a_little(i64 %round)
  %next_round = add i64 %round, 1
  br label %look

try:
  %share = call i64 @take_share()
  %is_late = icmp eq i64 %share, 0
  br i1 %is_late, label %awake, label %run
run:
  ; The caller waits for this share, so that these are of the same loop.
  %function = load ptr, ptr @function
  %data = load ptr, ptr @data
  %team = load i64, ptr @team
  call void %function(ptr %data, i64 %share, i64 %team, ptr @rest)
  %ignored_9 = atomicrmw add ptr @done, i64 1 release
  br label %awake

sleep:
  %ignored_10 = call i32 @pthread_mutex_lock(ptr @mutex)
  %ignored_11 = atomicrmw add ptr @sleepers, i64 1 seq_cst
  %still_open = load atomic i64, ptr @open seq_cst, align 8
  %is_still_none = icmp eq i64 %still_open, 0
  br i1 %is_still_none, label %doze, label %rise
doze:
  %ignored_12 = call i32 @pthread_cond_wait(ptr @wake, ptr @mutex)
  br label %rise
rise:
  %ignored_13 = atomicrmw sub ptr @sleepers, i64 1 seq_cst
  %ignored_14 = call i32 @pthread_mutex_unlock(ptr @mutex)
  br label %awake
}
