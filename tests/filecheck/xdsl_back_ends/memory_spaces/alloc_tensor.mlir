// A tensor says in which memory its buffer is: an integer, a string, an attribute of a
// dialect of xDSL, of a dialect that nobody has registered, or a dictionary. Our passes and
// xDSL's carry it along, and never look into it.

// RUN: xdsl-opt --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},buffer-hoisting,buffer-deallocation-pipeline,canonicalize,cse' %s | filecheck %s
// RUN: xdsl-opt --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},licm,cse,buffer-deallocation-pipeline,convert-memref-to-ptr' %s | filecheck %s --check-prefixes=CHECK,POINTER

// CHECK:       [[A:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:  "memref.copy"(%x, [[A]]) : (memref<4xf32>, memref<4xf32, 1 : i64>) -> ()
// CHECK:       [[B:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, "L1">
// CHECK:       [[C:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #csl<ptr_kind single>>
// CHECK:       [[D:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #snax.mem<"TCDM">>
// CHECK:       [[E:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, {bank = 2 : i32}>
// POINTER:     ptr_xdsl.to_ptr [[D]] : memref<4xf32, #snax.mem<"TCDM">> -> !ptr_xdsl.ptr
// CHECK:       memref.dealloc [[A]] : memref<4xf32, 1 : i64>
// CHECK-NEXT:  memref.dealloc [[B]] : memref<4xf32, "L1">
// CHECK-NEXT:  memref.dealloc [[C]] : memref<4xf32, #csl<ptr_kind single>>
// CHECK-NEXT:  memref.dealloc [[D]] : memref<4xf32, #snax.mem<"TCDM">>
// CHECK-NEXT:  memref.dealloc [[E]] : memref<4xf32, {bank = 2 : i32}>
func.func @spaces(%x: tensor<4xf32>, %i: index) -> (f32, f32, f32, f32, f32) {
  %a = bufferization.alloc_tensor() copy(%x) {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() copy(%x) {memory_space = "L1"} : tensor<4xf32>
  %c = bufferization.alloc_tensor() copy(%x) {memory_space = #csl<ptr_kind single>} : tensor<4xf32>
  %d = bufferization.alloc_tensor() copy(%x) {memory_space = #snax.mem<"TCDM">} : tensor<4xf32>
  %e = bufferization.alloc_tensor() copy(%x) {memory_space = {bank = 2 : i32}} : tensor<4xf32>
  %0 = tensor.extract %a[%i] : tensor<4xf32>
  %1 = tensor.extract %b[%i] : tensor<4xf32>
  %2 = tensor.extract %c[%i] : tensor<4xf32>
  %3 = tensor.extract %d[%i] : tensor<4xf32>
  %4 = tensor.extract %e[%i] : tensor<4xf32>
  return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
}
