; Made of `call.c` by `make runtime-ir`; change that file.
; d69c30e3c2114f06d4c6cceff660eeac8824379e3f5a6727e38238723f6a0203

%struct.api = type { ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr }
%struct.argument = type { ptr, ptr, i64, i64, i64, i64, i64 }
%struct.result = type { i64, i64, i64, ptr, i64, i64 }

@api = global %struct.api zeroinitializer, align 8

define ptr @quick_call(ptr %self, ptr %given, i64 %count) {
entry:
  %passed = alloca [254 x ptr], align 16
  %words = alloca [4096 x i64], align 16
  %pointers = alloca [256 x ptr], align 16
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 16), align 8
  %call = tail call ptr %0(ptr %self)
  %rivals_at = getelementptr i8, ptr %call, i64 88
  %1 = load i64, ptr %rivals_at, align 8
  %add.ptr = getelementptr i64, ptr %call, i64 %1
  %arguments_count = getelementptr i8, ptr %call, i64 8
  %2 = load i64, ptr %arguments_count, align 8
  %cmp.not = icmp eq i64 %count, %2
  br i1 %cmp.not, label %for.cond.preheader, label %if.then

for.cond.preheader:
  %cmp2158 = icmp sgt i64 %count, 0
  br i1 %cmp2158, label %for.body.lr.ph, label %for.cond12.preheader

for.body.lr.ph:
  %arguments = getelementptr i8, ptr %call, i64 96
  br label %for.body

if.then:
  %missed = getelementptr i8, ptr %call, i64 64
  %3 = load ptr, ptr %missed, align 8
  %call1 = tail call fastcc ptr @held(ptr %3)
  br label %return

for.cond12.preheader:
  %rivals_count = getelementptr i8, ptr %call, i64 24
  %4 = load i64, ptr %rivals_count, align 8
  %cmp13160 = icmp sgt i64 %4, 0
  br i1 %cmp13160, label %for.body14, label %for.cond27.preheader

for.body:
  %at.0159 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %if.end8 ]
  %arrayidx = getelementptr %struct.argument, ptr %arguments, i64 %at.0159
  %arrayidx3 = getelementptr ptr, ptr %given, i64 %at.0159
  %5 = load ptr, ptr %arrayidx3, align 8
  %call4 = tail call fastcc i1 @fits(ptr %call, ptr %arrayidx, ptr %5)
  br i1 %call4, label %if.end8, label %if.then5

if.then5:
  %missed6 = getelementptr i8, ptr %call, i64 64
  %6 = load ptr, ptr %missed6, align 8
  %call7 = tail call fastcc ptr @held(ptr %6)
  br label %return

if.end8:
  %arrayidx10 = getelementptr ptr, ptr %passed, i64 %at.0159
  store ptr %5, ptr %arrayidx10, align 8
  %inc = add nuw nsw i64 %at.0159, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.cond12.preheader, label %for.body

for.cond12:
  %inc24 = add nuw nsw i64 %at11.0161, 1
  %exitcond171.not = icmp eq i64 %inc24, %4
  br i1 %exitcond171.not, label %for.cond27.preheader, label %for.body14

for.cond27.preheader:
  %cmp28162 = icmp sgt i64 %count, 0
  br i1 %cmp28162, label %for.body29, label %for.end45

for.body14:
  %at11.0161 = phi i64 [ %inc24, %for.cond12 ], [ 0, %for.cond12.preheader ]
  %arrayidx15.idx = shl i64 %at11.0161, 4
  %arrayidx15 = getelementptr i8, ptr %add.ptr, i64 %arrayidx15.idx
  %7 = load i64, ptr %arrayidx15, align 8
  %arrayidx17 = getelementptr i8, ptr %arrayidx15, i64 8
  %8 = load i64, ptr %arrayidx17, align 8
  %call18 = call fastcc i1 @overlap(ptr %call, ptr %passed, i64 %7, i64 %8)
  br i1 %call18, label %if.then19, label %for.cond12

if.then19:
  %missed20 = getelementptr i8, ptr %call, i64 64
  %9 = load ptr, ptr %missed20, align 8
  %call21 = tail call fastcc ptr @held(ptr %9)
  br label %return

for.body29:
  %at26.0163 = phi i64 [ %inc44, %for.inc43 ], [ 0, %for.cond27.preheader ]
  %arrayidx31 = getelementptr %struct.argument, ptr %call, i64 %at26.0163
  %is_copied = getelementptr i8, ptr %arrayidx31, i64 144
  %10 = load i64, ptr %is_copied, align 8
  %tobool.not = icmp eq i64 %10, 0
  br i1 %tobool.not, label %if.else, label %if.then32

if.then32:
  %11 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 128), align 8
  %arrayidx33 = getelementptr ptr, ptr %passed, i64 %at26.0163
  %12 = load ptr, ptr %arrayidx33, align 8
  %call34 = tail call ptr %11(ptr %12, i32 0)
  store ptr %call34, ptr %arrayidx33, align 8
  br label %if.end37

if.else:
  %13 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 56), align 8
  %arrayidx36 = getelementptr ptr, ptr %given, i64 %at26.0163
  %14 = load ptr, ptr %arrayidx36, align 8
  tail call void %13(ptr %14)
  br label %if.end37

if.end37:
  %arrayidx38 = getelementptr ptr, ptr %passed, i64 %at26.0163
  %15 = load ptr, ptr %arrayidx38, align 8
  %cmp39 = icmp eq ptr %15, null
  br i1 %cmp39, label %if.then40, label %for.inc43

if.then40:
  call fastcc void @drop(ptr %passed, i64 %at26.0163)
  br label %return

for.inc43:
  %inc44 = add nuw nsw i64 %at26.0163, 1
  %exitcond172.not = icmp eq i64 %inc44, %count
  br i1 %exitcond172.not, label %for.end45, label %for.body29

for.end45:
  %record_words = getelementptr i8, ptr %call, i64 32
  %16 = load i64, ptr %record_words, align 8
  %returned_words = getelementptr i8, ptr %call, i64 56
  %17 = load i64, ptr %returned_words, align 8
  %add48 = add i64 %17, %16
  %cmp51164 = icmp sgt i64 %add48, 0
  br i1 %cmp51164, label %for.body52, label %for.end56

for.body52:
  %at49.0165 = phi i64 [ %inc55, %for.body52 ], [ 0, %for.end45 ]
  %arrayidx53 = getelementptr i64, ptr %words, i64 %at49.0165
  store i64 0, ptr %arrayidx53, align 8
  %inc55 = add nuw nsw i64 %at49.0165, 1
  %exitcond173.not = icmp eq i64 %inc55, %add48
  br i1 %exitcond173.not, label %for.end56, label %for.body52

for.end56:
  %18 = load i64, ptr %record_words, align 8
  %tobool58.not = icmp eq i64 %18, 0
  br i1 %tobool58.not, label %if.end62, label %if.then59

if.then59:
  %free = getelementptr i8, ptr %call, i64 48
  %19 = load i64, ptr %free, align 8
  %free_word = getelementptr i8, ptr %call, i64 40
  %20 = load i64, ptr %free_word, align 8
  %arrayidx60 = getelementptr i64, ptr %words, i64 %20
  store i64 %19, ptr %arrayidx60, align 8
  %incdec.ptr = getelementptr inbounds nuw i8, ptr %pointers, i64 8
  store ptr %words, ptr %pointers, align 16
  br label %if.end62

if.end62:
  %into.0 = phi ptr [ %incdec.ptr, %if.then59 ], [ %pointers, %for.end56 ]
  %21 = load i64, ptr %record_words, align 8
  %add.ptr65 = getelementptr i64, ptr %words, i64 %21
  %22 = load i64, ptr %returned_words, align 8
  %tobool67.not = icmp eq i64 %22, 0
  br i1 %tobool67.not, label %if.end70, label %if.then68

if.then68:
  %incdec.ptr69 = getelementptr i8, ptr %into.0, i64 8
  store ptr %add.ptr65, ptr %into.0, align 8
  br label %if.end70

if.end70:
  %into.1 = phi ptr [ %incdec.ptr69, %if.then68 ], [ %into.0, %if.end62 ]
  %cmp74166 = icmp sgt i64 %count, 0
  br i1 %cmp74166, label %for.body75.preheader, label %for.end81

for.body75.preheader:
  %add.ptr71 = getelementptr i64, ptr %words, i64 %add48
  br label %for.body75

for.body75:
  %at72.0169 = phi i64 [ %inc80, %for.body75 ], [ 0, %for.body75.preheader ]
  %into.2168 = phi ptr [ %incdec.ptr76, %for.body75 ], [ %into.1, %for.body75.preheader ]
  %next.0167 = phi ptr [ %call78, %for.body75 ], [ %add.ptr71, %for.body75.preheader ]
  %incdec.ptr76 = getelementptr i8, ptr %into.2168, i64 8
  store ptr %next.0167, ptr %into.2168, align 8
  %arrayidx77 = getelementptr ptr, ptr %passed, i64 %at72.0169
  %23 = load ptr, ptr %arrayidx77, align 8
  %call78 = call fastcc ptr @describe(ptr %next.0167, ptr %23)
  %inc80 = add nuw nsw i64 %at72.0169, 1
  %exitcond174.not = icmp eq i64 %inc80, %count
  br i1 %exitcond174.not, label %for.end81, label %for.body75

for.end81:
  %into.2.lcssa = phi ptr [ %into.1, %if.end70 ], [ %incdec.ptr76, %for.body75 ]
  %24 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 72), align 8
  %call82 = call ptr %24()
  %25 = load ptr, ptr %call, align 8
  %sub.ptr.lhs.cast = ptrtoint ptr %into.2.lcssa to i64
  %sub.ptr.rhs.cast = ptrtoint ptr %pointers to i64
  %sub.ptr.sub = sub i64 %sub.ptr.lhs.cast, %sub.ptr.rhs.cast
  %sub.ptr.div = ashr exact i64 %sub.ptr.sub, 3
  call fastcc void @call(ptr %25, i64 %sub.ptr.div, ptr %pointers)
  %26 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 80), align 8
  call void %26(ptr %call82)
  %27 = load i64, ptr %record_words, align 8
  %tobool86 = icmp ne i64 %27, 0
  %28 = load i64, ptr %words, align 16
  %tobool88 = icmp ne i64 %28, 0
  %or.cond = select i1 %tobool86, i1 %tobool88, i1 false
  br i1 %or.cond, label %if.then91, label %lor.lhs.false

lor.lhs.false:
  %call90 = call fastcc i1 @are_usual(ptr %call, ptr %passed, ptr %add.ptr65)
  br i1 %call90, label %if.else95, label %if.then91

if.then91:
  %call94 = call fastcc ptr @raw_results(ptr %call, ptr %passed, ptr %words, i64 %add48)
  br label %if.end98

if.else95:
  %call97 = call fastcc ptr @results_of(ptr %call, ptr %passed, ptr %add.ptr65)
  br label %if.end98

if.end98:
  %results.0 = phi ptr [ %call94, %if.then91 ], [ %call97, %if.else95 ]
  call fastcc void @drop(ptr %passed, i64 %count)
  br label %return

return:
  %retval.0 = phi ptr [ %3, %if.then ], [ %6, %if.then5 ], [ %9, %if.then19 ], [ null, %if.then40 ], [ %results.0, %if.end98 ]
  ret ptr %retval.0
}

define internal fastcc ptr @held(ptr returned %object) {
entry:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 56), align 8
  tail call void %0(ptr %object)
  ret ptr %object
}

