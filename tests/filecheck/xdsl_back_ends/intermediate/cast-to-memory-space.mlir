// A cast stands for a transfer that a later pass makes: from one memory to another.
//
// MLIR refuses: 'memref<4xf32>' and result type 'memref<4xf32, "L1">' are cast incompatible

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,buffer-deallocation-pipeline,cse,canonicalize' %s | filecheck %s

// CHECK:       %0 = "memref.cast"(%x) : (memref<4xf32>) -> memref<4xf32, "L1">
// CHECK:       linalg.add ins(%0, %0 :
func.func @f(%x: memref<4xf32>) {
  %0 = "memref.cast"(%x) : (memref<4xf32>) -> memref<4xf32, "L1">
  linalg.add ins(%0, %0 : memref<4xf32, "L1">, memref<4xf32, "L1">) outs(%0 : memref<4xf32, "L1">)
  return
}
