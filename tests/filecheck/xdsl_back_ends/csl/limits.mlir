// Where plain xDSL stops on the way to CSL, with the same buffers. It does not say so: the
// target prints a comment instead of an op that it does not know, and ends without an
// error. `loops.mlir` shows the way around. The second command is xDSL without any pass of
// this package.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize %s | xdsl-opt -p linalg-to-csl -t csl | filecheck %s

// With `memref-to-dsd` xDSL says what it lacks, also after passes of this package.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize %s | not xdsl-opt -p linalg-to-csl,memref-to-dsd -t csl 2>&1 | filecheck %s --check-prefix=DSD
// RUN: not xdsl-opt -p one-shot-bufferize,canonicalize,linalg-to-csl,memref-to-dsd -t csl %s 2>&1 | filecheck %s --check-prefix=DSD

// CHECK:       fn square() void {
// CHECK-NEXT:    //unknown op MatmulOp(linalg.matmul
// CHECK-NEXT:    return;

// DSD:         !csl<dsd mem4d_dsd> should be of attribute subclassing `ShapedType`

"csl.module"() <{kind = #csl<module_kind program>, sym_name = "pe"}> ({
  %a = memref.alloc() : memref<4x4xf32>
  %b = memref.alloc() : memref<4x4xf32>
  csl.func @square() {
    %x = bufferization.to_tensor %a restrict : memref<4x4xf32>
    %y = bufferization.to_tensor %b restrict writable : memref<4x4xf32>
    %product = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
    bufferization.materialize_in_destination %product in writable %b : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
    csl.return
  }
}) : () -> ()
