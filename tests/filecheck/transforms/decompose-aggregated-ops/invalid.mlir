// RUN: xbuf opt -p decompose-aggregated-ops %s --verify-diagnostics | filecheck %s

func.func @buffers(%x: memref<4x8xf32>, %o: memref<4x8xf32>) {
  // CHECK: "linalg.softmax"(%x, %o)
  // CHECK: 'linalg.softmax' is on buffers; decompose it before one-shot-bufferize
  linalg.softmax dimension(1) ins(%x : memref<4x8xf32>) outs(%o : memref<4x8xf32>)
  return
}
