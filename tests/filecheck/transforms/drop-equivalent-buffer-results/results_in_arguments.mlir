// RUN: xdsl-opt -t mlir-22 -p drop-equivalent-buffer-results %s | filecheck %s

// The caller of a public function has results that are arguments, if the function says
// so. The attribute then says which argument is which result.

// CHECK:      func.func @told(%m: memref<5xf32>, %n: memref<5xf32>) -> memref<5xf32>
// CHECK-SAME:     attributes {xbuf.results_in_arguments = array<i64: 1, -1, 0>} {
// CHECK:        func.return %new : memref<5xf32>
func.func @told(%m: memref<5xf32>, %n: memref<5xf32>)
    -> (memref<5xf32>, memref<5xf32>, memref<?xf32>)
    attributes {xbuf.results_in_arguments} {
  %new = memref.alloc() : memref<5xf32>
  %0 = memref.cast %m : memref<5xf32> to memref<?xf32>
  return %n, %new, %0 : memref<5xf32>, memref<5xf32>, memref<?xf32>
}

// CHECK-LABEL: func.func @call
// CHECK-NEXT:    %0 = func.call @told(%m, %n)
// CHECK-NEXT:    %1 = memref.cast %m
// CHECK-NEXT:    func.return %n, %0, %1 :
func.func @call(%m: memref<5xf32>, %n: memref<5xf32>)
    -> (memref<5xf32>, memref<5xf32>, memref<?xf32>) {
  %0:3 = call @told(%m, %n) : (memref<5xf32>, memref<5xf32>)
      -> (memref<5xf32>, memref<5xf32>, memref<?xf32>)
  return %0#0, %0#1, %0#2 : memref<5xf32>, memref<5xf32>, memref<?xf32>
}

// A number is returned, and so is a buffer that is an argument only sometimes.
// CHECK-LABEL: func.func @some(
// CHECK-SAME:      -> (memref<5xf32>, index) attributes {xbuf.results_in_arguments} {
func.func @some(%m: memref<5xf32>, %n: memref<5xf32>, %c: i1, %i: index)
    -> (memref<5xf32>, index) attributes {xbuf.results_in_arguments} {
  %0 = arith.select %c, %m, %n : memref<5xf32>
  return %0, %i : memref<5xf32>, index
}
