// RUN: xdsl-opt -t mlir-22 -p buffer-deallocation-simplification %s | filecheck %s

// What cannot share an allocation is separated; what is retained is not freed.

// CHECK-LABEL: func.func @split
// CHECK:         bufferization.dealloc (%b : memref<2xf32>) if (%c){{$}}
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    func.return %a, %true, %[[FALSE]]
func.func @split(%c: i1, %x: memref<2xf32>) -> (memref<2xf32>, i1, i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %o:2 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%true, %c) retain (%a, %x : memref<2xf32>, memref<2xf32>)
  return %a, %o#0, %o#1 : memref<2xf32>, i1, i1
}

// A memref given twice is due if either condition holds.

// CHECK-LABEL: func.func @twice
// CHECK:         %[[EITHER:.*]] = arith.ori %c, %d : i1
// CHECK-NEXT:    bufferization.dealloc (%a : memref<2xf32>) if (%[[EITHER]]){{$}}
func.func @twice(%c: i1, %d: i1) {
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  bufferization.dealloc (%a, %v : memref<2xf32>, memref<?xf32>) if (%c, %d)
  return
}

// CHECK-LABEL: func.func @never
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
func.func @never(%a: memref<2xf32>) {
  %false = arith.constant false
  bufferization.dealloc (%a : memref<2xf32>) if (%false)
  return
}

// The base buffer of an allocation is the allocation.

// CHECK-LABEL: func.func @base
// CHECK-NOT:     extract_strided_metadata
// CHECK:         bufferization.dealloc (%a : memref<2xf32>) if (%c){{$}}
func.func @base(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  %b, %o, %s, %t = memref.extract_strided_metadata %a : memref<2xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%b : memref<f32>) if (%c)
  return
}

// Nothing is known about arguments: they may be one buffer.

// CHECK-LABEL: func.func @arguments
// CHECK-NEXT:    %o = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%r : memref<2xf32>)
// CHECK-NEXT:    func.return %o
func.func @arguments(%a: memref<2xf32>, %b: memref<2xf32>, %r: memref<2xf32>, %c: i1, %d: i1) -> i1 {
  %o = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%r : memref<2xf32>)
  return %o : i1
}

// What is retained is not freed, also where something else may be the same memory.

// CHECK-LABEL: func.func @retained
// CHECK:         %{{.*}} = bufferization.dealloc (%x : memref<2xf32>) if (%true) retain (%a, %b : memref<2xf32>, memref<2xf32>)
// CHECK-NEXT:    func.return %true, %true
func.func @retained(%a: memref<2xf32>, %b: memref<2xf32>, %x: memref<2xf32>) -> (i1, i1) {
  %true = arith.constant true
  %o:2 = bufferization.dealloc (%a, %b, %x : memref<2xf32>, memref<2xf32>, memref<2xf32>) if (%true, %true, %true) retain (%a, %b : memref<2xf32>, memref<2xf32>)
  return %o#0, %o#1 : i1, i1
}

// CHECK-LABEL: func.func @retained_if_due
// CHECK-NEXT:    %[[DUE:.*]] = bufferization.dealloc (%b : memref<2xf32>) if (%d) retain (%a : memref<2xf32>)
// CHECK-NEXT:    %[[EITHER:.*]] = arith.ori %c, %[[DUE]] : i1
// CHECK-NEXT:    func.return %[[EITHER]]
func.func @retained_if_due(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1, %d: i1) -> i1 {
  %o = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%a : memref<2xf32>)
  return %o : i1
}

// %r may be due because of %a.

// CHECK-LABEL: func.func @retained_with_another
// CHECK:         %{{.*}}, %[[DUE:.*]] = bufferization.dealloc (%a : memref<2xf32>) if (%true) retain (%a, %r : memref<2xf32>, memref<2xf32>)
// CHECK-NEXT:    func.return %true, %[[DUE]]
func.func @retained_with_another(%a: memref<2xf32>, %r: memref<2xf32>) -> (i1, i1) {
  %true = arith.constant true
  %o:2 = bufferization.dealloc (%a : memref<2xf32>) if (%true) retain (%a, %r : memref<2xf32>, memref<2xf32>)
  return %o#0, %o#1 : i1, i1
}

