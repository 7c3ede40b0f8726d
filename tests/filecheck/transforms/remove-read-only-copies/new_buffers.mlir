// RUN: xdsl-opt -t mlir-22 -p remove-read-only-copies %s | filecheck %s

// The copies are only read, and no argument is written before the last read.

// CHECK-LABEL: func.func @kernel
// CHECK-NEXT:    %a = memref.reinterpret_cast %pa
// CHECK-NEXT:    %b = memref.reinterpret_cast %pb
// CHECK-NEXT:    %new = memref.alloc()
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    linalg.matmul ins(%a, %b :
// CHECK-NEXT:    memref.copy %new, %out
// CHECK-NEXT:    memref.dealloc %new
// CHECK-NEXT:    func.return
func.func @kernel(%pa: memref<*xf32>, %pb: memref<*xf32>, %out: memref<8x8xf32>, %i: index, %z: f32) {
  %a = memref.reinterpret_cast %pa to offset: [%i], sizes: [8, 4], strides: [%i, 1] : memref<*xf32> to memref<8x4xf32, strided<[?, 1], offset: ?>>
  %ma = memref.alloc() : memref<8x4xf32>
  memref.copy %a, %ma : memref<8x4xf32, strided<[?, 1], offset: ?>> to memref<8x4xf32>
  %b = memref.reinterpret_cast %pb to offset: [%i], sizes: [4, 8], strides: [%i, 1] : memref<*xf32> to memref<4x8xf32, strided<[?, 1], offset: ?>>
  %mb = memref.alloc() : memref<4x8xf32>
  memref.copy %b, %mb : memref<4x8xf32, strided<[?, 1], offset: ?>> to memref<4x8xf32>
  %new = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%z : f32) outs(%new : memref<8x8xf32>)
  linalg.matmul ins(%ma, %mb : memref<8x4xf32>, memref<4x8xf32>) outs(%new : memref<8x8xf32>)
  memref.copy %new, %out : memref<8x8xf32> to memref<8x8xf32>
  memref.dealloc %ma : memref<8x4xf32>
  memref.dealloc %mb : memref<4x8xf32>
  memref.dealloc %new : memref<8x8xf32>
  return
}

// Read in a loop, which writes to a new buffer.

// CHECK-LABEL: func.func @loop
// CHECK-NOT:     memref.copy
// CHECK:         memref.load %a[%i]
func.func @loop(%a: memref<8xf32>, %lb: index, %ub: index, %s: index) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  %new = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  scf.for %i = %lb to %ub step %s {
    %x = memref.load %m[%i] : memref<8xf32>
    memref.store %x, %new[%i] : memref<8xf32>
  }
  memref.dealloc %m : memref<8xf32>
  return %new : memref<8xf32>
}

// Another argument may be the same buffer.

// CHECK-LABEL: func.func @may_alias
// CHECK:         memref.copy %a, %m
// CHECK:         memref.load %m
func.func @may_alias(%a: memref<8xf32>, %b: memref<8xf32>, %i: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  %y = memref.load %m[%i] : memref<8xf32>
  return %y : f32
}

// The op that reads last writes to an argument itself, element by element.

// CHECK-LABEL: func.func @reads_and_writes
// CHECK:         memref.copy %a, %m
func.func @reads_and_writes(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  %m = memref.alloc() : memref<8x8xf32>
  memref.copy %a, %m : memref<8x8xf32> to memref<8x8xf32>
  linalg.transpose ins(%m : memref<8x8xf32>) outs(%b : memref<8x8xf32>) permutation = [1, 0]
  return
}

// A write in the body of a loop, or of an op of linalg.

// CHECK-LABEL: func.func @written_inside
// CHECK:         memref.copy %a, %m
func.func @written_inside(%a: memref<8xf32>, %new: memref<8xf32>, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<8xf32>
  %n = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%n : memref<8xf32>) {
  ^bb0(%o: f32):
    memref.store %x, %a[%c0] : memref<8xf32>
    linalg.yield %o : f32
  }
  %y = memref.load %m[%c0] : memref<8xf32>
  return %y : f32
}

