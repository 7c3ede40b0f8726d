// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// What a block allocates it frees at its end, by the allocation and not by a view.

// CHECK-LABEL: func.func @view
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         %a = memref.alloc()
// CHECK:         %v = memref.subview %a
// CHECK:         memref.copy
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]){{$}}
// CHECK-NEXT:    func.return
func.func @view(%arg: memref<2xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  memref.copy %arg, %v : memref<2xf32> to memref<2xf32, strided<[1]>>
  return
}

// Nobody frees globals and the stack.

// CHECK-LABEL: func.func @not_owned
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
memref.global "private" @table : memref<4xf32> = dense<1.0>
func.func @not_owned() {
  %g = memref.get_global @table : memref<4xf32>
  %s = memref.alloca() : memref<4xf32>
  memref.copy %g, %s : memref<4xf32> to memref<4xf32>
  return
}

// A choice owns nothing: both allocations are freed, unless one is returned.

// CHECK-LABEL: func.func @choice_is_used
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @choice_is_used(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  memref.copy %s, %arg : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @choice_is_returned
// CHECK:         %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    bufferization.dealloc (%unrelated : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return %s
func.func @choice_is_returned(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %unrelated = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  return %s : memref<4xf32>
}

// An op whose regions get no buffers is a block like others.

// CHECK-LABEL: func.func @opaque_region
// CHECK:         scf.parallel
// CHECK:           %a = memref.alloc()
// CHECK:           bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:      scf.reduce
func.func @opaque_region(%n: index, %one: index, %arg: memref<4xf32>) {
  "scf.parallel"(%one, %n, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %a = memref.alloc() : memref<4xf32>
    memref.copy %arg, %a : memref<4xf32> to memref<4xf32>
    scf.reduce
  }) : (index, index, index) -> ()
  return
}

// A reduction may use what is from outside of the loop, and frees what is its own.

// CHECK-LABEL: func.func @reduction
// CHECK:         scf.parallel
// CHECK-NOT:     bufferization.dealloc
// CHECK:           scf.reduce
// CHECK:             bufferization.dealloc (%t : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:        scf.reduce.return
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:    func.return
func.func @reduction(%o: memref<4xf32>, %zero: index, %n: index, %one: index, %f: f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%f) -> f32 {
    %w = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32>
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %t = memref.alloc() : memref<4xf32>
      memref.copy %a, %t : memref<4xf32> to memref<4xf32>
      %u = memref.load %t[%zero] : memref<4xf32>
      %v = memref.load %w[%zero] : memref<2xf32>
      %s = arith.addf %u, %v : f32
      scf.reduce.return %s : f32
    }
  }
  memref.store %r, %o[%zero] : memref<4xf32>
  return
}
