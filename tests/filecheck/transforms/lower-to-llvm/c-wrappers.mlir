// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s

// A struct is returned through the first pointer. What the type of a buffer says is not
// read from its descriptor.
// CHECK: llvm.func @buffer(
// CHECK-LABEL: llvm.func @_mlir_ciface_buffer(
// CHECK-SAME: [[RESULT:%\d+]]: !llvm.ptr, [[M:%\d+]]: !llvm.ptr, [[I:%\d+]]: i64) {
// CHECK-NEXT: [[O:%.*]] = llvm.mlir.constant(0) : i64
// CHECK-NEXT: [[S:%.*]] = llvm.mlir.constant(4) : i64
// CHECK-NEXT: [[T:%.*]] = llvm.mlir.constant(1) : i64
// CHECK-NEXT: [[IN:%.*]] = llvm.load [[M]]
// CHECK-NEXT: [[P:%.*]] = llvm.extractvalue [[IN]][0]
// CHECK-NEXT: [[Q:%.*]] = llvm.extractvalue [[IN]][1]
// CHECK-NEXT: [[OUT:%.*]] = llvm.call @buffer([[P]], [[Q]], [[O]], [[S]], [[T]], [[I]])
// CHECK-NEXT: llvm.store [[OUT]], [[RESULT]]
// CHECK-NEXT: llvm.return
func.func @buffer(%m: memref<4xf32>, %i: index) -> memref<4xf32>
    attributes {llvm.emit_c_interface} {
  func.return %m : memref<4xf32>
}

// Sizes, strides and offsets that the type leaves open are read.
// CHECK-LABEL: llvm.func @_mlir_ciface_open(
// CHECK-SAME: [[M:%\d+]]: !llvm.ptr) {
// CHECK-NEXT: [[IN:%.*]] = llvm.load [[M]]
// CHECK-NEXT: [[P:%.*]] = llvm.extractvalue [[IN]][0]
// CHECK-NEXT: [[Q:%.*]] = llvm.extractvalue [[IN]][1]
// CHECK-NEXT: [[O:%.*]] = llvm.extractvalue [[IN]][2]
// CHECK-NEXT: [[S:%.*]] = llvm.extractvalue [[IN]][3, 0]
// CHECK-NEXT: [[T:%.*]] = llvm.extractvalue [[IN]][4, 0]
// CHECK-NEXT: llvm.call @open([[P]], [[Q]], [[O]], [[S]], [[T]])
func.func @open(%m: memref<?xf32, strided<[?], offset: ?>>)
    attributes {llvm.emit_c_interface} {
  func.return
}

// A number is returned as it is.
// CHECK-LABEL: llvm.func @_mlir_ciface_number(
// CHECK-SAME: [[X:%\d+]]: f32) -> f32 {
// CHECK-NEXT: [[OUT:%.*]] = llvm.call @number([[X]])
// CHECK-NEXT: llvm.return [[OUT]]
func.func @number(%x: f32) -> f32 attributes {llvm.emit_c_interface} {
  func.return %x : f32
}

// A function that C defines is called through a wrapper that packs descriptors.
// CHECK-LABEL: llvm.func @_mlir_ciface_external(!llvm.ptr, i64)
// CHECK: llvm.func @external(
// CHECK: [[SLOT:%.*]] = llvm.alloca
// CHECK: [[POINTER:%.*]] = llvm.bitcast [[SLOT]]
// CHECK: llvm.store {{.*}}, [[POINTER]]
// CHECK-NEXT: llvm.call @_mlir_ciface_external([[POINTER]],
func.func private @external(memref<4xf32>, index) attributes {llvm.emit_c_interface}