define internal fastcc i1 @fits(ptr %plan, ptr %wanted, ptr %value) {
entry:
  %type = getelementptr i8, ptr %value, i64 8
  %0 = load ptr, ptr %type, align 8
  %1 = load ptr, ptr @api, align 8
  %cmp.not = icmp eq ptr %0, %1
  br i1 %cmp.not, label %if.end, label %return

if.end:
  %dtype = getelementptr i8, ptr %value, i64 56
  %2 = load ptr, ptr %dtype, align 8
  %3 = load ptr, ptr %wanted, align 8
  %cmp2.not = icmp eq ptr %2, %3
  br i1 %cmp2.not, label %if.end6, label %land.lhs.true

land.lhs.true:
  %other_dtype = getelementptr i8, ptr %wanted, i64 8
  %4 = load ptr, ptr %other_dtype, align 8
  %cmp4.not = icmp eq ptr %2, %4
  br i1 %cmp4.not, label %if.end6, label %return

if.end6:
  %is_written = getelementptr i8, ptr %wanted, i64 40
  %5 = load i64, ptr %is_written, align 8
  %tobool.not = icmp eq i64 %5, 0
  %flags7 = getelementptr i8, ptr %value, i64 64
  %6 = load i32, ptr %flags7, align 8
  %7 = select i1 %tobool.not, i32 -258, i32 -1282
  %8 = or i32 %7, %6
  %cmp8.not = icmp eq i32 %8, -1
  br i1 %cmp8.not, label %lor.lhs.false, label %return

lor.lhs.false:
  %rank = getelementptr i8, ptr %value, i64 24
  %9 = load i32, ptr %rank, align 8
  %conv = sext i32 %9 to i64
  %rank9 = getelementptr i8, ptr %wanted, i64 24
  %10 = load i64, ptr %rank9, align 8
  %cmp10.not = icmp eq i64 %10, %conv
  br i1 %cmp10.not, label %if.end13, label %return

if.end13:
  %sizes_at = getelementptr i8, ptr %plan, i64 80
  %11 = load i64, ptr %sizes_at, align 8
  %add.ptr = getelementptr i64, ptr %plan, i64 %11
  %first_size = getelementptr i8, ptr %wanted, i64 32
  %12 = load i64, ptr %first_size, align 8
  %add.ptr14 = getelementptr i64, ptr %add.ptr, i64 %12
  %cmp1652 = icmp sgt i64 %10, 0
  br i1 %cmp1652, label %for.body.lr.ph, label %return

for.body.lr.ph:
  %sizes18 = getelementptr i8, ptr %value, i64 32
  %13 = load ptr, ptr %sizes18, align 8
  br label %for.body

for.cond:
  %inc = add nuw nsw i64 %axis.053, 1
  %exitcond.not = icmp eq i64 %inc, %10
  br i1 %exitcond.not, label %return, label %for.body

for.body:
  %axis.053 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.cond ]
  %arrayidx = getelementptr i64, ptr %13, i64 %axis.053
  %14 = load i64, ptr %arrayidx, align 8
  %cmp19 = icmp eq i64 %14, 0
  br i1 %cmp19, label %return, label %lor.lhs.false21

lor.lhs.false21:
  %arrayidx22 = getelementptr i64, ptr %add.ptr14, i64 %axis.053
  %15 = load i64, ptr %arrayidx22, align 8
  %cmp23.not = icmp eq i64 %15, -1
  %cmp27.not = icmp eq i64 %15, %14
  %or.cond = or i1 %cmp23.not, %cmp27.not
  br i1 %or.cond, label %for.cond, label %return

return:
  %retval.0 = phi i1 [ false, %lor.lhs.false ], [ false, %entry ], [ false, %land.lhs.true ], [ false, %if.end6 ], [ true, %if.end13 ], [ true, %for.cond ], [ false, %lor.lhs.false21 ], [ false, %for.body ]
  ret i1 %retval.0
}

define internal fastcc i1 @overlap(ptr %plan, ptr %passed, i64 %one, i64 %other) {
entry:
  %arrayidx = getelementptr ptr, ptr %passed, i64 %one
  %0 = load ptr, ptr %arrayidx, align 8
  %data = getelementptr i8, ptr %0, i64 16
  %1 = load ptr, ptr %data, align 8
  %arrayidx1 = getelementptr ptr, ptr %passed, i64 %other
  %2 = load ptr, ptr %arrayidx1, align 8
  %data2 = getelementptr i8, ptr %2, i64 16
  %3 = load ptr, ptr %data2, align 8
  %arguments = getelementptr i8, ptr %plan, i64 96
  %arrayidx4 = getelementptr %struct.argument, ptr %arguments, i64 %one
  %item_bytes = getelementptr i8, ptr %arrayidx4, i64 16
  %4 = load i64, ptr %item_bytes, align 8
  %call = tail call fastcc i64 @count_bytes(ptr %0, i64 %4)
  %arrayidx7 = getelementptr %struct.argument, ptr %arguments, i64 %other
  %item_bytes8 = getelementptr i8, ptr %arrayidx7, i64 16
  %5 = load i64, ptr %item_bytes8, align 8
  %call9 = tail call fastcc i64 @count_bytes(ptr %2, i64 %5)
  %add.ptr = getelementptr i8, ptr %3, i64 %call9
  %cmp = icmp ult ptr %1, %add.ptr
  %add.ptr10 = getelementptr i8, ptr %1, i64 %call
  %cmp11 = icmp ult ptr %3, %add.ptr10
  %6 = select i1 %cmp, i1 %cmp11, i1 false
  ret i1 %6
}

define internal fastcc void @drop(ptr %objects, i64 %count) {
entry:
  %cmp3 = icmp sgt i64 %count, 0
  br i1 %cmp3, label %for.body, label %for.end

for.body:
  %at.04 = phi i64 [ %inc, %for.body ], [ 0, %entry ]
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 64), align 8
  %arrayidx = getelementptr ptr, ptr %objects, i64 %at.04
  %1 = load ptr, ptr %arrayidx, align 8
  tail call void %0(ptr %1)
  %inc = add nuw nsw i64 %at.04, 1
  %exitcond.not = icmp eq i64 %inc, %count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  ret void
}

define internal fastcc ptr @describe(ptr %words, ptr %array) {
entry:
  %rank1 = getelementptr i8, ptr %array, i64 24
  %0 = load i32, ptr %rank1, align 8
  %conv = sext i32 %0 to i64
  %data = getelementptr i8, ptr %array, i64 16
  %1 = load ptr, ptr %data, align 8
  %2 = ptrtoint ptr %1 to i64
  %arrayidx = getelementptr i8, ptr %words, i64 8
  store i64 %2, ptr %arrayidx, align 8
  store i64 %2, ptr %words, align 8
  %arrayidx3 = getelementptr i8, ptr %words, i64 16
  store i64 0, ptr %arrayidx3, align 8
  %cmp30 = icmp sgt i32 %0, 0
  br i1 %cmp30, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %sizes = getelementptr i8, ptr %array, i64 32
  %3 = getelementptr i64, ptr %words, i64 %conv
  %4 = getelementptr i8, ptr %3, i64 24
  br label %for.body

for.body:
  %axis.0.in32 = phi i64 [ %conv, %for.body.lr.ph ], [ %axis.0, %for.body ]
  %stride.031 = phi i64 [ 1, %for.body.lr.ph ], [ %mul, %for.body ]
  %axis.0 = add nsw i64 %axis.0.in32, -1
  %5 = load ptr, ptr %sizes, align 8
  %arrayidx5 = getelementptr i64, ptr %5, i64 %axis.0
  %6 = load i64, ptr %arrayidx5, align 8
  %7 = getelementptr i64, ptr %words, i64 %axis.0.in32
  %arrayidx6 = getelementptr i8, ptr %7, i64 16
  store i64 %6, ptr %arrayidx6, align 8
  %arrayidx9 = getelementptr i64, ptr %4, i64 %axis.0
  store i64 %stride.031, ptr %arrayidx9, align 8
  %8 = load ptr, ptr %sizes, align 8
  %arrayidx11 = getelementptr i64, ptr %8, i64 %axis.0
  %9 = load i64, ptr %arrayidx11, align 8
  %mul = mul i64 %9, %stride.031
  %cmp = icmp sgt i64 %axis.0.in32, 1
  br i1 %cmp, label %for.body, label %for.end

for.end:
  %add.ptr = getelementptr i8, ptr %words, i64 24
  %add.ptr13.idx = shl nsw i64 %conv, 4
  %add.ptr13 = getelementptr i8, ptr %add.ptr, i64 %add.ptr13.idx
  ret ptr %add.ptr13
}

