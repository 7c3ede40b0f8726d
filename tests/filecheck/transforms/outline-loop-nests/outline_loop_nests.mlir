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

// Two nests that differ in where their buffers start, and in dimensions of size 1, are
// equal. So are two over long rows that differ in how long.

// CHECK-LABEL: func.func @general(
// CHECK:         func.call @general_nest_5({{%.*}}) : (memref<8xf32, strided<[1], offset: ?>>) -> ()
// CHECK:         func.call @general_nest_5({{%.*}}) : (memref<8xf32, strided<[1], offset: ?>>) -> ()
// CHECK:         func.call @general_nest_6({{%.*}}) : (memref<?xf32, strided<[1], offset: ?>>) -> ()
// CHECK:         func.call @general_nest_6({{%.*}}) : (memref<?xf32, strided<[1], offset: ?>>) -> ()
func.func @general(%x: memref<4x8xf32>, %y: memref<64x64xf32>, %z: memref<3x1000xf32>) {
  %second = memref.subview %x[1, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<8xf32, strided<[1], offset: 8>>
  %third = memref.subview %x[2, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: 16>>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%second : memref<8xf32, strided<[1], offset: 8>>) {
  ^bb0(%a: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%third : memref<1x8xf32, strided<[8, 1], offset: 16>>) {
  ^bb0(%a: f32):
    %0 = arith.addf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%y : memref<64x64xf32>) {
  ^bb0(%a: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%z : memref<3x1000xf32>) {
  ^bb0(%a: f32):
    %0 = arith.mulf %a, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// The long body is a function of its own in a function for each loop. Rows of 32 elements
// are known.

// CHECK-LABEL: func.func @inside(
// CHECK-NEXT:    [[C0:%.*]] = arith.constant 0 : index
// CHECK:         func.call @inside_nest_8({{%.*}}) : (memref<4x16x32xf32>) -> ()
// CHECK-NEXT:    func.call @inside_nest_9({{%.*}}) : (memref<4x24x32xf32>) -> ()
func.func @inside(%x: memref<4x16x32xf32>, %y: memref<4x24x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %tile = memref.subview %x[%i, 0, 0] [1, 16, 32] [1, 1, 1] : memref<4x16x32xf32> to memref<16x32xf32, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%tile : memref<16x32xf32, strided<[32, 1], offset: ?>>) {
    ^bb0(%a: f32):
      %0 = arith.mulf %a, %a : f32
      %1 = arith.mulf %0, %a : f32
      %2 = arith.mulf %1, %a : f32
      %3 = arith.mulf %2, %a : f32
      %4 = arith.mulf %3, %a : f32
      %5 = arith.mulf %4, %a : f32
      %6 = arith.mulf %5, %a : f32
      %7 = arith.mulf %6, %a : f32
      %8 = arith.mulf %7, %a : f32
      %9 = arith.mulf %8, %a : f32
      %10 = arith.mulf %9, %a : f32
      %11 = arith.mulf %10, %a : f32
      %12 = arith.mulf %11, %a : f32
      %13 = arith.mulf %12, %a : f32
      %14 = arith.mulf %13, %a : f32
      linalg.yield %14 : f32
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    %tile = memref.subview %y[%i, 0, 0] [1, 24, 32] [1, 1, 1] : memref<4x24x32xf32> to memref<24x32xf32, strided<[32, 1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%tile : memref<24x32xf32, strided<[32, 1], offset: ?>>) {
    ^bb0(%a: f32):
      %0 = arith.mulf %a, %a : f32
      %1 = arith.mulf %0, %a : f32
      %2 = arith.mulf %1, %a : f32
      %3 = arith.mulf %2, %a : f32
      %4 = arith.mulf %3, %a : f32
      %5 = arith.mulf %4, %a : f32
      %6 = arith.mulf %5, %a : f32
      %7 = arith.mulf %6, %a : f32
      %8 = arith.mulf %7, %a : f32
      %9 = arith.mulf %8, %a : f32
      %10 = arith.mulf %9, %a : f32
      %11 = arith.mulf %10, %a : f32
      %12 = arith.mulf %11, %a : f32
      %13 = arith.mulf %12, %a : f32
      %14 = arith.mulf %13, %a : f32
      linalg.yield %14 : f32
    }
  }
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

// CHECK-LABEL: func.func private @inside_nest_7(
// CHECK-SAME:    memref<?xf32, strided<[1], offset: ?>> {llvm.noalias}

// CHECK-LABEL: func.func private @inside_nest_8(
// CHECK:         scf.for
// CHECK:           func.call @inside_nest_7(

// CHECK-LABEL: func.func private @inside_nest_9(
// CHECK:         scf.for
// CHECK:           func.call @inside_nest_7(
