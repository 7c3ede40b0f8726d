// RUN: xdsl-opt -t mlir-22 -p tensor-copy-insertion %s | filecheck %s

// CHECK:      %t, %x, %i = "test.op"()
// CHECK-NEXT: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%t)
// CHECK-NEXT: tensor.insert %x into %[[COPY]][%i]
%t, %x, %i = "test.op"() : () -> (tensor<8xf32>, f32, index)
%r = tensor.insert %x into %t[%i] : tensor<8xf32>
"test.op"(%t, %r) : (tensor<8xf32>, tensor<8xf32>) -> ()
