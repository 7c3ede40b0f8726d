// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'buffer-deallocation{strategy=clone}' %s | filecheck %s --check-prefix CLONE

// What the program frees itself has no owner; what it may be taken for has.

// CHECK-LABEL: @select
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[A:.*]] = memref.alloc() : memref<5xf32>
// CHECK:         %[[B:.*]] = memref.alloc() {bufferization.manual_deallocation} : memref<5xf32>
// CHECK:         memref.dealloc %[[B]] {bufferization.manual_deallocation} : memref<5xf32>
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<5xf32>) if (%[[TRUE]])
// CHECK-NEXT:    func.return
// CLONE-LABEL: @select
// CLONE:         %[[A:.*]] = memref.alloc() : memref<5xf32>
// CLONE:         %[[B:.*]] = memref.alloc() {bufferization.manual_deallocation} : memref<5xf32>
// CLONE:         memref.dealloc %[[A]] : memref<5xf32>
// CLONE-NEXT:    memref.dealloc %[[B]] {bufferization.manual_deallocation} : memref<5xf32>
// CLONE-NEXT:    func.return
func.func @select(%c: i1, %f: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<5xf32>
  memref.store %f, %0[%i] : memref<5xf32>
  %1 = memref.alloc() {bufferization.manual_deallocation} : memref<5xf32>
  memref.store %f, %1[%i] : memref<5xf32>
  %2 = arith.select %c, %0, %1 : memref<5xf32>
  %3 = memref.load %2[%i] : memref<5xf32>
  memref.dealloc %1 {bufferization.manual_deallocation} : memref<5xf32>
  return %3 : f32
}

// What the function returns is the caller's, and so a clone.

// CHECK-LABEL: @returned
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() {bufferization.manual_deallocation}
// CHECK-NEXT:    %[[C:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    func.return %[[C]]
// CLONE-LABEL: @returned
func.func @returned() -> memref<5xf32> {
  %0 = memref.alloc() {bufferization.manual_deallocation} : memref<5xf32>
  return %0 : memref<5xf32>
}

// An argument is the caller's, who may know that it is freed here.

// CHECK-LABEL: @argument
// CHECK-NEXT:    memref.dealloc %{{.*}} {bufferization.manual_deallocation}
// CHECK-NEXT:    func.return
// CLONE-LABEL: @argument
func.func @argument(%m: memref<5xf32>) {
  memref.dealloc %m {bufferization.manual_deallocation} : memref<5xf32>
  return
}