define internal fastcc void @call(ptr %function, i64 %count, ptr %p) {
entry:
  %cmp = icmp slt i64 %count, 17
  %cond = select i1 %cmp, i64 %count, i64 256
  switch i64 %cond, label %sw.default [
    i64 1, label %sw.bb
    i64 2, label %sw.bb1
    i64 3, label %sw.bb4
    i64 4, label %sw.bb8
    i64 5, label %sw.bb13
    i64 6, label %sw.bb19
    i64 7, label %sw.bb26
    i64 8, label %sw.bb34
    i64 9, label %sw.bb43
    i64 10, label %sw.bb53
    i64 11, label %sw.bb64
    i64 12, label %sw.bb76
    i64 13, label %sw.bb89
    i64 14, label %sw.bb103
    i64 15, label %sw.bb118
    i64 16, label %sw.bb134
    i64 256, label %sw.bb151
  ]

sw.bb:
  %0 = load ptr, ptr %p, align 8
  tail call void %function(ptr %0)
  br label %sw.epilog

sw.bb1:
  %1 = load ptr, ptr %p, align 8
  %arrayidx3 = getelementptr i8, ptr %p, i64 8
  %2 = load ptr, ptr %arrayidx3, align 8
  tail call void %function(ptr %1, ptr %2)
  br label %sw.epilog

sw.bb4:
  %3 = load ptr, ptr %p, align 8
  %arrayidx6 = getelementptr i8, ptr %p, i64 8
  %4 = load ptr, ptr %arrayidx6, align 8
  %arrayidx7 = getelementptr i8, ptr %p, i64 16
  %5 = load ptr, ptr %arrayidx7, align 8
  tail call void %function(ptr %3, ptr %4, ptr %5)
  br label %sw.epilog

sw.bb8:
  %6 = load ptr, ptr %p, align 8
  %arrayidx10 = getelementptr i8, ptr %p, i64 8
  %7 = load ptr, ptr %arrayidx10, align 8
  %arrayidx11 = getelementptr i8, ptr %p, i64 16
  %8 = load ptr, ptr %arrayidx11, align 8
  %arrayidx12 = getelementptr i8, ptr %p, i64 24
  %9 = load ptr, ptr %arrayidx12, align 8
  tail call void %function(ptr %6, ptr %7, ptr %8, ptr %9)
  br label %sw.epilog

sw.bb13:
  %10 = load ptr, ptr %p, align 8
  %arrayidx15 = getelementptr i8, ptr %p, i64 8
  %11 = load ptr, ptr %arrayidx15, align 8
  %arrayidx16 = getelementptr i8, ptr %p, i64 16
  %12 = load ptr, ptr %arrayidx16, align 8
  %arrayidx17 = getelementptr i8, ptr %p, i64 24
  %13 = load ptr, ptr %arrayidx17, align 8
  %arrayidx18 = getelementptr i8, ptr %p, i64 32
  %14 = load ptr, ptr %arrayidx18, align 8
  tail call void %function(ptr %10, ptr %11, ptr %12, ptr %13, ptr %14)
  br label %sw.epilog

sw.bb19:
  %15 = load ptr, ptr %p, align 8
  %arrayidx21 = getelementptr i8, ptr %p, i64 8
  %16 = load ptr, ptr %arrayidx21, align 8
  %arrayidx22 = getelementptr i8, ptr %p, i64 16
  %17 = load ptr, ptr %arrayidx22, align 8
  %arrayidx23 = getelementptr i8, ptr %p, i64 24
  %18 = load ptr, ptr %arrayidx23, align 8
  %arrayidx24 = getelementptr i8, ptr %p, i64 32
  %19 = load ptr, ptr %arrayidx24, align 8
  %arrayidx25 = getelementptr i8, ptr %p, i64 40
  %20 = load ptr, ptr %arrayidx25, align 8
  tail call void %function(ptr %15, ptr %16, ptr %17, ptr %18, ptr %19, ptr %20)
  br label %sw.epilog

sw.bb26:
  %21 = load ptr, ptr %p, align 8
  %arrayidx28 = getelementptr i8, ptr %p, i64 8
  %22 = load ptr, ptr %arrayidx28, align 8
  %arrayidx29 = getelementptr i8, ptr %p, i64 16
  %23 = load ptr, ptr %arrayidx29, align 8
  %arrayidx30 = getelementptr i8, ptr %p, i64 24
  %24 = load ptr, ptr %arrayidx30, align 8
  %arrayidx31 = getelementptr i8, ptr %p, i64 32
  %25 = load ptr, ptr %arrayidx31, align 8
  %arrayidx32 = getelementptr i8, ptr %p, i64 40
  %26 = load ptr, ptr %arrayidx32, align 8
  %arrayidx33 = getelementptr i8, ptr %p, i64 48
  %27 = load ptr, ptr %arrayidx33, align 8
  tail call void %function(ptr %21, ptr %22, ptr %23, ptr %24, ptr %25, ptr %26, ptr %27)
  br label %sw.epilog

sw.bb34:
  %28 = load ptr, ptr %p, align 8
  %arrayidx36 = getelementptr i8, ptr %p, i64 8
  %29 = load ptr, ptr %arrayidx36, align 8
  %arrayidx37 = getelementptr i8, ptr %p, i64 16
  %30 = load ptr, ptr %arrayidx37, align 8
  %arrayidx38 = getelementptr i8, ptr %p, i64 24
  %31 = load ptr, ptr %arrayidx38, align 8
  %arrayidx39 = getelementptr i8, ptr %p, i64 32
  %32 = load ptr, ptr %arrayidx39, align 8
  %arrayidx40 = getelementptr i8, ptr %p, i64 40
  %33 = load ptr, ptr %arrayidx40, align 8
  %arrayidx41 = getelementptr i8, ptr %p, i64 48
  %34 = load ptr, ptr %arrayidx41, align 8
  %arrayidx42 = getelementptr i8, ptr %p, i64 56
  %35 = load ptr, ptr %arrayidx42, align 8
  tail call void %function(ptr %28, ptr %29, ptr %30, ptr %31, ptr %32, ptr %33, ptr %34, ptr %35)
  br label %sw.epilog

sw.bb43:
  %36 = load ptr, ptr %p, align 8
  %arrayidx45 = getelementptr i8, ptr %p, i64 8
  %37 = load ptr, ptr %arrayidx45, align 8
  %arrayidx46 = getelementptr i8, ptr %p, i64 16
  %38 = load ptr, ptr %arrayidx46, align 8
  %arrayidx47 = getelementptr i8, ptr %p, i64 24
  %39 = load ptr, ptr %arrayidx47, align 8
  %arrayidx48 = getelementptr i8, ptr %p, i64 32
  %40 = load ptr, ptr %arrayidx48, align 8
  %arrayidx49 = getelementptr i8, ptr %p, i64 40
  %41 = load ptr, ptr %arrayidx49, align 8
  %arrayidx50 = getelementptr i8, ptr %p, i64 48
  %42 = load ptr, ptr %arrayidx50, align 8
  %arrayidx51 = getelementptr i8, ptr %p, i64 56
  %43 = load ptr, ptr %arrayidx51, align 8
  %arrayidx52 = getelementptr i8, ptr %p, i64 64
  %44 = load ptr, ptr %arrayidx52, align 8
  tail call void %function(ptr %36, ptr %37, ptr %38, ptr %39, ptr %40, ptr %41, ptr %42, ptr %43, ptr %44)
  br label %sw.epilog

sw.bb53:
  %45 = load ptr, ptr %p, align 8
  %arrayidx55 = getelementptr i8, ptr %p, i64 8
  %46 = load ptr, ptr %arrayidx55, align 8
  %arrayidx56 = getelementptr i8, ptr %p, i64 16
  %47 = load ptr, ptr %arrayidx56, align 8
  %arrayidx57 = getelementptr i8, ptr %p, i64 24
  %48 = load ptr, ptr %arrayidx57, align 8
  %arrayidx58 = getelementptr i8, ptr %p, i64 32
  %49 = load ptr, ptr %arrayidx58, align 8
  %arrayidx59 = getelementptr i8, ptr %p, i64 40
  %50 = load ptr, ptr %arrayidx59, align 8
  %arrayidx60 = getelementptr i8, ptr %p, i64 48
  %51 = load ptr, ptr %arrayidx60, align 8
  %arrayidx61 = getelementptr i8, ptr %p, i64 56
  %52 = load ptr, ptr %arrayidx61, align 8
  %arrayidx62 = getelementptr i8, ptr %p, i64 64
  %53 = load ptr, ptr %arrayidx62, align 8
  %arrayidx63 = getelementptr i8, ptr %p, i64 72
  %54 = load ptr, ptr %arrayidx63, align 8
  tail call void %function(ptr %45, ptr %46, ptr %47, ptr %48, ptr %49, ptr %50, ptr %51, ptr %52, ptr %53, ptr %54)
  br label %sw.epilog

sw.bb64:
  %55 = load ptr, ptr %p, align 8
  %arrayidx66 = getelementptr i8, ptr %p, i64 8
  %56 = load ptr, ptr %arrayidx66, align 8
  %arrayidx67 = getelementptr i8, ptr %p, i64 16
  %57 = load ptr, ptr %arrayidx67, align 8
  %arrayidx68 = getelementptr i8, ptr %p, i64 24
  %58 = load ptr, ptr %arrayidx68, align 8
  %arrayidx69 = getelementptr i8, ptr %p, i64 32
  %59 = load ptr, ptr %arrayidx69, align 8
  %arrayidx70 = getelementptr i8, ptr %p, i64 40
  %60 = load ptr, ptr %arrayidx70, align 8
  %arrayidx71 = getelementptr i8, ptr %p, i64 48
  %61 = load ptr, ptr %arrayidx71, align 8
  %arrayidx72 = getelementptr i8, ptr %p, i64 56
  %62 = load ptr, ptr %arrayidx72, align 8
  %arrayidx73 = getelementptr i8, ptr %p, i64 64
  %63 = load ptr, ptr %arrayidx73, align 8
  %arrayidx74 = getelementptr i8, ptr %p, i64 72
  %64 = load ptr, ptr %arrayidx74, align 8
  %arrayidx75 = getelementptr i8, ptr %p, i64 80
  %65 = load ptr, ptr %arrayidx75, align 8
  tail call void %function(ptr %55, ptr %56, ptr %57, ptr %58, ptr %59, ptr %60, ptr %61, ptr %62, ptr %63, ptr %64, ptr %65)
  br label %sw.epilog

sw.bb76:
  %66 = load ptr, ptr %p, align 8
  %arrayidx78 = getelementptr i8, ptr %p, i64 8
  %67 = load ptr, ptr %arrayidx78, align 8
  %arrayidx79 = getelementptr i8, ptr %p, i64 16
  %68 = load ptr, ptr %arrayidx79, align 8
  %arrayidx80 = getelementptr i8, ptr %p, i64 24
  %69 = load ptr, ptr %arrayidx80, align 8
  %arrayidx81 = getelementptr i8, ptr %p, i64 32
  %70 = load ptr, ptr %arrayidx81, align 8
  %arrayidx82 = getelementptr i8, ptr %p, i64 40
  %71 = load ptr, ptr %arrayidx82, align 8
  %arrayidx83 = getelementptr i8, ptr %p, i64 48
  %72 = load ptr, ptr %arrayidx83, align 8
  %arrayidx84 = getelementptr i8, ptr %p, i64 56
  %73 = load ptr, ptr %arrayidx84, align 8
  %arrayidx85 = getelementptr i8, ptr %p, i64 64
  %74 = load ptr, ptr %arrayidx85, align 8
  %arrayidx86 = getelementptr i8, ptr %p, i64 72
  %75 = load ptr, ptr %arrayidx86, align 8
  %arrayidx87 = getelementptr i8, ptr %p, i64 80
  %76 = load ptr, ptr %arrayidx87, align 8
  %arrayidx88 = getelementptr i8, ptr %p, i64 88
  %77 = load ptr, ptr %arrayidx88, align 8
  tail call void %function(ptr %66, ptr %67, ptr %68, ptr %69, ptr %70, ptr %71, ptr %72, ptr %73, ptr %74, ptr %75, ptr %76, ptr %77)
  br label %sw.epilog

sw.bb89:
  %78 = load ptr, ptr %p, align 8
  %arrayidx91 = getelementptr i8, ptr %p, i64 8
  %79 = load ptr, ptr %arrayidx91, align 8
  %arrayidx92 = getelementptr i8, ptr %p, i64 16
  %80 = load ptr, ptr %arrayidx92, align 8
  %arrayidx93 = getelementptr i8, ptr %p, i64 24
  %81 = load ptr, ptr %arrayidx93, align 8
  %arrayidx94 = getelementptr i8, ptr %p, i64 32
  %82 = load ptr, ptr %arrayidx94, align 8
  %arrayidx95 = getelementptr i8, ptr %p, i64 40
  %83 = load ptr, ptr %arrayidx95, align 8
  %arrayidx96 = getelementptr i8, ptr %p, i64 48
  %84 = load ptr, ptr %arrayidx96, align 8
  %arrayidx97 = getelementptr i8, ptr %p, i64 56
  %85 = load ptr, ptr %arrayidx97, align 8
  %arrayidx98 = getelementptr i8, ptr %p, i64 64
  %86 = load ptr, ptr %arrayidx98, align 8
  %arrayidx99 = getelementptr i8, ptr %p, i64 72
  %87 = load ptr, ptr %arrayidx99, align 8
  %arrayidx100 = getelementptr i8, ptr %p, i64 80
  %88 = load ptr, ptr %arrayidx100, align 8
  %arrayidx101 = getelementptr i8, ptr %p, i64 88
  %89 = load ptr, ptr %arrayidx101, align 8
  %arrayidx102 = getelementptr i8, ptr %p, i64 96
  %90 = load ptr, ptr %arrayidx102, align 8
  tail call void %function(ptr %78, ptr %79, ptr %80, ptr %81, ptr %82, ptr %83, ptr %84, ptr %85, ptr %86, ptr %87, ptr %88, ptr %89, ptr %90)
  br label %sw.epilog

sw.bb103:
  %91 = load ptr, ptr %p, align 8
  %arrayidx105 = getelementptr i8, ptr %p, i64 8
  %92 = load ptr, ptr %arrayidx105, align 8
  %arrayidx106 = getelementptr i8, ptr %p, i64 16
  %93 = load ptr, ptr %arrayidx106, align 8
  %arrayidx107 = getelementptr i8, ptr %p, i64 24
  %94 = load ptr, ptr %arrayidx107, align 8
  %arrayidx108 = getelementptr i8, ptr %p, i64 32
  %95 = load ptr, ptr %arrayidx108, align 8
  %arrayidx109 = getelementptr i8, ptr %p, i64 40
  %96 = load ptr, ptr %arrayidx109, align 8
  %arrayidx110 = getelementptr i8, ptr %p, i64 48
  %97 = load ptr, ptr %arrayidx110, align 8
  %arrayidx111 = getelementptr i8, ptr %p, i64 56
  %98 = load ptr, ptr %arrayidx111, align 8
  %arrayidx112 = getelementptr i8, ptr %p, i64 64
  %99 = load ptr, ptr %arrayidx112, align 8
  %arrayidx113 = getelementptr i8, ptr %p, i64 72
  %100 = load ptr, ptr %arrayidx113, align 8
  %arrayidx114 = getelementptr i8, ptr %p, i64 80
  %101 = load ptr, ptr %arrayidx114, align 8
  %arrayidx115 = getelementptr i8, ptr %p, i64 88
  %102 = load ptr, ptr %arrayidx115, align 8
  %arrayidx116 = getelementptr i8, ptr %p, i64 96
  %103 = load ptr, ptr %arrayidx116, align 8
  %arrayidx117 = getelementptr i8, ptr %p, i64 104
  %104 = load ptr, ptr %arrayidx117, align 8
  tail call void %function(ptr %91, ptr %92, ptr %93, ptr %94, ptr %95, ptr %96, ptr %97, ptr %98, ptr %99, ptr %100, ptr %101, ptr %102, ptr %103, ptr %104)
  br label %sw.epilog

sw.bb118:
  %105 = load ptr, ptr %p, align 8
  %arrayidx120 = getelementptr i8, ptr %p, i64 8
  %106 = load ptr, ptr %arrayidx120, align 8
  %arrayidx121 = getelementptr i8, ptr %p, i64 16
  %107 = load ptr, ptr %arrayidx121, align 8
  %arrayidx122 = getelementptr i8, ptr %p, i64 24
  %108 = load ptr, ptr %arrayidx122, align 8
  %arrayidx123 = getelementptr i8, ptr %p, i64 32
  %109 = load ptr, ptr %arrayidx123, align 8
  %arrayidx124 = getelementptr i8, ptr %p, i64 40
  %110 = load ptr, ptr %arrayidx124, align 8
  %arrayidx125 = getelementptr i8, ptr %p, i64 48
  %111 = load ptr, ptr %arrayidx125, align 8
  %arrayidx126 = getelementptr i8, ptr %p, i64 56
  %112 = load ptr, ptr %arrayidx126, align 8
  %arrayidx127 = getelementptr i8, ptr %p, i64 64
  %113 = load ptr, ptr %arrayidx127, align 8
  %arrayidx128 = getelementptr i8, ptr %p, i64 72
  %114 = load ptr, ptr %arrayidx128, align 8
  %arrayidx129 = getelementptr i8, ptr %p, i64 80
  %115 = load ptr, ptr %arrayidx129, align 8
  %arrayidx130 = getelementptr i8, ptr %p, i64 88
  %116 = load ptr, ptr %arrayidx130, align 8
  %arrayidx131 = getelementptr i8, ptr %p, i64 96
  %117 = load ptr, ptr %arrayidx131, align 8
  %arrayidx132 = getelementptr i8, ptr %p, i64 104
  %118 = load ptr, ptr %arrayidx132, align 8
  %arrayidx133 = getelementptr i8, ptr %p, i64 112
  %119 = load ptr, ptr %arrayidx133, align 8
  tail call void %function(ptr %105, ptr %106, ptr %107, ptr %108, ptr %109, ptr %110, ptr %111, ptr %112, ptr %113, ptr %114, ptr %115, ptr %116, ptr %117, ptr %118, ptr %119)
  br label %sw.epilog

sw.bb134:
  %120 = load ptr, ptr %p, align 8
  %arrayidx136 = getelementptr i8, ptr %p, i64 8
  %121 = load ptr, ptr %arrayidx136, align 8
  %arrayidx137 = getelementptr i8, ptr %p, i64 16
  %122 = load ptr, ptr %arrayidx137, align 8
  %arrayidx138 = getelementptr i8, ptr %p, i64 24
  %123 = load ptr, ptr %arrayidx138, align 8
  %arrayidx139 = getelementptr i8, ptr %p, i64 32
  %124 = load ptr, ptr %arrayidx139, align 8
  %arrayidx140 = getelementptr i8, ptr %p, i64 40
  %125 = load ptr, ptr %arrayidx140, align 8
  %arrayidx141 = getelementptr i8, ptr %p, i64 48
  %126 = load ptr, ptr %arrayidx141, align 8
  %arrayidx142 = getelementptr i8, ptr %p, i64 56
  %127 = load ptr, ptr %arrayidx142, align 8
  %arrayidx143 = getelementptr i8, ptr %p, i64 64
  %128 = load ptr, ptr %arrayidx143, align 8
  %arrayidx144 = getelementptr i8, ptr %p, i64 72
  %129 = load ptr, ptr %arrayidx144, align 8
  %arrayidx145 = getelementptr i8, ptr %p, i64 80
  %130 = load ptr, ptr %arrayidx145, align 8
  %arrayidx146 = getelementptr i8, ptr %p, i64 88
  %131 = load ptr, ptr %arrayidx146, align 8
  %arrayidx147 = getelementptr i8, ptr %p, i64 96
  %132 = load ptr, ptr %arrayidx147, align 8
  %arrayidx148 = getelementptr i8, ptr %p, i64 104
  %133 = load ptr, ptr %arrayidx148, align 8
  %arrayidx149 = getelementptr i8, ptr %p, i64 112
  %134 = load ptr, ptr %arrayidx149, align 8
  %arrayidx150 = getelementptr i8, ptr %p, i64 120
  %135 = load ptr, ptr %arrayidx150, align 8
  tail call void %function(ptr %120, ptr %121, ptr %122, ptr %123, ptr %124, ptr %125, ptr %126, ptr %127, ptr %128, ptr %129, ptr %130, ptr %131, ptr %132, ptr %133, ptr %134, ptr %135)
  br label %sw.epilog

sw.bb151:
  %136 = load ptr, ptr %p, align 8
  %arrayidx153 = getelementptr i8, ptr %p, i64 8
  %137 = load ptr, ptr %arrayidx153, align 8
  %arrayidx154 = getelementptr i8, ptr %p, i64 16
  %138 = load ptr, ptr %arrayidx154, align 8
  %arrayidx155 = getelementptr i8, ptr %p, i64 24
  %139 = load ptr, ptr %arrayidx155, align 8
  %arrayidx156 = getelementptr i8, ptr %p, i64 32
  %140 = load ptr, ptr %arrayidx156, align 8
  %arrayidx157 = getelementptr i8, ptr %p, i64 40
  %141 = load ptr, ptr %arrayidx157, align 8
  %arrayidx158 = getelementptr i8, ptr %p, i64 48
  %142 = load ptr, ptr %arrayidx158, align 8
  %arrayidx159 = getelementptr i8, ptr %p, i64 56
  %143 = load ptr, ptr %arrayidx159, align 8
  %arrayidx160 = getelementptr i8, ptr %p, i64 64
  %144 = load ptr, ptr %arrayidx160, align 8
  %arrayidx161 = getelementptr i8, ptr %p, i64 72
  %145 = load ptr, ptr %arrayidx161, align 8
  %arrayidx162 = getelementptr i8, ptr %p, i64 80
  %146 = load ptr, ptr %arrayidx162, align 8
  %arrayidx163 = getelementptr i8, ptr %p, i64 88
  %147 = load ptr, ptr %arrayidx163, align 8
  %arrayidx164 = getelementptr i8, ptr %p, i64 96
  %148 = load ptr, ptr %arrayidx164, align 8
  %arrayidx165 = getelementptr i8, ptr %p, i64 104
  %149 = load ptr, ptr %arrayidx165, align 8
  %arrayidx166 = getelementptr i8, ptr %p, i64 112
  %150 = load ptr, ptr %arrayidx166, align 8
  %arrayidx167 = getelementptr i8, ptr %p, i64 120
  %151 = load ptr, ptr %arrayidx167, align 8
  %arrayidx168 = getelementptr i8, ptr %p, i64 128
  %152 = load ptr, ptr %arrayidx168, align 8
  %arrayidx169 = getelementptr i8, ptr %p, i64 136
  %153 = load ptr, ptr %arrayidx169, align 8
  %arrayidx170 = getelementptr i8, ptr %p, i64 144
  %154 = load ptr, ptr %arrayidx170, align 8
  %arrayidx171 = getelementptr i8, ptr %p, i64 152
  %155 = load ptr, ptr %arrayidx171, align 8
  %arrayidx172 = getelementptr i8, ptr %p, i64 160
  %156 = load ptr, ptr %arrayidx172, align 8
  %arrayidx173 = getelementptr i8, ptr %p, i64 168
  %157 = load ptr, ptr %arrayidx173, align 8
  %arrayidx174 = getelementptr i8, ptr %p, i64 176
  %158 = load ptr, ptr %arrayidx174, align 8
  %arrayidx175 = getelementptr i8, ptr %p, i64 184
  %159 = load ptr, ptr %arrayidx175, align 8
  %arrayidx176 = getelementptr i8, ptr %p, i64 192
  %160 = load ptr, ptr %arrayidx176, align 8
  %arrayidx177 = getelementptr i8, ptr %p, i64 200
  %161 = load ptr, ptr %arrayidx177, align 8
  %arrayidx178 = getelementptr i8, ptr %p, i64 208
  %162 = load ptr, ptr %arrayidx178, align 8
  %arrayidx179 = getelementptr i8, ptr %p, i64 216
  %163 = load ptr, ptr %arrayidx179, align 8
  %arrayidx180 = getelementptr i8, ptr %p, i64 224
  %164 = load ptr, ptr %arrayidx180, align 8
  %arrayidx181 = getelementptr i8, ptr %p, i64 232
  %165 = load ptr, ptr %arrayidx181, align 8
  %arrayidx182 = getelementptr i8, ptr %p, i64 240
  %166 = load ptr, ptr %arrayidx182, align 8
  %arrayidx183 = getelementptr i8, ptr %p, i64 248
  %167 = load ptr, ptr %arrayidx183, align 8
  %arrayidx184 = getelementptr i8, ptr %p, i64 256
  %168 = load ptr, ptr %arrayidx184, align 8
  %arrayidx185 = getelementptr i8, ptr %p, i64 264
  %169 = load ptr, ptr %arrayidx185, align 8
  %arrayidx186 = getelementptr i8, ptr %p, i64 272
  %170 = load ptr, ptr %arrayidx186, align 8
  %arrayidx187 = getelementptr i8, ptr %p, i64 280
  %171 = load ptr, ptr %arrayidx187, align 8
  %arrayidx188 = getelementptr i8, ptr %p, i64 288
  %172 = load ptr, ptr %arrayidx188, align 8
  %arrayidx189 = getelementptr i8, ptr %p, i64 296
  %173 = load ptr, ptr %arrayidx189, align 8
  %arrayidx190 = getelementptr i8, ptr %p, i64 304
  %174 = load ptr, ptr %arrayidx190, align 8
  %arrayidx191 = getelementptr i8, ptr %p, i64 312
  %175 = load ptr, ptr %arrayidx191, align 8
  %arrayidx192 = getelementptr i8, ptr %p, i64 320
  %176 = load ptr, ptr %arrayidx192, align 8
  %arrayidx193 = getelementptr i8, ptr %p, i64 328
  %177 = load ptr, ptr %arrayidx193, align 8
  %arrayidx194 = getelementptr i8, ptr %p, i64 336
  %178 = load ptr, ptr %arrayidx194, align 8
  %arrayidx195 = getelementptr i8, ptr %p, i64 344
  %179 = load ptr, ptr %arrayidx195, align 8
  %arrayidx196 = getelementptr i8, ptr %p, i64 352
  %180 = load ptr, ptr %arrayidx196, align 8
  %arrayidx197 = getelementptr i8, ptr %p, i64 360
  %181 = load ptr, ptr %arrayidx197, align 8
  %arrayidx198 = getelementptr i8, ptr %p, i64 368
  %182 = load ptr, ptr %arrayidx198, align 8
  %arrayidx199 = getelementptr i8, ptr %p, i64 376
  %183 = load ptr, ptr %arrayidx199, align 8
  %arrayidx200 = getelementptr i8, ptr %p, i64 384
  %184 = load ptr, ptr %arrayidx200, align 8
  %arrayidx201 = getelementptr i8, ptr %p, i64 392
  %185 = load ptr, ptr %arrayidx201, align 8
  %arrayidx202 = getelementptr i8, ptr %p, i64 400
  %186 = load ptr, ptr %arrayidx202, align 8
  %arrayidx203 = getelementptr i8, ptr %p, i64 408
  %187 = load ptr, ptr %arrayidx203, align 8
  %arrayidx204 = getelementptr i8, ptr %p, i64 416
  %188 = load ptr, ptr %arrayidx204, align 8
  %arrayidx205 = getelementptr i8, ptr %p, i64 424
  %189 = load ptr, ptr %arrayidx205, align 8
  %arrayidx206 = getelementptr i8, ptr %p, i64 432
  %190 = load ptr, ptr %arrayidx206, align 8
  %arrayidx207 = getelementptr i8, ptr %p, i64 440
  %191 = load ptr, ptr %arrayidx207, align 8
  %arrayidx208 = getelementptr i8, ptr %p, i64 448
  %192 = load ptr, ptr %arrayidx208, align 8
  %arrayidx209 = getelementptr i8, ptr %p, i64 456
  %193 = load ptr, ptr %arrayidx209, align 8
  %arrayidx210 = getelementptr i8, ptr %p, i64 464
  %194 = load ptr, ptr %arrayidx210, align 8
  %arrayidx211 = getelementptr i8, ptr %p, i64 472
  %195 = load ptr, ptr %arrayidx211, align 8
  %arrayidx212 = getelementptr i8, ptr %p, i64 480
  %196 = load ptr, ptr %arrayidx212, align 8
  %arrayidx213 = getelementptr i8, ptr %p, i64 488
  %197 = load ptr, ptr %arrayidx213, align 8
  %arrayidx214 = getelementptr i8, ptr %p, i64 496
  %198 = load ptr, ptr %arrayidx214, align 8
  %arrayidx215 = getelementptr i8, ptr %p, i64 504
  %199 = load ptr, ptr %arrayidx215, align 8
  %arrayidx216 = getelementptr i8, ptr %p, i64 512
  %200 = load ptr, ptr %arrayidx216, align 8
  %arrayidx217 = getelementptr i8, ptr %p, i64 520
  %201 = load ptr, ptr %arrayidx217, align 8
  %arrayidx218 = getelementptr i8, ptr %p, i64 528
  %202 = load ptr, ptr %arrayidx218, align 8
  %arrayidx219 = getelementptr i8, ptr %p, i64 536
  %203 = load ptr, ptr %arrayidx219, align 8
  %arrayidx220 = getelementptr i8, ptr %p, i64 544
  %204 = load ptr, ptr %arrayidx220, align 8
  %arrayidx221 = getelementptr i8, ptr %p, i64 552
  %205 = load ptr, ptr %arrayidx221, align 8
  %arrayidx222 = getelementptr i8, ptr %p, i64 560
  %206 = load ptr, ptr %arrayidx222, align 8
  %arrayidx223 = getelementptr i8, ptr %p, i64 568
  %207 = load ptr, ptr %arrayidx223, align 8
  %arrayidx224 = getelementptr i8, ptr %p, i64 576
  %208 = load ptr, ptr %arrayidx224, align 8
  %arrayidx225 = getelementptr i8, ptr %p, i64 584
  %209 = load ptr, ptr %arrayidx225, align 8
  %arrayidx226 = getelementptr i8, ptr %p, i64 592
  %210 = load ptr, ptr %arrayidx226, align 8
  %arrayidx227 = getelementptr i8, ptr %p, i64 600
  %211 = load ptr, ptr %arrayidx227, align 8
  %arrayidx228 = getelementptr i8, ptr %p, i64 608
  %212 = load ptr, ptr %arrayidx228, align 8
  %arrayidx229 = getelementptr i8, ptr %p, i64 616
  %213 = load ptr, ptr %arrayidx229, align 8
  %arrayidx230 = getelementptr i8, ptr %p, i64 624
  %214 = load ptr, ptr %arrayidx230, align 8
  %arrayidx231 = getelementptr i8, ptr %p, i64 632
  %215 = load ptr, ptr %arrayidx231, align 8
  %arrayidx232 = getelementptr i8, ptr %p, i64 640
  %216 = load ptr, ptr %arrayidx232, align 8
  %arrayidx233 = getelementptr i8, ptr %p, i64 648
  %217 = load ptr, ptr %arrayidx233, align 8
  %arrayidx234 = getelementptr i8, ptr %p, i64 656
  %218 = load ptr, ptr %arrayidx234, align 8
  %arrayidx235 = getelementptr i8, ptr %p, i64 664
  %219 = load ptr, ptr %arrayidx235, align 8
  %arrayidx236 = getelementptr i8, ptr %p, i64 672
  %220 = load ptr, ptr %arrayidx236, align 8
  %arrayidx237 = getelementptr i8, ptr %p, i64 680
  %221 = load ptr, ptr %arrayidx237, align 8
  %arrayidx238 = getelementptr i8, ptr %p, i64 688
  %222 = load ptr, ptr %arrayidx238, align 8
  %arrayidx239 = getelementptr i8, ptr %p, i64 696
  %223 = load ptr, ptr %arrayidx239, align 8
  %arrayidx240 = getelementptr i8, ptr %p, i64 704
  %224 = load ptr, ptr %arrayidx240, align 8
  %arrayidx241 = getelementptr i8, ptr %p, i64 712
  %225 = load ptr, ptr %arrayidx241, align 8
  %arrayidx242 = getelementptr i8, ptr %p, i64 720
  %226 = load ptr, ptr %arrayidx242, align 8
  %arrayidx243 = getelementptr i8, ptr %p, i64 728
  %227 = load ptr, ptr %arrayidx243, align 8
  %arrayidx244 = getelementptr i8, ptr %p, i64 736
  %228 = load ptr, ptr %arrayidx244, align 8
  %arrayidx245 = getelementptr i8, ptr %p, i64 744
  %229 = load ptr, ptr %arrayidx245, align 8
  %arrayidx246 = getelementptr i8, ptr %p, i64 752
  %230 = load ptr, ptr %arrayidx246, align 8
  %arrayidx247 = getelementptr i8, ptr %p, i64 760
  %231 = load ptr, ptr %arrayidx247, align 8
  %arrayidx248 = getelementptr i8, ptr %p, i64 768
  %232 = load ptr, ptr %arrayidx248, align 8
  %arrayidx249 = getelementptr i8, ptr %p, i64 776
  %233 = load ptr, ptr %arrayidx249, align 8
  %arrayidx250 = getelementptr i8, ptr %p, i64 784
  %234 = load ptr, ptr %arrayidx250, align 8
  %arrayidx251 = getelementptr i8, ptr %p, i64 792
  %235 = load ptr, ptr %arrayidx251, align 8
  %arrayidx252 = getelementptr i8, ptr %p, i64 800
  %236 = load ptr, ptr %arrayidx252, align 8
  %arrayidx253 = getelementptr i8, ptr %p, i64 808
  %237 = load ptr, ptr %arrayidx253, align 8
  %arrayidx254 = getelementptr i8, ptr %p, i64 816
  %238 = load ptr, ptr %arrayidx254, align 8
  %arrayidx255 = getelementptr i8, ptr %p, i64 824
  %239 = load ptr, ptr %arrayidx255, align 8
  %arrayidx256 = getelementptr i8, ptr %p, i64 832
  %240 = load ptr, ptr %arrayidx256, align 8
  %arrayidx257 = getelementptr i8, ptr %p, i64 840
  %241 = load ptr, ptr %arrayidx257, align 8
  %arrayidx258 = getelementptr i8, ptr %p, i64 848
  %242 = load ptr, ptr %arrayidx258, align 8
  %arrayidx259 = getelementptr i8, ptr %p, i64 856
  %243 = load ptr, ptr %arrayidx259, align 8
  %arrayidx260 = getelementptr i8, ptr %p, i64 864
  %244 = load ptr, ptr %arrayidx260, align 8
  %arrayidx261 = getelementptr i8, ptr %p, i64 872
  %245 = load ptr, ptr %arrayidx261, align 8
  %arrayidx262 = getelementptr i8, ptr %p, i64 880
  %246 = load ptr, ptr %arrayidx262, align 8
  %arrayidx263 = getelementptr i8, ptr %p, i64 888
  %247 = load ptr, ptr %arrayidx263, align 8
  %arrayidx264 = getelementptr i8, ptr %p, i64 896
  %248 = load ptr, ptr %arrayidx264, align 8
  %arrayidx265 = getelementptr i8, ptr %p, i64 904
  %249 = load ptr, ptr %arrayidx265, align 8
  %arrayidx266 = getelementptr i8, ptr %p, i64 912
  %250 = load ptr, ptr %arrayidx266, align 8
  %arrayidx267 = getelementptr i8, ptr %p, i64 920
  %251 = load ptr, ptr %arrayidx267, align 8
  %arrayidx268 = getelementptr i8, ptr %p, i64 928
  %252 = load ptr, ptr %arrayidx268, align 8
  %arrayidx269 = getelementptr i8, ptr %p, i64 936
  %253 = load ptr, ptr %arrayidx269, align 8
  %arrayidx270 = getelementptr i8, ptr %p, i64 944
  %254 = load ptr, ptr %arrayidx270, align 8
  %arrayidx271 = getelementptr i8, ptr %p, i64 952
  %255 = load ptr, ptr %arrayidx271, align 8
  %arrayidx272 = getelementptr i8, ptr %p, i64 960
  %256 = load ptr, ptr %arrayidx272, align 8
  %arrayidx273 = getelementptr i8, ptr %p, i64 968
  %257 = load ptr, ptr %arrayidx273, align 8
  %arrayidx274 = getelementptr i8, ptr %p, i64 976
  %258 = load ptr, ptr %arrayidx274, align 8
  %arrayidx275 = getelementptr i8, ptr %p, i64 984
  %259 = load ptr, ptr %arrayidx275, align 8
  %arrayidx276 = getelementptr i8, ptr %p, i64 992
  %260 = load ptr, ptr %arrayidx276, align 8
  %arrayidx277 = getelementptr i8, ptr %p, i64 1000
  %261 = load ptr, ptr %arrayidx277, align 8
  %arrayidx278 = getelementptr i8, ptr %p, i64 1008
  %262 = load ptr, ptr %arrayidx278, align 8
  %arrayidx279 = getelementptr i8, ptr %p, i64 1016
  %263 = load ptr, ptr %arrayidx279, align 8
  %arrayidx280 = getelementptr i8, ptr %p, i64 1024
  %264 = load ptr, ptr %arrayidx280, align 8
  %arrayidx281 = getelementptr i8, ptr %p, i64 1032
  %265 = load ptr, ptr %arrayidx281, align 8
  %arrayidx282 = getelementptr i8, ptr %p, i64 1040
  %266 = load ptr, ptr %arrayidx282, align 8
  %arrayidx283 = getelementptr i8, ptr %p, i64 1048
  %267 = load ptr, ptr %arrayidx283, align 8
  %arrayidx284 = getelementptr i8, ptr %p, i64 1056
  %268 = load ptr, ptr %arrayidx284, align 8
  %arrayidx285 = getelementptr i8, ptr %p, i64 1064
  %269 = load ptr, ptr %arrayidx285, align 8
  %arrayidx286 = getelementptr i8, ptr %p, i64 1072
  %270 = load ptr, ptr %arrayidx286, align 8
  %arrayidx287 = getelementptr i8, ptr %p, i64 1080
  %271 = load ptr, ptr %arrayidx287, align 8
  %arrayidx288 = getelementptr i8, ptr %p, i64 1088
  %272 = load ptr, ptr %arrayidx288, align 8
  %arrayidx289 = getelementptr i8, ptr %p, i64 1096
  %273 = load ptr, ptr %arrayidx289, align 8
  %arrayidx290 = getelementptr i8, ptr %p, i64 1104
  %274 = load ptr, ptr %arrayidx290, align 8
  %arrayidx291 = getelementptr i8, ptr %p, i64 1112
  %275 = load ptr, ptr %arrayidx291, align 8
  %arrayidx292 = getelementptr i8, ptr %p, i64 1120
  %276 = load ptr, ptr %arrayidx292, align 8
  %arrayidx293 = getelementptr i8, ptr %p, i64 1128
  %277 = load ptr, ptr %arrayidx293, align 8
  %arrayidx294 = getelementptr i8, ptr %p, i64 1136
  %278 = load ptr, ptr %arrayidx294, align 8
  %arrayidx295 = getelementptr i8, ptr %p, i64 1144
  %279 = load ptr, ptr %arrayidx295, align 8
  %arrayidx296 = getelementptr i8, ptr %p, i64 1152
  %280 = load ptr, ptr %arrayidx296, align 8
  %arrayidx297 = getelementptr i8, ptr %p, i64 1160
  %281 = load ptr, ptr %arrayidx297, align 8
  %arrayidx298 = getelementptr i8, ptr %p, i64 1168
  %282 = load ptr, ptr %arrayidx298, align 8
  %arrayidx299 = getelementptr i8, ptr %p, i64 1176
  %283 = load ptr, ptr %arrayidx299, align 8
  %arrayidx300 = getelementptr i8, ptr %p, i64 1184
  %284 = load ptr, ptr %arrayidx300, align 8
  %arrayidx301 = getelementptr i8, ptr %p, i64 1192
  %285 = load ptr, ptr %arrayidx301, align 8
  %arrayidx302 = getelementptr i8, ptr %p, i64 1200
  %286 = load ptr, ptr %arrayidx302, align 8
  %arrayidx303 = getelementptr i8, ptr %p, i64 1208
  %287 = load ptr, ptr %arrayidx303, align 8
  %arrayidx304 = getelementptr i8, ptr %p, i64 1216
  %288 = load ptr, ptr %arrayidx304, align 8
  %arrayidx305 = getelementptr i8, ptr %p, i64 1224
  %289 = load ptr, ptr %arrayidx305, align 8
  %arrayidx306 = getelementptr i8, ptr %p, i64 1232
  %290 = load ptr, ptr %arrayidx306, align 8
  %arrayidx307 = getelementptr i8, ptr %p, i64 1240
  %291 = load ptr, ptr %arrayidx307, align 8
  %arrayidx308 = getelementptr i8, ptr %p, i64 1248
  %292 = load ptr, ptr %arrayidx308, align 8
  %arrayidx309 = getelementptr i8, ptr %p, i64 1256
  %293 = load ptr, ptr %arrayidx309, align 8
  %arrayidx310 = getelementptr i8, ptr %p, i64 1264
  %294 = load ptr, ptr %arrayidx310, align 8
  %arrayidx311 = getelementptr i8, ptr %p, i64 1272
  %295 = load ptr, ptr %arrayidx311, align 8
  %arrayidx312 = getelementptr i8, ptr %p, i64 1280
  %296 = load ptr, ptr %arrayidx312, align 8
  %arrayidx313 = getelementptr i8, ptr %p, i64 1288
  %297 = load ptr, ptr %arrayidx313, align 8
  %arrayidx314 = getelementptr i8, ptr %p, i64 1296
  %298 = load ptr, ptr %arrayidx314, align 8
  %arrayidx315 = getelementptr i8, ptr %p, i64 1304
  %299 = load ptr, ptr %arrayidx315, align 8
  %arrayidx316 = getelementptr i8, ptr %p, i64 1312
  %300 = load ptr, ptr %arrayidx316, align 8
  %arrayidx317 = getelementptr i8, ptr %p, i64 1320
  %301 = load ptr, ptr %arrayidx317, align 8
  %arrayidx318 = getelementptr i8, ptr %p, i64 1328
  %302 = load ptr, ptr %arrayidx318, align 8
  %arrayidx319 = getelementptr i8, ptr %p, i64 1336
  %303 = load ptr, ptr %arrayidx319, align 8
  %arrayidx320 = getelementptr i8, ptr %p, i64 1344
  %304 = load ptr, ptr %arrayidx320, align 8
  %arrayidx321 = getelementptr i8, ptr %p, i64 1352
  %305 = load ptr, ptr %arrayidx321, align 8
  %arrayidx322 = getelementptr i8, ptr %p, i64 1360
  %306 = load ptr, ptr %arrayidx322, align 8
  %arrayidx323 = getelementptr i8, ptr %p, i64 1368
  %307 = load ptr, ptr %arrayidx323, align 8
  %arrayidx324 = getelementptr i8, ptr %p, i64 1376
  %308 = load ptr, ptr %arrayidx324, align 8
  %arrayidx325 = getelementptr i8, ptr %p, i64 1384
  %309 = load ptr, ptr %arrayidx325, align 8
  %arrayidx326 = getelementptr i8, ptr %p, i64 1392
  %310 = load ptr, ptr %arrayidx326, align 8
  %arrayidx327 = getelementptr i8, ptr %p, i64 1400
  %311 = load ptr, ptr %arrayidx327, align 8
  %arrayidx328 = getelementptr i8, ptr %p, i64 1408
  %312 = load ptr, ptr %arrayidx328, align 8
  %arrayidx329 = getelementptr i8, ptr %p, i64 1416
  %313 = load ptr, ptr %arrayidx329, align 8
  %arrayidx330 = getelementptr i8, ptr %p, i64 1424
  %314 = load ptr, ptr %arrayidx330, align 8
  %arrayidx331 = getelementptr i8, ptr %p, i64 1432
  %315 = load ptr, ptr %arrayidx331, align 8
  %arrayidx332 = getelementptr i8, ptr %p, i64 1440
  %316 = load ptr, ptr %arrayidx332, align 8
  %arrayidx333 = getelementptr i8, ptr %p, i64 1448
  %317 = load ptr, ptr %arrayidx333, align 8
  %arrayidx334 = getelementptr i8, ptr %p, i64 1456
  %318 = load ptr, ptr %arrayidx334, align 8
  %arrayidx335 = getelementptr i8, ptr %p, i64 1464
  %319 = load ptr, ptr %arrayidx335, align 8
  %arrayidx336 = getelementptr i8, ptr %p, i64 1472
  %320 = load ptr, ptr %arrayidx336, align 8
  %arrayidx337 = getelementptr i8, ptr %p, i64 1480
  %321 = load ptr, ptr %arrayidx337, align 8
  %arrayidx338 = getelementptr i8, ptr %p, i64 1488
  %322 = load ptr, ptr %arrayidx338, align 8
  %arrayidx339 = getelementptr i8, ptr %p, i64 1496
  %323 = load ptr, ptr %arrayidx339, align 8
  %arrayidx340 = getelementptr i8, ptr %p, i64 1504
  %324 = load ptr, ptr %arrayidx340, align 8
  %arrayidx341 = getelementptr i8, ptr %p, i64 1512
  %325 = load ptr, ptr %arrayidx341, align 8
  %arrayidx342 = getelementptr i8, ptr %p, i64 1520
  %326 = load ptr, ptr %arrayidx342, align 8
  %arrayidx343 = getelementptr i8, ptr %p, i64 1528
  %327 = load ptr, ptr %arrayidx343, align 8
  %arrayidx344 = getelementptr i8, ptr %p, i64 1536
  %328 = load ptr, ptr %arrayidx344, align 8
  %arrayidx345 = getelementptr i8, ptr %p, i64 1544
  %329 = load ptr, ptr %arrayidx345, align 8
  %arrayidx346 = getelementptr i8, ptr %p, i64 1552
  %330 = load ptr, ptr %arrayidx346, align 8
  %arrayidx347 = getelementptr i8, ptr %p, i64 1560
  %331 = load ptr, ptr %arrayidx347, align 8
  %arrayidx348 = getelementptr i8, ptr %p, i64 1568
  %332 = load ptr, ptr %arrayidx348, align 8
  %arrayidx349 = getelementptr i8, ptr %p, i64 1576
  %333 = load ptr, ptr %arrayidx349, align 8
  %arrayidx350 = getelementptr i8, ptr %p, i64 1584
  %334 = load ptr, ptr %arrayidx350, align 8
  %arrayidx351 = getelementptr i8, ptr %p, i64 1592
  %335 = load ptr, ptr %arrayidx351, align 8
  %arrayidx352 = getelementptr i8, ptr %p, i64 1600
  %336 = load ptr, ptr %arrayidx352, align 8
  %arrayidx353 = getelementptr i8, ptr %p, i64 1608
  %337 = load ptr, ptr %arrayidx353, align 8
  %arrayidx354 = getelementptr i8, ptr %p, i64 1616
  %338 = load ptr, ptr %arrayidx354, align 8
  %arrayidx355 = getelementptr i8, ptr %p, i64 1624
  %339 = load ptr, ptr %arrayidx355, align 8
  %arrayidx356 = getelementptr i8, ptr %p, i64 1632
  %340 = load ptr, ptr %arrayidx356, align 8
  %arrayidx357 = getelementptr i8, ptr %p, i64 1640
  %341 = load ptr, ptr %arrayidx357, align 8
  %arrayidx358 = getelementptr i8, ptr %p, i64 1648
  %342 = load ptr, ptr %arrayidx358, align 8
  %arrayidx359 = getelementptr i8, ptr %p, i64 1656
  %343 = load ptr, ptr %arrayidx359, align 8
  %arrayidx360 = getelementptr i8, ptr %p, i64 1664
  %344 = load ptr, ptr %arrayidx360, align 8
  %arrayidx361 = getelementptr i8, ptr %p, i64 1672
  %345 = load ptr, ptr %arrayidx361, align 8
  %arrayidx362 = getelementptr i8, ptr %p, i64 1680
  %346 = load ptr, ptr %arrayidx362, align 8
  %arrayidx363 = getelementptr i8, ptr %p, i64 1688
  %347 = load ptr, ptr %arrayidx363, align 8
  %arrayidx364 = getelementptr i8, ptr %p, i64 1696
  %348 = load ptr, ptr %arrayidx364, align 8
  %arrayidx365 = getelementptr i8, ptr %p, i64 1704
  %349 = load ptr, ptr %arrayidx365, align 8
  %arrayidx366 = getelementptr i8, ptr %p, i64 1712
  %350 = load ptr, ptr %arrayidx366, align 8
  %arrayidx367 = getelementptr i8, ptr %p, i64 1720
  %351 = load ptr, ptr %arrayidx367, align 8
  %arrayidx368 = getelementptr i8, ptr %p, i64 1728
  %352 = load ptr, ptr %arrayidx368, align 8
  %arrayidx369 = getelementptr i8, ptr %p, i64 1736
  %353 = load ptr, ptr %arrayidx369, align 8
  %arrayidx370 = getelementptr i8, ptr %p, i64 1744
  %354 = load ptr, ptr %arrayidx370, align 8
  %arrayidx371 = getelementptr i8, ptr %p, i64 1752
  %355 = load ptr, ptr %arrayidx371, align 8
  %arrayidx372 = getelementptr i8, ptr %p, i64 1760
  %356 = load ptr, ptr %arrayidx372, align 8
  %arrayidx373 = getelementptr i8, ptr %p, i64 1768
  %357 = load ptr, ptr %arrayidx373, align 8
  %arrayidx374 = getelementptr i8, ptr %p, i64 1776
  %358 = load ptr, ptr %arrayidx374, align 8
  %arrayidx375 = getelementptr i8, ptr %p, i64 1784
  %359 = load ptr, ptr %arrayidx375, align 8
  %arrayidx376 = getelementptr i8, ptr %p, i64 1792
  %360 = load ptr, ptr %arrayidx376, align 8
  %arrayidx377 = getelementptr i8, ptr %p, i64 1800
  %361 = load ptr, ptr %arrayidx377, align 8
  %arrayidx378 = getelementptr i8, ptr %p, i64 1808
  %362 = load ptr, ptr %arrayidx378, align 8
  %arrayidx379 = getelementptr i8, ptr %p, i64 1816
  %363 = load ptr, ptr %arrayidx379, align 8
  %arrayidx380 = getelementptr i8, ptr %p, i64 1824
  %364 = load ptr, ptr %arrayidx380, align 8
  %arrayidx381 = getelementptr i8, ptr %p, i64 1832
  %365 = load ptr, ptr %arrayidx381, align 8
  %arrayidx382 = getelementptr i8, ptr %p, i64 1840
  %366 = load ptr, ptr %arrayidx382, align 8
  %arrayidx383 = getelementptr i8, ptr %p, i64 1848
  %367 = load ptr, ptr %arrayidx383, align 8
  %arrayidx384 = getelementptr i8, ptr %p, i64 1856
  %368 = load ptr, ptr %arrayidx384, align 8
  %arrayidx385 = getelementptr i8, ptr %p, i64 1864
  %369 = load ptr, ptr %arrayidx385, align 8
  %arrayidx386 = getelementptr i8, ptr %p, i64 1872
  %370 = load ptr, ptr %arrayidx386, align 8
  %arrayidx387 = getelementptr i8, ptr %p, i64 1880
  %371 = load ptr, ptr %arrayidx387, align 8
  %arrayidx388 = getelementptr i8, ptr %p, i64 1888
  %372 = load ptr, ptr %arrayidx388, align 8
  %arrayidx389 = getelementptr i8, ptr %p, i64 1896
  %373 = load ptr, ptr %arrayidx389, align 8
  %arrayidx390 = getelementptr i8, ptr %p, i64 1904
  %374 = load ptr, ptr %arrayidx390, align 8
  %arrayidx391 = getelementptr i8, ptr %p, i64 1912
  %375 = load ptr, ptr %arrayidx391, align 8
  %arrayidx392 = getelementptr i8, ptr %p, i64 1920
  %376 = load ptr, ptr %arrayidx392, align 8
  %arrayidx393 = getelementptr i8, ptr %p, i64 1928
  %377 = load ptr, ptr %arrayidx393, align 8
  %arrayidx394 = getelementptr i8, ptr %p, i64 1936
  %378 = load ptr, ptr %arrayidx394, align 8
  %arrayidx395 = getelementptr i8, ptr %p, i64 1944
  %379 = load ptr, ptr %arrayidx395, align 8
  %arrayidx396 = getelementptr i8, ptr %p, i64 1952
  %380 = load ptr, ptr %arrayidx396, align 8
  %arrayidx397 = getelementptr i8, ptr %p, i64 1960
  %381 = load ptr, ptr %arrayidx397, align 8
  %arrayidx398 = getelementptr i8, ptr %p, i64 1968
  %382 = load ptr, ptr %arrayidx398, align 8
  %arrayidx399 = getelementptr i8, ptr %p, i64 1976
  %383 = load ptr, ptr %arrayidx399, align 8
  %arrayidx400 = getelementptr i8, ptr %p, i64 1984
  %384 = load ptr, ptr %arrayidx400, align 8
  %arrayidx401 = getelementptr i8, ptr %p, i64 1992
  %385 = load ptr, ptr %arrayidx401, align 8
  %arrayidx402 = getelementptr i8, ptr %p, i64 2000
  %386 = load ptr, ptr %arrayidx402, align 8
  %arrayidx403 = getelementptr i8, ptr %p, i64 2008
  %387 = load ptr, ptr %arrayidx403, align 8
  %arrayidx404 = getelementptr i8, ptr %p, i64 2016
  %388 = load ptr, ptr %arrayidx404, align 8
  %arrayidx405 = getelementptr i8, ptr %p, i64 2024
  %389 = load ptr, ptr %arrayidx405, align 8
  %arrayidx406 = getelementptr i8, ptr %p, i64 2032
  %390 = load ptr, ptr %arrayidx406, align 8
  %arrayidx407 = getelementptr i8, ptr %p, i64 2040
  %391 = load ptr, ptr %arrayidx407, align 8
  tail call void %function(ptr %136, ptr %137, ptr %138, ptr %139, ptr %140, ptr %141, ptr %142, ptr %143, ptr %144, ptr %145, ptr %146, ptr %147, ptr %148, ptr %149, ptr %150, ptr %151, ptr %152, ptr %153, ptr %154, ptr %155, ptr %156, ptr %157, ptr %158, ptr %159, ptr %160, ptr %161, ptr %162, ptr %163, ptr %164, ptr %165, ptr %166, ptr %167, ptr %168, ptr %169, ptr %170, ptr %171, ptr %172, ptr %173, ptr %174, ptr %175, ptr %176, ptr %177, ptr %178, ptr %179, ptr %180, ptr %181, ptr %182, ptr %183, ptr %184, ptr %185, ptr %186, ptr %187, ptr %188, ptr %189, ptr %190, ptr %191, ptr %192, ptr %193, ptr %194, ptr %195, ptr %196, ptr %197, ptr %198, ptr %199, ptr %200, ptr %201, ptr %202, ptr %203, ptr %204, ptr %205, ptr %206, ptr %207, ptr %208, ptr %209, ptr %210, ptr %211, ptr %212, ptr %213, ptr %214, ptr %215, ptr %216, ptr %217, ptr %218, ptr %219, ptr %220, ptr %221, ptr %222, ptr %223, ptr %224, ptr %225, ptr %226, ptr %227, ptr %228, ptr %229, ptr %230, ptr %231, ptr %232, ptr %233, ptr %234, ptr %235, ptr %236, ptr %237, ptr %238, ptr %239, ptr %240, ptr %241, ptr %242, ptr %243, ptr %244, ptr %245, ptr %246, ptr %247, ptr %248, ptr %249, ptr %250, ptr %251, ptr %252, ptr %253, ptr %254, ptr %255, ptr %256, ptr %257, ptr %258, ptr %259, ptr %260, ptr %261, ptr %262, ptr %263, ptr %264, ptr %265, ptr %266, ptr %267, ptr %268, ptr %269, ptr %270, ptr %271, ptr %272, ptr %273, ptr %274, ptr %275, ptr %276, ptr %277, ptr %278, ptr %279, ptr %280, ptr %281, ptr %282, ptr %283, ptr %284, ptr %285, ptr %286, ptr %287, ptr %288, ptr %289, ptr %290, ptr %291, ptr %292, ptr %293, ptr %294, ptr %295, ptr %296, ptr %297, ptr %298, ptr %299, ptr %300, ptr %301, ptr %302, ptr %303, ptr %304, ptr %305, ptr %306, ptr %307, ptr %308, ptr %309, ptr %310, ptr %311, ptr %312, ptr %313, ptr %314, ptr %315, ptr %316, ptr %317, ptr %318, ptr %319, ptr %320, ptr %321, ptr %322, ptr %323, ptr %324, ptr %325, ptr %326, ptr %327, ptr %328, ptr %329, ptr %330, ptr %331, ptr %332, ptr %333, ptr %334, ptr %335, ptr %336, ptr %337, ptr %338, ptr %339, ptr %340, ptr %341, ptr %342, ptr %343, ptr %344, ptr %345, ptr %346, ptr %347, ptr %348, ptr %349, ptr %350, ptr %351, ptr %352, ptr %353, ptr %354, ptr %355, ptr %356, ptr %357, ptr %358, ptr %359, ptr %360, ptr %361, ptr %362, ptr %363, ptr %364, ptr %365, ptr %366, ptr %367, ptr %368, ptr %369, ptr %370, ptr %371, ptr %372, ptr %373, ptr %374, ptr %375, ptr %376, ptr %377, ptr %378, ptr %379, ptr %380, ptr %381, ptr %382, ptr %383, ptr %384, ptr %385, ptr %386, ptr %387, ptr %388, ptr %389, ptr %390, ptr %391)
  br label %sw.epilog

sw.default:
  tail call void %function()
  br label %sw.epilog

sw.epilog:
  ret void
}

