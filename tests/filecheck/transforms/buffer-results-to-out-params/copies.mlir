// RUN: xdsl-opt -t mlir-22 -p buffer-results-to-out-params %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'buffer-results-to-out-params{modify-public-functions add-result-attr}' %s | filecheck %s --check-prefix PUBLIC

// CHECK:      func.func private @results(%m: memref<5xf32>, %0: memref<5xf32>, %1: memref<5xf32, strided<[?], offset: ?>>) -> f32 {
// CHECK-NEXT:   %f = arith.constant
// CHECK-NEXT:   %2 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   %3 = memref.cast %2
// CHECK-NEXT:   memref.copy %m, %0 : memref<5xf32> to memref<5xf32>
// CHECK-NEXT:   memref.copy %3, %1
// CHECK-NEXT:   func.return %f : f32
// PUBLIC:     func.func private @results(%m: memref<5xf32>, %{{.*}}: memref<5xf32> {bufferize.result}, %{{.*}}: memref<5xf32, strided<[?], offset: ?>> {bufferize.result}) -> f32 {
func.func private @results(%m: memref<5xf32>) -> (memref<5xf32>, f32, memref<5xf32, strided<[?], offset: ?>>) {
  %f = arith.constant 1.0 : f32
  %0 = memref.alloc() : memref<5xf32>
  %1 = memref.cast %0 : memref<5xf32> to memref<5xf32, strided<[?], offset: ?>>
  return %m, %f, %1 : memref<5xf32>, f32, memref<5xf32, strided<[?], offset: ?>>
}

// CHECK:      func.func @call(%m: memref<5xf32>) -> (memref<5xf32>, f32, memref<5xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:   %a = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   %0 = memref.alloc() : memref<5xf32>
// CHECK-NEXT:   %c = memref.cast %0 : memref<5xf32> to memref<5xf32, strided<[?], offset: ?>>
// CHECK-NEXT:   %b = func.call @results(%m, %a, %c) {tag} :
// CHECK-NEXT:   func.return %a, %b, %c
// PUBLIC:     func.func @call(%m: memref<5xf32>, %{{.*}}: memref<5xf32> {bufferize.result}, %{{.*}} {bufferize.result}) -> f32 {
func.func @call(%m: memref<5xf32>) -> (memref<5xf32>, f32, memref<5xf32, strided<[?], offset: ?>>) {
  %a, %b, %c = call @results(%m) {tag} : (memref<5xf32>) -> (memref<5xf32>, f32, memref<5xf32, strided<[?], offset: ?>>)
  return %a, %b, %c : memref<5xf32>, f32, memref<5xf32, strided<[?], offset: ?>>
}

// The memory space of the result is that of the new buffer; attributes move along.

// CHECK:      func.func private @memory_space(%{{.*}}: memref<5xf32, 3> {test.a}) {
// CHECK:      func.func private @call_memory_space
// CHECK:        memref.alloc() : memref<5xf32, 3>
func.func private @memory_space() -> (memref<5xf32, 3> {test.a}) {
  %0 = memref.alloc() : memref<5xf32, 3>
  return %0 : memref<5xf32, 3>
}
func.func private @call_memory_space() {
  %0 = call @memory_space() : () -> memref<5xf32, 3>
  return
}

// What has no rank has no size, and what is defined elsewhere is as it is.

// CHECK:  func.func private @unranked(%m: memref<*xf32>) -> memref<*xf32> {
// PUBLIC: func.func private @unranked(%m: memref<*xf32>) -> memref<*xf32> {
func.func private @unranked(%m: memref<*xf32>) -> memref<*xf32> {
  return %m : memref<*xf32>
}

// CHECK:  func.func private @without_body(memref<5xf32>) -> memref<5xf32>
// PUBLIC: func.func private @without_body(memref<5xf32>) -> memref<5xf32>
func.func private @without_body(memref<5xf32>) -> memref<5xf32>
