// RUN: xdsl-opt -t mlir-22 -p copy-removal --allow-unregistered-dialect %s | filecheck %s

// The source is freed after the copy: it can be what the target was to be.
// CHECK-LABEL: func.func @dynamic_allocation
// CHECK-NEXT:    [[A:%.*]] = memref.alloc(%n, %m)
// CHECK-NEXT:    arith.constant 0
// CHECK-NEXT:    memref.dim [[A]]
// CHECK-NEXT:    arith.constant 1
// CHECK-NEXT:    memref.dim [[A]]
// CHECK-NEXT:    return [[A]]
func.func @dynamic_allocation(%n: index, %m: index) -> memref<?x?xf32> {
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %b = memref.alloc(%d0, %d1) : memref<?x?xf32>
  linalg.copy ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  memref.dealloc %a : memref<?x?xf32>
  return %b : memref<?x?xf32>
}

// CHECK-LABEL: func.func @memref_copy
// CHECK-NEXT:    return %a
func.func @memref_copy(%a: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// Memory that is cast to a layout is one allocation with its cast.
// CHECK-LABEL: func.func @cast
// CHECK-NEXT:    return %a
func.func @cast(%a: memref<4xf32, strided<[?], offset: ?>>)
    -> memref<4xf32, strided<[?], offset: ?>> {
  %b = memref.alloc() : memref<4xf32>
  %c = memref.cast %b : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.copy %a, %c : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
  memref.dealloc %a : memref<4xf32, strided<[?], offset: ?>>
  return %c : memref<4xf32, strided<[?], offset: ?>>
}

// Reading both in between does no harm.
// CHECK-LABEL: func.func @read_in_between
// CHECK-NEXT:    memref.load %a
// CHECK-NEXT:    memref.load %a
// CHECK-NEXT:    return %a
func.func @read_in_between(%a: memref<4xf32>, %i: index) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %x = memref.load %a[%i] : memref<4xf32>
  %y = memref.load %b[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @written_in_between
// CHECK:         memref.copy
func.func @written_in_between(%a: memref<4xf32>, %i: index, %x: f32) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  "test.use"(%y) : (f32) -> ()
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @unknown_in_between
// CHECK:         memref.copy
func.func @unknown_in_between(%a: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  "test.use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @target_used_before
// CHECK:         memref.copy
func.func @target_used_before(%a: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  "test.use"(%b) : (memref<4xf32>) -> ()
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @source_lives_on
// CHECK:         memref.copy
func.func @source_lives_on(%a: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}

// The target may have been freed, under another name, before the source is read.
// CHECK-LABEL: func.func @target_freed_first
// CHECK:         memref.copy
func.func @target_freed_first(%c: i1, %a: memref<4xf32>, %i: index) -> f32 {
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %s = arith.select %c, %b, %b : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  %x = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @better_aligned
// CHECK:         memref.copy
func.func @better_aligned(%a: memref<4xf32>) -> memref<4xf32> {
  %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}
