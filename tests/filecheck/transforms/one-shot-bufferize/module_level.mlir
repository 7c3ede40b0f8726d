// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{allow-unknown-ops}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{allow-unknown-ops bufferize-function-boundaries}' %s | filecheck %s --check-prefixes CHECK,CALL
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{allow-unknown-ops test-analysis-only}' %s | filecheck %s --check-prefix DECISIONS

// Ops of the module itself are decided about together.

// CHECK:       %[[A:.*]] = memref.alloc()
// CHECK-NEXT:  linalg.fill ins(%x : f32) outs(%[[A]] : memref<4xf32>)
// CHECK-NEXT:  %[[B:.*]] = memref.alloc()
// CHECK-NEXT:  memref.copy %[[A]], %[[B]]
// CHECK-NEXT:  memref.store %x, %[[B]][%i]
// CHECK:       memref.load %[[A]][%i]
// CHECK-NEXT:  memref.load %[[B]][%i]

// DECISIONS:   linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// DECISIONS:   %b = tensor.insert
// DECISIONS-SAME: ["none", "false", "none"]
%x, %i = "test.op"() : () -> (f32, index)
%e = tensor.empty() : tensor<4xf32>
%a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
%b = tensor.insert %x into %a[%i] : tensor<4xf32>
%c = tensor.extract %a[%i] : tensor<4xf32>
%d = tensor.extract %b[%i] : tensor<4xf32>
"test.op"(%c, %d) : (f32, f32) -> ()

// A function in between stays a matter of its own.

// DECISIONS-LABEL: func.func @f
// DECISIONS:         %r = tensor.insert
// CALL-LABEL:      func.func @f(%t: memref<4xf32
// CALL-NEXT:         memref.store
func.func @f(%t: tensor<4xf32>, %y: f32, %j: index) -> tensor<4xf32> {
  %r = tensor.insert %y into %t[%j] : tensor<4xf32>
  return %r : tensor<4xf32>
}

// The call overwrites %b, which nothing reads any more.

// CALL:        %[[CAST:.*]] = memref.cast %[[B]]
// CALL-NEXT:   func.call @f(%[[CAST]], %x, %i)
%g = func.call @f(%b, %x, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
"test.op"(%g) : (tensor<4xf32>) -> ()
