// A buffer is loaded like a pointer, as a value of the llvm dialect.
//
// MLIR refuses: must be LLVM type with size, but got 'memref<4xf32>'

// RUN: xdsl-opt -p 'canonicalize,buffer-hoisting,cse,canonicalize' %s | filecheck %s

// CHECK:       %0 = llvm.load %p : !llvm.ptr -> memref<4xf32>
// CHECK-NEXT:  linalg.add ins(%0, %0 :
func.func @f(%p: !llvm.ptr) {
  %0 = "llvm.load"(%p) <{ordering = 0 : i64}> : (!llvm.ptr) -> memref<4xf32>
  linalg.add ins(%0, %0 : memref<4xf32>, memref<4xf32>) outs(%0 : memref<4xf32>)
  return
}
