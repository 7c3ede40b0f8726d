// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p "lower-to-llvm{use-generic-functions=true count-copies=true}" %s | filecheck %s --check-prefix GENERIC

// GENERIC-NOT: @malloc
// GENERIC-NOT: @free
// CHECK: llvm.func @malloc(i64) -> !llvm.ptr
// CHECK: llvm.func @free(!llvm.ptr)
// CHECK-NOT: _xbuf_count_copy

// The aligned pointer is used, the allocated one freed.
// CHECK-LABEL: llvm.func @heap(
// GENERIC-LABEL: llvm.func @heap(
func.func @heap(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  // CHECK: [[BYTES:%.*]] = llvm.mul {{%.*}}, {{%.*}} overflow<nsw> : i64
  // CHECK-NEXT: [[MORE:%.*]] = llvm.add [[BYTES]], {{%.*}} overflow<nsw> : i64
  // CHECK-NEXT: [[ALLOCATED:%.*]] = llvm.call @malloc([[MORE]])
  // CHECK: [[ALIGNED:%.*]] = llvm.inttoptr
  // GENERIC: [[ALLOCATED:%.*]] = llvm.call @_mlir_memref_to_llvm_alloc(
  %m = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
  // CHECK: [[ELEMENT:%.*]] = llvm.getelementptr inbounds [[ALIGNED]]
  // CHECK: llvm.store {{%.*}}, [[ELEMENT]]
  memref.store %x, %m[%c0] : memref<?xf32>
  // CHECK: llvm.call @free([[ALLOCATED]])
  // GENERIC: llvm.call @_mlir_memref_to_llvm_free([[ALLOCATED]])
  memref.dealloc %m : memref<?xf32>
  func.return
}

// Whole buffers are one memcpy, rows one each, columns element by element.
// CHECK-LABEL: llvm.func @copies(
// GENERIC-LABEL: llvm.func @copies(
func.func @copies(%m: memref<8x4xf32>, %a: memref<8x4xf32>, %b: memref<4x8xf32>) {
  // CHECK-NOT: llvm.br
  // CHECK: llvm.call_intrinsic "llvm.memcpy.p0.p0.i64"
  // GENERIC: llvm.call @_xbuf_count_copy(
  memref.copy %m, %a : memref<8x4xf32> to memref<8x4xf32>
  // CHECK: llvm.br
  // CHECK: llvm.call_intrinsic "llvm.memcpy.p0.p0.i64"
  // CHECK: llvm.br
  %rows = memref.subview %b[0, 2] [4, 4] [1, 1]
    : memref<4x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 2>>
  %half = memref.subview %m[0, 0] [4, 4] [1, 1]
    : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  memref.copy %half, %rows : memref<4x4xf32, strided<[4, 1]>>
    to memref<4x4xf32, strided<[8, 1], offset: 2>>
  // CHECK-NOT: memcpy
  // The distance to the element is computed once, for both buffers.
  // CHECK: [[DISTANCE:%.*]] = llvm.mul
  // CHECK-NEXT: llvm.add {{%.*}}, [[DISTANCE]]
  // CHECK-NEXT: llvm.getelementptr
  // CHECK-NEXT: llvm.load
  // CHECK-NEXT: llvm.add {{%.*}}, [[DISTANCE]]
  // CHECK-NEXT: llvm.getelementptr
  // CHECK-NEXT: llvm.store
  %column = memref.subview %m[0, 1] [8, 1] [1, 1]
    : memref<8x4xf32> to memref<8xf32, strided<[4], offset: 1>>
  %other = memref.subview %a[0, 2] [8, 1] [1, 1]
    : memref<8x4xf32> to memref<8xf32, strided<[4], offset: 2>>
  memref.copy %column, %other : memref<8xf32, strided<[4], offset: 1>>
    to memref<8xf32, strided<[4], offset: 2>>
  // CHECK: llvm.return
  func.return
}

// A static view costs nothing, its access one address.
// CHECK-LABEL: llvm.func @view(
func.func @view(%m: memref<8x16xf32>, %i: index) -> f32 {
  // CHECK: [[STRIDE:%.*]] = llvm.mlir.constant(16) : i64
  // CHECK-NEXT: [[FORTY:%.*]] = llvm.mlir.constant(40) : i64
  // CHECK-NEXT: [[ROW:%.*]] = llvm.mul {{%.*}}, [[STRIDE]]
  // CHECK-NEXT: [[START:%.*]] = llvm.add [[FORTY]], [[ROW]]
  // CHECK-NEXT: [[INDEX:%.*]] = llvm.add [[START]], {{%.*}}
  // CHECK-NEXT: llvm.getelementptr inbounds {{%.*}}{{\[}}[[INDEX]]]
  // CHECK-NEXT: llvm.load
  %v = memref.subview %m[2, 8] [4, 4] [1, 1]
    : memref<8x16xf32> to memref<4x4xf32, strided<[16, 1], offset: 40>>
  %x = memref.load %v[%i, %i] : memref<4x4xf32, strided<[16, 1], offset: 40>>
  func.return %x : f32
}

// CHECK: llvm.mlir.global private constant @weights(
// CHECK-SAME: tensor<4xf32>) {{.*}}alignment = 64{{.*}} : !llvm.array<4 x f32>
memref.global "private" constant @weights : memref<2x2xf32>
  = dense<[[1.0, 2.0], [3.0, 4.0]]> {alignment = 64 : i64}

// A prefetch of instructions is a read of one of the two highest localities: x86-64 has
// no other, and LLVM ends the process at one.

// CHECK-LABEL: llvm.func @prefetch
// CHECK-DAG: %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK-DAG: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
// CHECK-DAG: %[[TWO:.*]] = llvm.mlir.constant(2 : i32)
// CHECK: llvm.call_intrinsic "llvm.prefetch.p0"(%[[M:.*]], %[[ONE]], %[[ONE]], %[[ONE]])
// CHECK-NEXT: llvm.call_intrinsic "llvm.prefetch.p0"(%[[M]], %[[ZERO]], %[[TWO]], %[[ZERO]])
func.func @prefetch(%m: memref<8xf32>, %i: index) {
  memref.prefetch %m[%i], write, locality<1>, data : memref<8xf32>
  memref.prefetch %m[%i], write, locality<1>, instr : memref<8xf32>
  return
}
