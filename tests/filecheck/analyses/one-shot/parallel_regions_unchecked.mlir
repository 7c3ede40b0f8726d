// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries=true check-parallel-regions=false test-analysis-only=true}' %s | filecheck %s

// Whoever sets the option promises that the iterations run one after the other.

// CHECK-LABEL: @undefined
// CHECK: linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
func.func @undefined(%out: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %empty = tensor.empty() : tensor<1xf32>
  %0 = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<8xf32>) {
    %1 = linalg.fill ins(%v : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}

// The next iteration would read what this one writes, also if it runs later.

// CHECK-LABEL: @read_before
// CHECK: tensor.insert {{.*}} {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @read_before(%t: tensor<8xf32>, %out: tensor<8xf32>, %v: f32) -> tensor<8xf32> {
  %0 = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<8xf32>) {
    %1 = tensor.insert %v into %t[%i] : tensor<8xf32>
    %2 = tensor.extract_slice %1[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %2 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}
