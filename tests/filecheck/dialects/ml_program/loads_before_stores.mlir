// RUN: xbuf opt %s -one-shot-bufferize="bufferize-function-boundaries" | filecheck %s

ml_program.global private mutable @g(dense<0> : tensor<i64>) : tensor<i64>

// What is read before the next store needs no copy.
// CHECK-LABEL: func.func @reads_first
// CHECK-NEXT: memref.get_global
// CHECK-NEXT: memref.load
// CHECK-NOT: memref.alloc
func.func @reads_first(%new: tensor<i64>) -> i64 {
  %0 = ml_program.global_load @g : tensor<i64>
  %x = tensor.extract %0[] : tensor<i64>
  ml_program.global_store @g = %new : tensor<i64>
  return %x : i64
}

// What is read after a store is a copy from before it.
// CHECK-LABEL: func.func @reads_last
// CHECK: %[[old:.*]] = memref.alloc
// CHECK: memref.load %[[old]]
func.func @reads_last(%new: tensor<i64>) -> i64 {
  %0 = ml_program.global_load @g : tensor<i64>
  ml_program.global_store @g = %new : tensor<i64>
  %x = tensor.extract %0[] : tensor<i64>
  return %x : i64
}

// A call may store as well.
// CHECK-LABEL: func.func @reads_after_call
// CHECK: memref.alloc
func.func @reads_after_call() -> i64 {
  %0 = ml_program.global_load @g : tensor<i64>
  func.call @other() : () -> ()
  %x = tensor.extract %0[] : tensor<i64>
  return %x : i64
}

func.func private @other()