// So may what comes from an op of which nothing is known.

// CHECK-LABEL: func.func @retained_with_unknown
// CHECK:         %{{.*}}, %[[DUE:.*]] = bufferization.dealloc (%a : memref<2xf32>) if (%true) retain (%a, %u : memref<2xf32>, memref<2xf32>)
// CHECK-NEXT:    func.return %true, %[[DUE]]
func.func @retained_with_unknown(%a: memref<2xf32>) -> (i1, i1) {
  %true = arith.constant true
  %u = "test.op"(%a) : (memref<2xf32>) -> memref<2xf32>
  %o:2 = bufferization.dealloc (%a : memref<2xf32>) if (%true) retain (%a, %u : memref<2xf32>, memref<2xf32>)
  return %o#0, %o#1 : i1, i1
}

// An allocation is younger than the loop's argument.

// CHECK-LABEL: func.func @loop
// CHECK:         bufferization.dealloc (%x : memref<2xf32>) if (%own){{$}}
// CHECK-NEXT:    scf.yield %n, %true
func.func @loop(%a: memref<2xf32>, %lower: index, %upper: index, %step: index) {
  %false = arith.constant false
  %true = arith.constant true
  %r:2 = scf.for %i = %lower to %upper step %step iter_args(%x = %a, %own = %false) -> (memref<2xf32>, i1) {
    %n = memref.alloc() : memref<2xf32>
    %o = bufferization.dealloc (%x, %n : memref<2xf32>, memref<2xf32>) if (%own, %true) retain (%n : memref<2xf32>)
    scf.yield %n, %o : memref<2xf32>, i1
  }
  bufferization.dealloc (%r#0 : memref<2xf32>) if (%r#1)
  return
}

// Results of a call that says who owns them may be its argument.

// CHECK-LABEL: func.func @call
// CHECK:         %{{.*}} = bufferization.dealloc (%a : memref<2xf32>) if (%true) retain (%r : memref<2xf32>)
func.func private @callee(memref<2xf32>) -> (memref<2xf32>, i1)
func.func @call() -> (memref<2xf32>, i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<2xf32>
  %r, %own = func.call @callee(%a) : (memref<2xf32>) -> (memref<2xf32>, i1)
  %o = bufferization.dealloc (%a : memref<2xf32>) if (%true) retain (%r : memref<2xf32>)
  return %r, %o : memref<2xf32>, i1
}

// https://github.com/llvm/llvm-project/issues/205228: casts in a row, which mlir-opt folds
// away while it still asks about them. On one path it is a clone, on the other the
// argument, so that it takes a comparison to tell.

// CHECK-LABEL: func.func @casts_into_another_space
// CHECK:         %r = scf.if
// CHECK:         %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %m
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%[[BASE]] : memref<f32, 1>) if (%true) retain (%r : memref<4xf32, 1>)
// CHECK-NEXT:    func.return %r
func.func @casts_into_another_space(%c: i1, %arg: memref<4xf32>) -> memref<4xf32, 1> {
  %false = arith.constant false
  %true = arith.constant true
  %m = memref.memory_space_cast %arg : memref<4xf32> to memref<4xf32, 1>
  %d = memref.cast %m : memref<4xf32, 1> to memref<?xf32, 1>
  %s = memref.cast %d : memref<?xf32, 1> to memref<4xf32, 1>
  %r = scf.if %c -> (memref<4xf32, 1>) {
    scf.yield %s : memref<4xf32, 1>
  } else {
    %n = bufferization.clone %s : memref<4xf32, 1> to memref<4xf32, 1>
    scf.yield %n : memref<4xf32, 1>
  }
  %b, %o, %z, %t = memref.extract_strided_metadata %arg : memref<4xf32> -> memref<f32>, index, index, index
  %b1, %o1, %z1, %t1 = memref.extract_strided_metadata %m : memref<4xf32, 1> -> memref<f32, 1>, index, index, index
  %own = bufferization.dealloc (%b, %b1 : memref<f32>, memref<f32, 1>) if (%false, %true) retain (%r : memref<4xf32, 1>)
  return %r : memref<4xf32, 1>
}
