// A cast changes what the elements are. Loads and stores are not moved over such a cast,
// though they are over casts that MLIR knows.
//
// MLIR refuses: 'memref<8xf32>' and result type 'memref<8xi32>' are cast incompatible

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,canonicalize,buffer-deallocation-pipeline,cse' %s | filecheck %s

// CHECK:       [[BITS:%.*]] = "memref.cast"(%x) : (memref<8xf32>) -> memref<8xi32>
// CHECK-NEXT:  memref.load [[BITS]][%i] : memref<8xi32>
func.func @f(%x: memref<8xf32>, %i: index) -> i32 {
  %0 = "memref.cast"(%x) : (memref<8xf32>) -> memref<8xi32>
  %1 = memref.load %0[%i] : memref<8xi32>
  return %1 : i32
}