define internal fastcc i1 @are_usual(ptr %plan, ptr %passed, ptr %returned) {
entry:
  %results_count = getelementptr i8, ptr %plan, i64 16
  %0 = load i64, ptr %results_count, align 8
  %cmp79 = icmp slt i64 %0, 1
  br i1 %cmp79, label %return, label %for.body.lr.ph

for.body.lr.ph:
  %arguments_count = getelementptr i8, ptr %plan, i64 8
  br label %for.body

for.body:
  %at.080 = phi i64 [ 0, %for.body.lr.ph ], [ %inc42, %for.inc41 ]
  %call = tail call fastcc ptr @result_at(ptr %plan, i64 %at.080)
  %1 = load i64, ptr %call, align 8
  %cmp1.not = icmp eq i64 %1, -1
  br i1 %cmp1.not, label %if.end, label %for.inc41

if.end:
  %word = getelementptr i8, ptr %call, i64 16
  %2 = load i64, ptr %word, align 8
  %arrayidx = getelementptr i64, ptr %returned, i64 %2
  %3 = load i64, ptr %arrayidx, align 8
  switch i64 %3, label %for.cond6.preheader [
    i64 3735928559, label %return
    i64 0, label %return
  ]

for.cond6.preheader:
  %rank = getelementptr i8, ptr %call, i64 40
  %4 = load i64, ptr %rank, align 8
  %cmp773 = icmp sgt i64 %4, 0
  br i1 %cmp773, label %for.body8.lr.ph, label %for.cond15.preheader

for.body8.lr.ph:
  %5 = getelementptr i8, ptr %arrayidx, i64 24
  br label %for.body8

for.cond6:
  %inc = add nuw nsw i64 %axis.074, 1
  %exitcond.not = icmp eq i64 %inc, %4
  br i1 %exitcond.not, label %for.cond15.preheader, label %for.body8

for.cond15.preheader:
  %6 = load i64, ptr %arguments_count, align 8
  %cmp1675 = icmp sgt i64 %6, 0
  br i1 %cmp1675, label %for.body17, label %for.cond26.preheader

for.body8:
  %axis.074 = phi i64 [ 0, %for.body8.lr.ph ], [ %inc, %for.cond6 ]
  %arrayidx11 = getelementptr i64, ptr %5, i64 %axis.074
  %7 = load i64, ptr %arrayidx11, align 8
  %cmp12 = icmp eq i64 %7, 0
  br i1 %cmp12, label %return, label %for.cond6

for.cond15:
  %inc23 = add nuw nsw i64 %other.076, 1
  %exitcond88.not = icmp eq i64 %inc23, %6
  br i1 %exitcond88.not, label %for.cond26.preheader, label %for.body17

for.cond26.preheader:
  %cmp2777.not = icmp eq i64 %at.080, 0
  br i1 %cmp2777.not, label %for.inc41, label %for.body28

for.body17:
  %other.076 = phi i64 [ %inc23, %for.cond15 ], [ 0, %for.cond15.preheader ]
  %arrayidx18 = getelementptr ptr, ptr %passed, i64 %other.076
  %8 = load ptr, ptr %arrayidx18, align 8
  %data = getelementptr i8, ptr %8, i64 16
  %9 = load ptr, ptr %data, align 8
  %10 = ptrtoint ptr %9 to i64
  %cmp19 = icmp eq i64 %3, %10
  br i1 %cmp19, label %return, label %for.cond15

for.body28:
  %other25.078 = phi i64 [ %inc39, %for.inc38 ], [ 0, %for.cond26.preheader ]
  %call29 = tail call fastcc ptr @result_at(ptr %plan, i64 %other25.078)
  %11 = load i64, ptr %call29, align 8
  %cmp31 = icmp eq i64 %11, -1
  br i1 %cmp31, label %land.lhs.true, label %for.inc38

land.lhs.true:
  %word33 = getelementptr i8, ptr %call29, i64 16
  %12 = load i64, ptr %word33, align 8
  %arrayidx34 = getelementptr i64, ptr %returned, i64 %12
  %13 = load i64, ptr %arrayidx34, align 8
  %cmp35 = icmp eq i64 %13, %3
  br i1 %cmp35, label %return, label %for.inc38

for.inc38:
  %inc39 = add nuw nsw i64 %other25.078, 1
  %exitcond89.not = icmp eq i64 %inc39, %at.080
  br i1 %exitcond89.not, label %for.inc41, label %for.body28

for.inc41:
  %inc42 = add nuw nsw i64 %at.080, 1
  %exitcond90.not = icmp eq i64 %inc42, %0
  br i1 %exitcond90.not, label %return, label %for.body

return:
  %cmp72 = phi i1 [ false, %for.body8 ], [ false, %for.body17 ], [ false, %land.lhs.true ], [ true, %entry ], [ false, %if.end ], [ false, %if.end ], [ true, %for.inc41 ]
  ret i1 %cmp72
}

