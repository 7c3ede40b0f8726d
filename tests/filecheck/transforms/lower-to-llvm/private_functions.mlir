// RUN: xdsl-opt -t mlir-22 -p lower-to-llvm %s | filecheck %s

// All calls of a private function that is kept apart are known. So it takes of a buffer
// what its type does not say.

// CHECK:       llvm.func internal @nest(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr) attributes {no_inline} {
func.func private @nest(%a: memref<4xf32, strided<[1], offset: ?>> {llvm.noalias}, %b: memref<4xf32>) attributes {no_inline} {
  memref.copy %a, %b : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  func.return
}

// CHECK:       llvm.func @caller
func.func @caller(%a: memref<4xf32, strided<[1], offset: ?>>, %b: memref<4xf32>) {
  // CHECK: llvm.call @nest(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, !llvm.ptr, !llvm.ptr) -> ()
  func.call @nest(%a, %b) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32>) -> ()
  func.return
}

// Somebody else may call the others.

// CHECK:       llvm.func @public(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64) {
func.func @public(%b: memref<4xf32>) attributes {no_inline} {
  func.return
}

// CHECK:       llvm.func @value(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64)
func.func private @value(%b: memref<4xf32>) attributes {no_inline} {
  func.return
}

func.func @indirect(%b: memref<4xf32>) {
  %f = func.constant @value : (memref<4xf32>) -> ()
  func.call_indirect %f(%b) : (memref<4xf32>) -> ()
  func.return
}
