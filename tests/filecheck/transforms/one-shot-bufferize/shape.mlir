// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true},buffer-deallocation-pipeline' %s | filecheck %s --check-prefix=FREE

// The region is code like any other: what it writes is copied if it is read after it.

// CHECK-LABEL: @written_in_place
// CHECK-SAME: %[[W:.*]]: !shape.witness, %[[M:.*]]: memref<4xf32
// CHECK-NOT: alloc
// CHECK: shape.assuming %[[W]] -> (memref<4xf32, {{.*}}>) {
// CHECK-NEXT: memref.store %{{.*}}, %[[M]]
// CHECK-NEXT: shape.assuming_yield %[[M]]
func.func @written_in_place(%w: !shape.witness, %t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %0 = shape.assuming %w -> (tensor<4xf32>) {
    %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
    shape.assuming_yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: @read_afterwards
// CHECK: %[[R:.*]] = shape.assuming %{{.*}} -> (memref<4xf32>) {
// CHECK-NEXT: %[[A:.*]] = memref.alloc()
// CHECK-NEXT: memref.copy %[[M:.*]], %[[A]]
// CHECK-NEXT: memref.store %{{.*}}, %[[A]]
// CHECK-NEXT: shape.assuming_yield %[[A]] : memref<4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: memref.load %[[M]]
// CHECK-NEXT: memref.load %[[R]]

// Whoever runs the region owns what it yields, and frees it once.

// FREE-LABEL: @read_afterwards
// FREE: %[[R:.*]] = shape.assuming
// FREE: memref.load %[[R]]
// FREE-NEXT: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[R]]
// FREE-NEXT: memref.dealloc %[[BASE]]
// FREE-NEXT: return
func.func @read_afterwards(%c: i1, %t: tensor<4xf32>, %f: f32, %i: index) -> (f32, f32) {
  %w = shape.cstr_require %c, "shapes differ"
  %0 = shape.assuming %w -> (tensor<4xf32>) {
    %1 = tensor.insert %f into %t[%i] : tensor<4xf32>
    shape.assuming_yield %1 : tensor<4xf32>
  }
  %2 = tensor.extract %t[%i] : tensor<4xf32>
  %3 = tensor.extract %0[%i] : tensor<4xf32>
  return %2, %3 : f32, f32
}
