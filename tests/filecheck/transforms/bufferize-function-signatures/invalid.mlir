// RUN: xbuf opt -p 'bufferize-function-signatures{result-conversion=append}' --verify-diagnostics --split-input-file %s | filecheck %s

// CHECK: "func.call"(%t_1)
// CHECK: the size of result #0 is known only inside of what is called, so that no buffer can be allocated for it here; keep it as a function result, or give it a static shape
func.func @computed_size(%t: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %t, %c0 : tensor<?xf32>
  %m = arith.addi %n, %n : index
  %0 = tensor.empty(%m) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @call(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @computed_size(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK: "func.call"(%t_1, %u_1, %p)
// CHECK: the size of result #0 is known only inside of what is called
func.func @returns_differ(%t: tensor<?xf32>, %u: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  cf.cond_br %p, ^first, ^second
^first:
  return %t : tensor<?xf32>
^second:
  return %u : tensor<?xf32>
}
func.func @call(%t: tensor<?xf32>, %u: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  %0 = call @returns_differ(%t, %u, %p) : (tensor<?xf32>, tensor<?xf32>, i1) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// CHECK: "func.call"(%t_1)
// CHECK: the size of result #0 is known only inside of what is called
func.func private @elsewhere(tensor<?xf32>) -> tensor<?xf32>
func.func @call(%t: tensor<?xf32>) {
  %0 = call @elsewhere(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return
}

// -----

// CHECK: "func.call"(%t_1)
// CHECK: no buffer of type memref<*xf32> can be allocated for result #0; keep it as a function result
func.func private @unranked(tensor<*xf32>) -> tensor<*xf32>
func.func @call(%t: tensor<*xf32>) {
  %0 = call @unranked(%t) : (tensor<*xf32>) -> tensor<*xf32>
  return
}

// -----

// CHECK: "test.termop"(%t)
// CHECK: 'test.termop' ends a function whose signature is converted, with operands, but is not return-like; give it the trait ReturnLike
func.func @not_a_return(%t: tensor<5xf32>) -> tensor<5xf32> {
  "test.termop"(%t) : (tensor<5xf32>) -> ()
}

// -----

// CHECK: "func.call"(%t_1)
// CHECK: the size of result #0 is known only inside of what is called
func.func private @no_such_dimension(%t: tensor<3x?xf32>) -> tensor<?xf32> {
  %c7 = arith.constant 7 : index
  %n = tensor.dim %t, %c7 : tensor<3x?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @call(%t: tensor<3x?xf32>) -> tensor<?xf32> {
  %0 = call @no_such_dimension(%t) : (tensor<3x?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
