// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries}' %s | filecheck %s
// RUN: xdsl-opt -t mlir-22 -p 'one-shot-bufferize{bufferize-function-boundaries},canonicalize,drop-equivalent-buffer-results' %s | filecheck %s --check-prefix=DROP

// Each half is worked on where it is: what a call returns is the buffer of its argument,
// so that there is nothing to insert.

// CHECK-LABEL: func.func private @double
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         %[[A:.*]] = memref.subview %t[0] [%half] [1]
// CHECK-NEXT:    func.call @double(%[[A]])
// CHECK-NEXT:    %[[C:.*]] = memref.subview %t[%half] [%rest] [1]
// CHECK-NEXT:    func.call @double(%[[C]])
// CHECK-NEXT:    scf.yield %t

// DROP-LABEL: func.func private @double(%t: memref<?xf32, strided<[?], offset: ?>>) {
// DROP:         func.call @double(%{{.*}}) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
// DROP:         func.call @double(%{{.*}}) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
// DROP:         func.return
func.func private @double(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %is_one = arith.cmpi eq, %n, %c1 : index
  %r = scf.if %is_one -> tensor<?xf32> {
    %x = tensor.extract %t[%c0] : tensor<?xf32>
    %twice = arith.addf %x, %x : f32
    %1 = tensor.insert %twice into %t[%c0] : tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  } else {
    %half = arith.divui %n, %c2 : index
    %rest = arith.subi %n, %half : index
    %a = tensor.extract_slice %t[0] [%half] [1] : tensor<?xf32> to tensor<?xf32>
    %b = func.call @double(%a) : (tensor<?xf32>) -> tensor<?xf32>
    %1 = tensor.insert_slice %b into %t[0] [%half] [1] : tensor<?xf32> into tensor<?xf32>
    %c = tensor.extract_slice %1[%half] [%rest] [1] : tensor<?xf32> to tensor<?xf32>
    %d = func.call @double(%c) : (tensor<?xf32>) -> tensor<?xf32>
    %2 = tensor.insert_slice %d into %1[%half] [%rest] [1] : tensor<?xf32> into tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// Functions that call each other by turns: what the other one writes is known, and that
// the second argument is only read.

// CHECK-LABEL: func.func private @even
// CHECK-NOT:     memref.alloc
// CHECK:         memref.store %v, %t
// CHECK-LABEL: func.func private @odd
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @caller
// CHECK-NEXT:    memref.alloc()
// CHECK-NEXT:    memref.copy %t
// CHECK-NOT:     memref.alloc
func.func private @even(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tensor.extract %u[%n] : tensor<8xf32>
  %0 = tensor.insert %v into %t[%n] : tensor<8xf32>
  %stop = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %stop -> tensor<8xf32> {
    scf.yield %0 : tensor<8xf32>
  } else {
    %less = arith.subi %n, %c1 : index
    %1 = func.call @odd(%0, %u, %less) : (tensor<8xf32>, tensor<8xf32>, index) -> tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

func.func private @odd(%t: tensor<8xf32>, %u: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c1 = arith.constant 1 : index
  %less = arith.subi %n, %c1 : index
  %r = func.call @even(%t, %u, %less) : (tensor<8xf32>, tensor<8xf32>, index) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

func.func @caller(%t: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = func.call @even(%t, %t, %n) : (tensor<8xf32>, tensor<8xf32>, index) -> tensor<8xf32>
  return %r, %t : tensor<8xf32>, tensor<8xf32>
}
