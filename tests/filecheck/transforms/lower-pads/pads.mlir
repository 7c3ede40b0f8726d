// RUN: xdsl-opt -t mlir-22 --allow-unregistered-dialect -p lower-pads %s | filecheck %s

// The border is filled in front of the loop. The last op reads what is inside of it.
// CHECK-LABEL: func.func @border
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<10x8xf32>
// CHECK-NEXT:    tensor.extract_slice %[[E]][0, 0] [1, 8]
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    tensor.insert_slice
// CHECK-NEXT:    tensor.extract_slice %{{.*}}[9, 0] [1, 8]
// CHECK-NEXT:    linalg.fill
// CHECK-NEXT:    %[[B:.*]] = tensor.insert_slice
// CHECK:         %[[X:.*]] = scf.forall
// CHECK:         %[[P:.*]] = tensor.insert_slice %[[X]] into %[[B]][1, 0] [8, 8] [1, 1]
// CHECK:         %[[I:.*]] = tensor.extract_slice %[[P]][1, 0] [8, 8] [1, 1]
// CHECK:         return %[[P]], %[[I]]
func.func @border(%t: tensor<8x8xf32>, %e: tensor<8x8xf32>) -> (tensor<10x8xf32>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %x = scf.forall (%i) in (8) shared_outs(%o = %e) -> (tensor<8x8xf32>) {
    %row = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %row into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    }
  }
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<10x8xf32>
  return %p, %x : tensor<10x8xf32>, tensor<8x8xf32>
}

// An argument is where it is.
// CHECK-LABEL: func.func @argument
// CHECK:         tensor.pad
func.func @argument(%t: tensor<8x8xf32>) -> tensor<10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %t low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<10x8xf32>
  return %p : tensor<10x8xf32>
}

// So is what is put into a tensor without contents.
// CHECK-LABEL: func.func @inserted
// CHECK:         linalg.fill
// CHECK:         %x = tensor.insert_slice
// CHECK-NEXT:    %[[P:.*]] = tensor.insert_slice %x into %{{.*}}[1, 0] [8, 8] [1, 1]
// CHECK-NEXT:    return %[[P]]
func.func @inserted(%t: tensor<1x8x8xf32>) -> tensor<10x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %s = tensor.extract_slice %t[0, 0, 0] [1, 8, 8] [1, 1, 1] : tensor<1x8x8xf32> to tensor<8x8xf32>
  %x = tensor.insert_slice %s into %e[0, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x8xf32>
  %p = tensor.pad %x low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<10x8xf32>
  return %p : tensor<10x8xf32>
}

// A loop that pads what it carries carries that with its border. What an iteration
// computes element by element takes the place of what it was given.
// CHECK-LABEL: func.func @carried
// CHECK:         %[[A:.*]] = tensor.insert_slice %x into %{{.*}}[1, 0] [8, 8] [1, 1]
// CHECK:         %[[L:.*]] = scf.for {{.*}} iter_args(%[[T:.*]] = %[[A]]) -> (tensor<10x8xf32>) {
// CHECK-NEXT:      %[[I:.*]] = tensor.extract_slice %[[T]][1, 0] [8, 8] [1, 1]
// CHECK-NOT:       tensor.pad
// CHECK:           %[[S:.*]] = "test.windows"(%[[T]])
// CHECK:           %[[U:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<8x8xf32>) outs(%[[I]] : tensor<8x8xf32>)
// CHECK:           %[[V:.*]] = tensor.insert_slice %[[U]] into %[[T]][1, 0] [8, 8] [1, 1]
// CHECK-NEXT:      scf.yield %[[V]]
// CHECK:         %[[R:.*]] = tensor.extract_slice %[[L]][1, 0] [8, 8] [1, 1]
// CHECK-NEXT:    return %[[R]]
func.func @carried(%t: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %from = arith.constant 0 : index
  %step = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.exp ins(%t : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %from to %n step %step iter_args(%c = %x) -> (tensor<8x8xf32>) {
    %p = tensor.pad %c low[1, 0] high[1, 0] {
    ^bb0(%a: index, %b: index):
      tensor.yield %zero : f32
    } : tensor<8x8xf32> to tensor<10x8xf32>
    %s = "test.windows"(%p) : (tensor<10x8xf32>) -> tensor<8x8xf32>
    %u = linalg.add ins(%c, %s : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}
