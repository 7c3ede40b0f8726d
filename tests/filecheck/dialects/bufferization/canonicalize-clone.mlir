// RUN: xbuf opt -p canonicalize --allow-unregistered-dialect %s | filecheck %s

// The source is freed after the clone, which takes over its buffer.
// CHECK-LABEL: func.func @dynamic_allocation
// CHECK-NEXT:    %a = memref.alloc(%n, %m)
// CHECK-NEXT:    return %a
func.func @dynamic_allocation(%n: index, %m: index) -> memref<?x?xf32> {
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  %b = bufferization.clone %a : memref<?x?xf32> to memref<?x?xf32>
  memref.dealloc %a : memref<?x?xf32>
  return %b : memref<?x?xf32>
}

// What fills the source fills the result.
// CHECK-LABEL: func.func @reuse_target
// CHECK-NEXT:    %t = memref.alloc()
// CHECK-NEXT:    linalg.exp ins(%in : memref<2xf32>) outs(%t : memref<2xf32>)
// CHECK-NEXT:    return %t
func.func @reuse_target(%in: memref<2xf32>) -> memref<2xf32> {
  %t = memref.alloc() : memref<2xf32>
  linalg.exp ins(%in : memref<2xf32>) outs(%t : memref<2xf32>)
  %result = bufferization.clone %t : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return %result : memref<2xf32>
}

// CHECK-LABEL: func.func @target
// CHECK-NEXT:    memref.load %a
// CHECK-NEXT:    return
func.func @target(%a: memref<4xf32>, %i: index) -> f32 {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @other_type
// CHECK-NEXT:    [[B:%.*]] = memref.cast %a : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:    return [[B]]
func.func @other_type(%a: memref<4xf32>) -> memref<?xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<?xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<?xf32>
}

// A cast cannot promise the layout of a new buffer.
// CHECK-LABEL: func.func @other_layout
// CHECK-NEXT:    clone
func.func @other_layout(%a: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  memref.dealloc %a : memref<4xf32, strided<[?], offset: ?>>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @both_live_on
// CHECK-NEXT:    clone
func.func @both_live_on(%a: memref<4xf32>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @source_written
// CHECK-NEXT:    clone
func.func @source_written(%a: memref<4xf32>, %i: index, %x: f32) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @target_written
// CHECK-NEXT:    clone
func.func @target_written(%a: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %y : f32
}

// CHECK-LABEL: func.func @unknown_op
// CHECK-NEXT:    clone
func.func @unknown_op(%a: memref<4xf32>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  "test.use"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  return %b : memref<4xf32>
}

// The source may be freed, under another name, while the target is in use.
// CHECK-LABEL: func.func @source_freed_first
// CHECK-NEXT:    clone
func.func @source_freed_first(%a: memref<4xf32>, %v: memref<4xf32>, %i: index) -> f32 {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %v : memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %x : f32
}

// Another allocation is surely not the source.
// CHECK-LABEL: func.func @another_freed_first
// CHECK-NOT:     clone
// CHECK:         memref.dealloc %v
// CHECK-NEXT:    memref.load %a
func.func @another_freed_first(%i: index) -> (f32, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %v = memref.alloc() : memref<4xf32>
  "test.use"(%a, %v) : (memref<4xf32>, memref<4xf32>) -> ()
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %v : memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  return %x, %a : f32, memref<4xf32>
}

// The target may be freed, under another name, while the source is in use.
// CHECK-LABEL: func.func @target_freed_first
// CHECK-NEXT:    clone
func.func @target_freed_first(%c: i1, %a: memref<4xf32>, %d: memref<4xf32>, %i: index)
    -> f32 {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %v = arith.select %c, %b, %d : memref<4xf32>
  memref.dealloc %v : memref<4xf32>
  %x = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return %x : f32
}

// Freed on one path only: the clone is needed on the other path.
// CHECK-LABEL: func.func @freed_elsewhere
// CHECK-NEXT:    clone
func.func @freed_elsewhere(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  scf.if %c {
    memref.dealloc %a : memref<4xf32>
  }
  return %b : memref<4xf32>
}

// An op that nobody knows has the clone only, and may not write to a clone.
// CHECK-LABEL: func.func @unknown_op_of_clone
// CHECK-NEXT:    "test.use"(%a)
// CHECK-NEXT:    return %a
func.func @unknown_op_of_clone(%a: memref<4xf32>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  "test.use"(%b) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return %a : memref<4xf32>
}

// A function may write to it, or free the source by another name.
// CHECK-LABEL: func.func @call_with_clone
// CHECK-NEXT:    clone
func.func private @callee(memref<4xf32>)
func.func @call_with_clone(%a: memref<4xf32>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  func.call @callee(%b) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @clone_says_size
// CHECK-NEXT:    [[B:%.*]] = memref.cast %a : memref<?xf32> to memref<4xf32>
// CHECK-NEXT:    return [[B]]
func.func @clone_says_size(%a: memref<?xf32>) -> memref<4xf32> {
  %b = bufferization.clone %a : memref<?xf32> to memref<4xf32>
  memref.dealloc %a : memref<?xf32>
  return %b : memref<4xf32>
}

// CHECK-LABEL: func.func @clone_of_cast
// CHECK-NEXT:    [[B:%.*]] = bufferization.clone %a : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:    return [[B]]
func.func @clone_of_cast(%a: memref<4xf32>) -> memref<?xf32> {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %b = bufferization.clone %c : memref<?xf32> to memref<?xf32>
  return %b : memref<?xf32>
}

// CHECK-LABEL: func.func @whole_buffer_is_freed
// CHECK-NEXT:    memref.alloc
// CHECK-NEXT:    [[R:%.*]] = memref.reshape
// CHECK-NEXT:    return [[R]]
func.func @whole_buffer_is_freed(%shape: memref<1xindex>) -> memref<?xf32> {
  %a = memref.alloc() : memref<2x2xf32>
  %r = memref.reshape %a(%shape) : (memref<2x2xf32>, memref<1xindex>) -> memref<?xf32>
  %b = bufferization.clone %r : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<2x2xf32>
  return %b : memref<?xf32>
}

// The clone outlives the source by another name.
// CHECK-LABEL: func.func @freed_by_other_name
// CHECK-NEXT:    memref.cast
// CHECK-NEXT:    "test.use"
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return
func.func @freed_by_other_name(%a: memref<?xf32>) {
  %c = memref.cast %a : memref<?xf32> to memref<4xf32>
  %b = bufferization.clone %c : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<?xf32>
  "test.use"(%b) : (memref<4xf32>) -> ()
  memref.dealloc %b : memref<4xf32>
  return
}