// Somebody else may write, or free.

// CHECK-LABEL: func.func @call
// CHECK:         memref.copy %a, %m
func.func private @unknown()
func.func @call(%a: memref<8xf32>, %i: index) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  call @unknown() : () -> ()
  %y = memref.load %m[%i] : memref<8xf32>
  return %y : f32
}

// What the copy is given to may write it.

// CHECK-LABEL: func.func @escapes
// CHECK:         memref.copy %a, %m
func.func private @takes(memref<8xf32>)
func.func @escapes(%a: memref<8xf32>) {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  call @takes(%m) : (memref<8xf32>) -> ()
  return
}

// A view of the copy could be written.

// CHECK-LABEL: func.func @view
// CHECK:         memref.copy %a, %m
func.func @view(%a: memref<8xf32>, %i: index) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  %v = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %y = memref.load %v[%i] : memref<4xf32, strided<[1], offset: 2>>
  return %y : f32
}

// The source is freed, or is nobody knows what.

// CHECK-LABEL: func.func @freed
// CHECK:         memref.copy %s, %m
func.func @freed(%i: index, %x: f32) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<8xf32>)
  memref.copy %s, %m : memref<8xf32> to memref<8xf32>
  %w = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<8xf32>)
  %y = memref.load %m[%i] : memref<8xf32>
  return %y : f32
}

// CHECK-LABEL: func.func @selected
// CHECK:         memref.copy %s, %m
func.func @selected(%a: memref<8xf32>, %c: i1, %i: index, %x: f32) -> f32 {
  %n = memref.alloc() : memref<8xf32>
  %m = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %n : memref<8xf32>
  memref.copy %s, %m : memref<8xf32> to memref<8xf32>
  linalg.fill ins(%x : f32) outs(%n : memref<8xf32>)
  %y = memref.load %m[%i] : memref<8xf32>
  return %y : f32
}

// Elements far apart would be read more slowly.

// CHECK-LABEL: func.func @columns
// CHECK:         memref.copy %a, %m
func.func @columns(%a: memref<8xf32, strided<[64]>>, %i: index) -> f32 {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32, strided<[64]>> to memref<8xf32>
  %y = memref.load %m[%i] : memref<8xf32>
  return %y : f32
}

// The source is freed to get a larger buffer.

// CHECK-LABEL: func.func @reallocated
// CHECK:         memref.copy %s, %m
func.func @reallocated(%i: index, %x: f32) -> (f32, memref<16xf32>) {
  %s = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<8xf32>)
  %m = memref.alloc() : memref<8xf32>
  memref.copy %s, %m : memref<8xf32> to memref<8xf32>
  %r = memref.realloc %s : memref<8xf32> to memref<16xf32>
  %y = memref.load %m[%i] : memref<8xf32>
  return %y, %r : f32, memref<16xf32>
}

// Bufferized later, the insertion writes to %a.

// CHECK-LABEL: func.func @tensors
// CHECK:         memref.copy %a, %m
func.func @tensors(%a: memref<8xf32>, %i: index, %x: f32) -> (f32, tensor<8xf32>) {
  %m = memref.alloc() : memref<8xf32>
  %t = bufferization.to_tensor %a restrict writable : memref<8xf32> to tensor<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  %y = memref.load %m[%i] : memref<8xf32>
  return %y, %r : f32, tensor<8xf32>
}

// The next iteration reads what this one writes.

// CHECK-LABEL: func.func @written_after_read_in_loop
// CHECK:         memref.copy %a, %m
func.func @written_after_read_in_loop(%a: memref<8xf32>, %n: index, %z: index) {
  %m = memref.alloc() : memref<8xf32>
  memref.copy %a, %m : memref<8xf32> to memref<8xf32>
  scf.for %i = %z to %n step %n {
    %y = memref.load %m[%z] : memref<8xf32>
    memref.store %y, %a[%i] : memref<8xf32>
  }
  return
}
