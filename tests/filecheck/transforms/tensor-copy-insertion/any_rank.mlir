// RUN: xdsl-opt -t mlir-22 -p 'tensor-copy-insertion{bufferize-function-boundaries}' %s | filecheck %s

// A tensor of any rank is copied where its rank is known.

// CHECK-LABEL: func.func @twice
// CHECK:         %u = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
// CHECK-NEXT:    %[[COPY:.*]] = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
// CHECK-NEXT:    %[[CAST:.*]] = tensor.cast %[[COPY]] : tensor<4xf32> to tensor<*xf32>
// CHECK-NEXT:    func.call @change(%[[CAST]])
// CHECK-NEXT:    func.call @change(%u)
func.func private @change(tensor<*xf32>)
func.func @twice(%t: tensor<4xf32>) {
  %u = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  call @change(%u) : (tensor<*xf32>) -> ()
  call @change(%u) : (tensor<*xf32>) -> ()
  return
}
