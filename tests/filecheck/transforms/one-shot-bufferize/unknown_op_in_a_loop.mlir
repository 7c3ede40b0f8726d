// RUN: xbuf opt --allow-unregistered-dialect -p 'one-shot-bufferize{allow-return-allocs-from-loops allow-unknown-ops}' %s | filecheck %s

// What an unknown op returns is no constant: the next iteration gets it as it is.

// CHECK-LABEL: func.func @passed_on
// CHECK: memref.alloc
// CHECK: scf.for
// CHECK: "some.use"
// CHECK-NEXT: %[[B:.*]] = bufferization.to_buffer
// CHECK-NEXT: scf.yield %[[B]]
func.func @passed_on(%t: tensor<8xf32>, %a: index, %b: index, %c: index) -> tensor<8xf32> {
  %r = scf.for %i = %a to %b step %c iter_args(%x = %t) -> tensor<8xf32> {
    %y = "some.use"(%x) : (tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