define internal fastcc ptr @raw_results(ptr %plan, ptr %passed, ptr %words, i64 %count) {
entry:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 104), align 8
  %arguments_count = getelementptr i8, ptr %plan, i64 8
  %1 = load i64, ptr %arguments_count, align 8
  %add = add i64 %1, 1
  %call = tail call ptr %0(i64 %add)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %return, label %if.end

if.end:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 120), align 8
  %mul = shl i64 %count, 3
  %call1 = tail call ptr %2(ptr %words, i64 %mul)
  %cmp2 = icmp eq ptr %call1, null
  br i1 %cmp2, label %if.then3, label %if.end4

if.then3:
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 64), align 8
  tail call void %3(ptr %call)
  br label %return

if.end4:
  %4 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 112), align 8
  %call5 = tail call i32 %4(ptr %call, i64 0, ptr %call1)
  %5 = load i64, ptr %arguments_count, align 8
  %cmp720 = icmp sgt i64 %5, 0
  br i1 %cmp720, label %for.body, label %return

for.body:
  %at.021 = phi i64 [ %add8, %for.body ], [ 0, %if.end4 ]
  %6 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 112), align 8
  %add8 = add nuw nsw i64 %at.021, 1
  %arrayidx = getelementptr ptr, ptr %passed, i64 %at.021
  %7 = load ptr, ptr %arrayidx, align 8
  %call9 = tail call fastcc ptr @held(ptr %7)
  %call10 = tail call i32 %6(ptr %call, i64 %add8, ptr %7)
  %8 = load i64, ptr %arguments_count, align 8
  %cmp7 = icmp slt i64 %add8, %8
  br i1 %cmp7, label %for.body, label %return

