// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s

// Every field of a descriptor is an argument; several results are one struct. Types
// say that the row stride is dynamic and the column stride 1.
// CHECK-LABEL: llvm.func @arguments_and_results(
// CHECK-SAME: %0: !llvm.ptr, %1: !llvm.ptr, %2: i64, %3: i64, %4: i64, %5: i64, %6: i64, %7: i64)
// CHECK-SAME: -> !llvm.struct<(!llvm.struct<(!llvm.ptr, !llvm.ptr, i64, !llvm.array<2 x i64>, !llvm.array<2 x i64>)>, i64)> {
func.func @arguments_and_results(%m: memref<4x?xf32>, %i: index) -> (memref<4x?xf32>, index) {
  // CHECK: [[SIZE:%.*]] = llvm.mlir.constant(4) : i64
  // CHECK: [[STRUCT:%.*]] = llvm.mlir.undef
  // CHECK-NEXT: llvm.insertvalue %0, [[STRUCT]][0]
  // CHECK-NEXT: llvm.insertvalue %1, {{.*}}[1]
  // CHECK-NEXT: llvm.insertvalue {{.*}}[2]
  // CHECK-NEXT: llvm.insertvalue [[SIZE]], {{.*}}[3, 0]
  // CHECK-NEXT: llvm.insertvalue %4, {{.*}}[3, 1]
  // CHECK-NEXT: llvm.insertvalue %5, {{.*}}[4, 0]
  // CHECK-NEXT: llvm.insertvalue {{.*}}[4, 1]
  // CHECK: llvm.return
  func.return %m, %i : memref<4x?xf32>, index
}

// CHECK-LABEL: llvm.func @no_result() {
func.func @no_result() {
  // CHECK-NEXT: llvm.return
  func.return
}

// A buffer of rank 0 has neither sizes nor strides.
// CHECK-LABEL: llvm.func @rank_0(
// CHECK-SAME: !llvm.ptr, {{%.*}}: !llvm.ptr, {{%.*}}: i64) -> !llvm.struct<(!llvm.ptr, !llvm.ptr, i64)> {
func.func @rank_0(%m: memref<f32>) -> memref<f32> {
  func.return %m : memref<f32>
}

// CHECK-LABEL: llvm.func @call(
func.func @call(%m: memref<f32>) -> f32 {
  // CHECK: [[CALL:%.*]] = llvm.call @rank_0
  %r = func.call @rank_0(%m) : (memref<f32>) -> memref<f32>
  // CHECK: [[ALIGNED:%.*]] = llvm.extractvalue [[CALL]][1]
  // CHECK: [[POINTER:%.*]] = llvm.getelementptr inbounds [[ALIGNED]]
  // CHECK: llvm.load [[POINTER]]
  %x = memref.load %r[] : memref<f32>
  func.return %x : f32
}

// CHECK-LABEL: llvm.func @declared(!llvm.ptr, !llvm.ptr, i64, i64, i64) -> f32
// CHECK-SAME: sym_visibility = "private"
func.func private @declared(memref<?xf32>) -> f32
