// Where plain xDSL stops on the way to WGSL, with the same buffers: its target reads each
// constant as an integer. The second command is xDSL without any pass of this package.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize %s | not xdsl-opt -t wgsl 2>&1 | filecheck %s

// CHECK:       ValueError: invalid literal for int() with base 10: '5.000000e-01'
"gpu.module"() ({
  "gpu.func"() ({
  ^bb0(%x: memref<8xf32>):
    %i = "gpu.global_id"() {dimension = #gpu<dim x>} : () -> index
    %half = arith.constant 0.5 : f32
    %a = bufferization.to_tensor %x restrict writable : memref<8xf32>
    %p = tensor.extract %a[%i] : tensor<8xf32>
    %halved = arith.mulf %p, %half : f32
    %b = tensor.insert %halved into %a[%i] : tensor<8xf32>
    bufferization.materialize_in_destination %b in writable %x : (tensor<8xf32>, memref<8xf32>) -> ()
    "gpu.return"() : () -> ()
  }) {function_type = (memref<8xf32>) -> (), gpu.kernel, sym_name = "halve", workgroup_attributions = 0 : i64} : () -> ()
}) {sym_name = "kernels"} : () -> ()
