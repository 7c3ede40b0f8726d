// RUN: xdsl-opt -t mlir-22 -p "outline-loop-nests{most-nests=1}" %s | filecheck %s

// Both loops double a buffer, so that they become one function. %a and %b have memory of
// their own. The function's arguments may be one buffer.

// CHECK-LABEL: func.func @equal(
// CHECK-SAME:    %x: memref<8xf32>, %y: memref<8xf32>
// CHECK-NEXT:    [[C0:%.*]] = arith.constant 0 : index
// CHECK:         %a = memref.alloc()
// CHECK-NEXT:    %b = memref.alloc()
// CHECK-NEXT:    func.call @equal_nest_0(%x, %a)
// CHECK-NEXT:    func.call @equal_nest_0(%a, %b)
// CHECK-NEXT:    func.call @equal_nest_1(%x, %y)
// CHECK-NEXT:    [[SUM:%.*]] = func.call @equal_nest_2(%f, %b)
// CHECK:         memref.dealloc %a
func.func @equal(%x: memref<8xf32>, %y: memref<8xf32>, %f: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %e = memref.load %x[%i] : memref<8xf32>
    %d = arith.addf %e, %e : f32
    memref.store %d, %a[%i] : memref<8xf32>
  }
  scf.for %j = %c0 to %c8 step %c1 {
    %e = memref.load %a[%j] : memref<8xf32>
    %d = arith.addf %e, %e : f32
    memref.store %d, %b[%j] : memref<8xf32>
  }
  scf.for %j = %c0 to %c8 step %c1 {
    %e = memref.load %x[%j] : memref<8xf32>
    %d = arith.addf %e, %e : f32
    memref.store %d, %y[%j] : memref<8xf32>
  }
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %f) -> (f32) {
    %e = memref.load %b[%i] : memref<8xf32>
    %t = arith.addf %s, %e : f32
    scf.yield %t : f32
  }
  memref.dealloc %a : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  return %sum : f32
}

// A loop around several nests stays, and its nests move. A nest that returns a buffer
// stays.

// CHECK-LABEL: func.func @nested(
// CHECK:         scf.for %k =
// CHECK-NEXT:      func.call @nested_nest_3(%f, %x)
// CHECK-NEXT:      func.call @nested_nest_4(%f, %y)
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.for {{.*}} iter_args(
func.func @nested(%x: memref<8xf32>, %y: memref<4xf32>, %f: f32) -> memref<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %k = %c0 to %c8 step %c1 {
    linalg.fill ins(%f : f32) outs(%x : memref<8xf32>)
    linalg.fill ins(%f : f32) outs(%y : memref<4xf32>)
  }
  %r = scf.for %k = %c0 to %c8 step %c1 iter_args(%z = %x) -> (memref<8xf32>) {
    memref.store %f, %z[%k] : memref<8xf32>
    scf.yield %z : memref<8xf32>
  }
  return %r : memref<8xf32>
}

// One nest is not worth a function.

// CHECK-LABEL: func.func @one(
// CHECK-NEXT:    linalg.fill
func.func @one(%x: memref<8xf32>, %f: f32) {
  linalg.fill ins(%f : f32) outs(%x : memref<8xf32>)
  return
}

// CHECK-LABEL: func.func private @equal_nest_0(
// CHECK-SAME:    [[X:%.*]]: memref<8xf32> {llvm.noalias}, [[A:%.*]]: memref<8xf32> {llvm.noalias}) attributes {no_inline} {
// CHECK-DAG:     arith.constant 0 : index
// CHECK-DAG:     arith.constant 8 : index
// CHECK:         memref.load [[X]]
// CHECK:         memref.store {{.*}}, [[A]]

// CHECK-LABEL: func.func private @equal_nest_1(
// CHECK-SAME:    memref<8xf32>, {{%.*}}: memref<8xf32>) attributes {no_inline} {

// CHECK-LABEL: func.func private @equal_nest_2(
// CHECK:         scf.for
// CHECK:         func.return {{%.*}} : f32