return:
  %retval.0 = phi ptr [ null, %entry ], [ null, %if.then3 ], [ %call, %if.end4 ], [ %call, %for.body ]
  ret ptr %retval.0
}

define internal fastcc ptr @results_of(ptr %plan, ptr %passed, ptr %returned) {
entry:
  %results_count = getelementptr i8, ptr %plan, i64 16
  %0 = load i64, ptr %results_count, align 8
  %cmp = icmp eq i64 %0, 0
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 8), align 8
  %call = tail call fastcc ptr @held(ptr %1)
  br label %return

if.end:
  %cmp1 = icmp sgt i64 %0, 1
  br i1 %cmp1, label %cond.true, label %cond.end

cond.true:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 88), align 8
  %call2 = tail call ptr %2(i64 %0)
  br label %cond.end

cond.end:
  %cond = phi ptr [ %call2, %cond.true ], [ null, %if.end ]
  %cmp4 = icmp eq ptr %cond, null
  %3 = select i1 %cmp1, i1 %cmp4, i1 false
  %conv = zext i1 %3 to i64
  %cmp5104 = icmp sgt i64 %0, 0
  br i1 %cmp5104, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %free = getelementptr i8, ptr %plan, i64 48
  br label %for.body

for.body:
  %one.0107 = phi ptr [ null, %for.body.lr.ph ], [ %one.1, %for.inc ]
  %failed.0106 = phi i64 [ %conv, %for.body.lr.ph ], [ %spec.store.select, %for.inc ]
  %at.0105 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.inc ]
  %call7 = tail call fastcc ptr @result_at(ptr %plan, i64 %at.0105)
  %4 = load i64, ptr %call7, align 8
  %cmp8.not = icmp eq i64 %4, -1
  br i1 %cmp8.not, label %if.else, label %if.then10

