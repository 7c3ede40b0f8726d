// RUN: xdsl-opt -t mlir-22 -p copy-removal --allow-unregistered-dialect %s | filecheck %s

// What is computed into %t and then copied is computed into %out.
// CHECK-LABEL: func.func @reuse_target
// CHECK-NEXT:    linalg.generic {{.*}} ins(%in : memref<2xf32>) outs(%out : memref<2xf32>)
// CHECK:         }
// CHECK-NEXT:    return
#map = affine_map<(d0) -> (d0)>
func.func @reuse_target(%in: memref<2xf32>, %out: memref<2xf32>) {
  %t = memref.alloc() : memref<2xf32>
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%in : memref<2xf32>) outs(%t : memref<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  }
  linalg.copy ins(%t : memref<2xf32>) outs(%out : memref<2xf32>)
  memref.dealloc %t : memref<2xf32>
  return
}

// One after the other: %t becomes %s, and %s becomes %out.
// CHECK-LABEL: func.func @chain
// CHECK-NEXT:    "test.use"(%out)
// CHECK-NEXT:    return
func.func @chain(%out: memref<2xf32>) {
  %s = memref.alloc() : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  "test.use"(%t) : (memref<2xf32>) -> ()
  memref.copy %t, %s : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  memref.copy %s, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %s : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @target_read_in_between
// CHECK:         memref.copy
func.func @target_read_in_between(%out: memref<2xf32>, %i: index) {
  %t = memref.alloc() : memref<2xf32>
  "test.use"(%t) : (memref<2xf32>) -> ()
  %v = memref.cast %out : memref<2xf32> to memref<?xf32>
  %x = memref.load %v[%i] : memref<?xf32>
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}

// What another block passes on may be the target.
// CHECK-LABEL: func.func @target_is_block_argument
// CHECK:         memref.copy
func.func @target_is_block_argument(%out: memref<2xf32>) {
  cf.br ^bb1(%out : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %t = memref.alloc() : memref<2xf32>
  "test.use"(%t, %x) : (memref<2xf32>, memref<2xf32>) -> ()
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @target_comes_later
// CHECK:         memref.copy
func.func @target_comes_later(%n: index) -> memref<2xf32> {
  %t = memref.alloc() : memref<2xf32>
  "test.use"(%t) : (memref<2xf32>) -> ()
  %out = memref.alloc() : memref<2xf32>
  "test.use"(%out) : (memref<2xf32>) -> ()
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return %out : memref<2xf32>
}

// CHECK-LABEL: func.func @source_is_an_argument
// CHECK:         memref.copy
func.func @source_is_an_argument(%t: memref<2xf32>, %out: memref<2xf32>) {
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}

// A view is only a part of a buffer, whose other part may be in use.
// CHECK-LABEL: func.func @target_is_a_view
// CHECK:         memref.copy
func.func @target_is_a_view(%out: memref<4xf32>) {
  %v = memref.subview %out[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %w = memref.cast %v : memref<2xf32, strided<[1]>> to memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  "test.use"(%t, %out) : (memref<2xf32>, memref<4xf32>) -> ()
  memref.copy %t, %w : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}
