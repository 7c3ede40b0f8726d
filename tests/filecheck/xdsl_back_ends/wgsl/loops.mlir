// Where plain xDSL stops on the way to WGSL, with the same buffers: its target prints no
// loops, such as those of a product. Loops of known length may be unrolled. The second
// command of each line is xDSL without any pass of this package.

// RUN: xdsl-opt -p one-shot-bufferize,canonicalize %s | not xdsl-opt -t wgsl 2>&1 | filecheck %s
// RUN: xdsl-opt -p one-shot-bufferize,canonicalize %s | xdsl-opt -p scf-for-loop-unroll,canonicalize -t wgsl | filecheck %s --check-prefix=UNROLLED

// CHECK:       NotImplementedError: Printing of 'scf.for' to WGSL is not implemented yet.

// UNROLLED:    fn sum_row(
// UNROLLED-COUNT-4: vsums[1u * vi] = v
"gpu.module"() ({
  "gpu.func"() ({
  ^bb0(%x: memref<8x4xf32>, %sums: memref<8xf32>):
    %i = "gpu.global_id"() {dimension = #gpu<dim x>} : () -> index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %a = bufferization.to_tensor %x restrict : memref<8x4xf32>
    %b = bufferization.to_tensor %sums restrict writable : memref<8xf32>
    %all = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %b) -> tensor<8xf32> {
      %p = tensor.extract %a[%i, %j] : tensor<8x4xf32>
      %q = tensor.extract %t[%i] : tensor<8xf32>
      %sum = arith.addf %p, %q : f32
      %next = tensor.insert %sum into %t[%i] : tensor<8xf32>
      scf.yield %next : tensor<8xf32>
    }
    bufferization.materialize_in_destination %all in writable %sums : (tensor<8xf32>, memref<8xf32>) -> ()
    "gpu.return"() : () -> ()
  }) {function_type = (memref<8x4xf32>, memref<8xf32>) -> (), gpu.kernel, sym_name = "sum_row", workgroup_attributions = 0 : i64} : () -> ()
}) {sym_name = "kernels"} : () -> ()