if.then10:
  %tobool.not = icmp eq i64 %failed.0106, 0
  br i1 %tobool.not, label %if.then11, label %if.end38

if.then11:
  %arrayidx = getelementptr ptr, ptr %passed, i64 %4
  %5 = load ptr, ptr %arrayidx, align 8
  %call13 = tail call fastcc ptr @result_in(ptr %plan, ptr %call7, ptr %5)
  br label %if.end38

if.else:
  %word = getelementptr i8, ptr %call7, i64 16
  %6 = load i64, ptr %word, align 8
  %add.ptr = getelementptr i64, ptr %returned, i64 %6
  %7 = load i64, ptr %add.ptr, align 8
  %8 = inttoptr i64 %7 to ptr
  %9 = load i64, ptr %free, align 8
  %call16 = tail call fastcc ptr @owner_of(ptr %8, i64 %9)
  %arrayidx17 = getelementptr i8, ptr %add.ptr, i64 8
  %10 = load i64, ptr %arrayidx17, align 8
  %11 = inttoptr i64 %10 to ptr
  %arrayidx18 = getelementptr i8, ptr %add.ptr, i64 16
  %12 = load i64, ptr %arrayidx18, align 8
  %item_bytes = getelementptr i8, ptr %call7, i64 32
  %13 = load i64, ptr %item_bytes, align 8
  %mul = mul i64 %13, %12
  %add.ptr19 = getelementptr i8, ptr %11, i64 %mul
  %tobool20 = icmp ne i64 %failed.0106, 0
  %cmp21 = icmp ne ptr %call16, null
  %or.cond = select i1 %tobool20, i1 %cmp21, i1 false
  br i1 %or.cond, label %if.then23, label %if.end24

