// RUN: xdsl-opt -t mlir-22 -p 'buffer-results-to-out-params{hoist-dynamic-allocs}' %s | filecheck %s

// CHECK:      func.func private @dynamic(%n: index, %m: index, %0: memref<?x3x?xf32>, %1: memref<5xf32>) {
// CHECK-NEXT:   %2 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   memref.copy %2, %1
// CHECK-NEXT:   func.return
func.func private @dynamic(%n: index, %m: index) -> (memref<?x3x?xf32>, memref<5xf32>) {
  %0 = memref.alloc(%m, %n) : memref<?x3x?xf32>
  %1 = memref.alloc() : memref<5xf32>
  return %0, %1 : memref<?x3x?xf32>, memref<5xf32>
}

// CHECK:      func.func @call(%a: index, %b: index) -> (memref<?x3x?xf32>, memref<5xf32>) {
// CHECK-NEXT:   %0 = memref.alloc(%b, %a) : memref<?x3x?xf32>
// CHECK-NEXT:   %1 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   func.call @dynamic(%a, %b, %0, %1)
// CHECK-NEXT:   func.return %0, %1
func.func @call(%a: index, %b: index) -> (memref<?x3x?xf32>, memref<5xf32>) {
  %0, %1 = call @dynamic(%a, %b) : (index, index) -> (memref<?x3x?xf32>, memref<5xf32>)
  return %0, %1 : memref<?x3x?xf32>, memref<5xf32>
}

// One buffer as two results: two buffers of its size, with what it has.
// CHECK:      func.func private @twice(%n: index, %[[A:.*]]: memref<?xf32>, %[[B:.*]]: memref<?xf32>) {
// CHECK-NEXT:   memref.copy %[[A]], %[[B]]
// CHECK-NEXT:   func.return
func.func private @twice(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %0 = memref.alloc(%n) : memref<?xf32>
  return %0, %0 : memref<?xf32>, memref<?xf32>
}

// CHECK:      func.func @call_twice(%a: index)
// CHECK-NEXT:   %0 = memref.alloc(%a) : memref<?xf32>
// CHECK-NEXT:   %1 = memref.alloc(%a) : memref<?xf32>
// CHECK-NEXT:   func.call @twice(%a, %0, %1)
func.func @call_twice(%a: index) -> (memref<?xf32>, memref<?xf32>) {
  %0, %1 = call @twice(%a) : (index) -> (memref<?xf32>, memref<?xf32>)
  return %0, %1 : memref<?xf32>, memref<?xf32>
}