if.then23:
  %14 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 64), align 8
  tail call void %14(ptr %call16)
  br label %if.end24

if.end24:
  br i1 %tobool20, label %if.end38, label %if.then26

if.then26:
  %cmp27 = icmp eq ptr %call16, null
  br i1 %cmp27, label %if.end38, label %cond.false30

cond.false30:
  %add.ptr31 = getelementptr i8, ptr %add.ptr, i64 24
  %rank = getelementptr i8, ptr %call7, i64 40
  %15 = load i64, ptr %rank, align 8
  %add.ptr33 = getelementptr i64, ptr %add.ptr31, i64 %15
  %call34 = tail call fastcc ptr @array_over(ptr %add.ptr19, ptr %call7, ptr %add.ptr31, ptr %add.ptr33, ptr %call16)
  br label %if.end38

if.end38:
  %one.1 = phi ptr [ %one.0107, %if.then10 ], [ %call13, %if.then11 ], [ %one.0107, %if.end24 ], [ %call34, %cond.false30 ], [ null, %if.then26 ]
  %tobool39 = icmp eq i64 %failed.0106, 0
  %cmp41 = icmp eq ptr %one.1, null
  %or.cond65 = select i1 %tobool39, i1 %cmp41, i1 false
  %spec.store.select = select i1 %or.cond65, i64 1, i64 %failed.0106
  %tobool45 = icmp eq i64 %spec.store.select, 0
  %or.cond66 = and i1 %cmp1, %tobool45
  br i1 %or.cond66, label %if.then49, label %for.inc

if.then49:
  %16 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 96), align 8
  %call50 = tail call i32 %16(ptr %cond, i64 %at.0105, ptr %one.1)
  br label %for.inc

for.inc:
  %inc = add nuw nsw i64 %at.0105, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %failed.0.lcssa = phi i64 [ %conv, %cond.end ], [ %spec.store.select, %for.inc ]
  %one.0.lcssa = phi ptr [ null, %cond.end ], [ %one.1, %for.inc ]
  %tobool52.not = icmp eq i64 %failed.0.lcssa, 0
  br i1 %tobool52.not, label %if.then53, label %if.end60

if.then53:
  %cond59 = select i1 %cmp1, ptr %cond, ptr %one.0.lcssa
  br label %return

if.end60:
  br i1 %cmp4, label %return, label %if.then63

if.then63:
  %17 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 64), align 8
  tail call void %17(ptr %cond)
  br label %return

return:
  %retval.0 = phi ptr [ %1, %if.then ], [ %cond59, %if.then53 ], [ null, %if.then63 ], [ null, %if.end60 ]
  ret ptr %retval.0
}

define internal fastcc i64 @count_bytes(ptr %array, i64 %item_bytes) {
entry:
  %rank = getelementptr i8, ptr %array, i64 24
  %0 = load i32, ptr %rank, align 8
  %cmp5 = icmp sgt i32 %0, 0
  br i1 %cmp5, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %sizes = getelementptr i8, ptr %array, i64 32
  %1 = load ptr, ptr %sizes, align 8
  %wide.trip.count = zext nneg i32 %0 to i64
  br label %for.body

for.body:
  %indvars.iv = phi i64 [ 0, %for.body.lr.ph ], [ %indvars.iv.next, %for.body ]
  %bytes.06 = phi i64 [ %item_bytes, %for.body.lr.ph ], [ %mul, %for.body ]
  %arrayidx = getelementptr i64, ptr %1, i64 %indvars.iv
  %2 = load i64, ptr %arrayidx, align 8
  %mul = mul i64 %2, %bytes.06
  %indvars.iv.next = add nuw nsw i64 %indvars.iv, 1
  %exitcond.not = icmp eq i64 %indvars.iv.next, %wide.trip.count
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %bytes.0.lcssa = phi i64 [ %item_bytes, %entry ], [ %mul, %for.body ]
  ret i64 %bytes.0.lcssa
}

define internal fastcc ptr @result_at(ptr %plan, i64 %at) {
entry:
  %results_at = getelementptr i8, ptr %plan, i64 72
  %0 = load i64, ptr %results_at, align 8
  %add.ptr = getelementptr i64, ptr %plan, i64 %0
  %add.ptr1 = getelementptr %struct.result, ptr %add.ptr, i64 %at
  ret ptr %add.ptr1
}

define internal fastcc ptr @result_in(ptr %plan, ptr %result, ptr %array) {
entry:
  %strides = alloca [32 x i64], align 16
  %is_copied = getelementptr i8, ptr %result, i64 8
  %0 = load i64, ptr %is_copied, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 128), align 8
  %call = tail call ptr %1(ptr %array, i32 0)
  br label %return

if.end:
  %2 = load i64, ptr %result, align 8
  %arrayidx = getelementptr %struct.argument, ptr %plan, i64 %2
  %is_copied1 = getelementptr i8, ptr %arrayidx, i64 144
  %3 = load i64, ptr %is_copied1, align 8
  %tobool2.not = icmp eq i64 %3, 0
  br i1 %tobool2.not, label %if.end5, label %if.then3

if.then3:
  %call4 = tail call fastcc ptr @held(ptr %array)
  br label %return

if.end5:
  %rank = getelementptr i8, ptr %result, i64 40
  %4 = load i64, ptr %rank, align 8
  %axis.023 = add i64 %4, -1
  %cmp24 = icmp sgt i64 %axis.023, -1
  br i1 %cmp24, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %sizes = getelementptr i8, ptr %array, i64 32
  %5 = load ptr, ptr %sizes, align 8
  br label %for.body

for.body:
  %axis.026 = phi i64 [ %axis.023, %for.body.lr.ph ], [ %axis.0, %for.body ]
  %stride.025 = phi i64 [ 1, %for.body.lr.ph ], [ %mul, %for.body ]
  %arrayidx6 = getelementptr i64, ptr %strides, i64 %axis.026
  store i64 %stride.025, ptr %arrayidx6, align 8
  %arrayidx7 = getelementptr i64, ptr %5, i64 %axis.026
  %6 = load i64, ptr %arrayidx7, align 8
  %mul = mul i64 %6, %stride.025
  %axis.0 = add nsw i64 %axis.026, -1
  %cmp = icmp sgt i64 %axis.026, 0
  br i1 %cmp, label %for.body, label %for.end

for.end:
  %data = getelementptr i8, ptr %array, i64 16
  %7 = load ptr, ptr %data, align 8
  %sizes8 = getelementptr i8, ptr %array, i64 32
  %8 = load ptr, ptr %sizes8, align 8
  %call9 = tail call fastcc ptr @held(ptr %array)
  %call10 = call fastcc ptr @array_over(ptr %7, ptr %result, ptr %8, ptr %strides, ptr %array)
  br label %return

return:
  %retval.0 = phi ptr [ %call, %if.then ], [ %array, %if.then3 ], [ %call10, %for.end ]
  ret ptr %retval.0
}

define internal fastcc ptr @owner_of(ptr %pointer, i64 %release) {
entry:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 32), align 8
  %call = tail call ptr %0(ptr %pointer, ptr null, ptr @free_owned)
  %cmp = icmp eq ptr %call, null
  br i1 %cmp, label %if.then, label %if.else

if.then:
  %1 = inttoptr i64 %release to ptr
  tail call void %1(ptr %pointer)
  br label %if.end

if.else:
  %2 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 40), align 8
  %3 = inttoptr i64 %release to ptr
  %call1 = tail call i32 %2(ptr %call, ptr %3)
  br label %if.end

if.end:
  ret ptr %call
}

define internal fastcc ptr @array_over(ptr %data, ptr %result, ptr %sizes, ptr %strides, ptr %base) {
entry:
  %bytes = alloca [32 x i64], align 16
  %rank = getelementptr i8, ptr %result, i64 40
  %0 = load i64, ptr %rank, align 8
  %cmp21 = icmp sgt i64 %0, 0
  br i1 %cmp21, label %for.body.lr.ph, label %for.end

for.body.lr.ph:
  %item_bytes = getelementptr i8, ptr %result, i64 32
  %1 = load i64, ptr %item_bytes, align 8
  br label %for.body

for.body:
  %axis.022 = phi i64 [ 0, %for.body.lr.ph ], [ %inc, %for.body ]
  %arrayidx = getelementptr i64, ptr %strides, i64 %axis.022
  %2 = load i64, ptr %arrayidx, align 8
  %mul = mul i64 %1, %2
  %arrayidx1 = getelementptr i64, ptr %bytes, i64 %axis.022
  store i64 %mul, ptr %arrayidx1, align 8
  %inc = add nuw nsw i64 %axis.022, 1
  %exitcond.not = icmp eq i64 %inc, %0
  br i1 %exitcond.not, label %for.end, label %for.body

for.end:
  %rank.le = getelementptr i8, ptr %result, i64 40
  %3 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 136), align 8
  %4 = load ptr, ptr @api, align 8
  %dtype = getelementptr i8, ptr %result, i64 24
  %5 = load ptr, ptr %dtype, align 8
  %call = tail call fastcc ptr @held(ptr %5)
  %6 = load i64, ptr %rank.le, align 8
  %conv = trunc i64 %6 to i32
  %call3 = call ptr %3(ptr %4, ptr %5, i32 %conv, ptr %sizes, ptr %bytes, ptr %data, i32 1024, ptr null)
  %cmp4 = icmp eq ptr %call3, null
  br i1 %cmp4, label %return.sink.split, label %if.end

if.end:
  %7 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 144), align 8
  %call6 = call i32 %7(ptr %call3, ptr %base)
  %cmp7 = icmp slt i32 %call6, 0
  br i1 %cmp7, label %return.sink.split, label %return

return.sink.split:
  %call3.sink = phi ptr [ %base, %for.end ], [ %call3, %if.end ]
  %8 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 64), align 8
  call void %8(ptr %call3.sink)
  br label %return

return:
  %retval.0 = phi ptr [ %call3, %if.end ], [ null, %return.sink.split ]
  ret ptr %retval.0
}

define internal void @free_owned(ptr %capsule) {
entry:
  %0 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 48), align 8
  %call = tail call ptr %0(ptr %capsule)
  %1 = load ptr, ptr getelementptr inbounds nuw (i8, ptr @api, i64 24), align 8
  %call1 = tail call ptr %1(ptr %capsule, ptr null)
  tail call void %call(ptr %call1)
  ret void
}
