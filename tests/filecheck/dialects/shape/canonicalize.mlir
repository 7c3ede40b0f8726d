// RUN: xbuf opt -p canonicalize %s | filecheck %s

func.func private @use(tensor<4xf32>)

// What is known to hold need not be assumed.

// CHECK-LABEL: func.func @holds(
// CHECK-NEXT:    func.call @use(%[[T:[a-z]+]])
// CHECK-NEXT:    return %[[T]] : tensor<4xf32>
func.func @holds(%t: tensor<4xf32>) -> tensor<4xf32> {
  %true = arith.constant true
  %0 = shape.const_witness true
  %1 = shape.cstr_require %true, "never"
  %2 = shape.assuming_all %0, %1
  %3 = shape.assuming %2 -> (tensor<4xf32>) {
    func.call @use(%t) : (tensor<4xf32>) -> ()
    shape.assuming_yield %t : tensor<4xf32>
  }
  return %3 : tensor<4xf32>
}

// What may fail stays, once; and so does what is known to fail, with its message.

// CHECK-LABEL: func.func @may_fail(
// CHECK-SAME:    %[[W:[a-z]+]]: !shape.witness, %[[V:[a-z]+]]: !shape.witness
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    %[[F:.*]] = shape.cstr_require %[[FALSE]], "always"
// CHECK-NEXT:    %[[ALL:.*]] = shape.assuming_all %[[W]], %[[V]], %[[F]]
// CHECK-NEXT:    %[[T:.*]] = shape.assuming %[[ALL]] -> (tensor<4xf32>) {
// CHECK-NEXT:      func.call
// CHECK-NEXT:      shape.assuming_yield
// CHECK-NEXT:    }
// CHECK-NEXT:    shape.assuming %[[W]] {
// CHECK-NEXT:      func.call
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[T]]
func.func @may_fail(%w: !shape.witness, %v: !shape.witness, %t: tensor<4xf32>) -> tensor<4xf32> {
  %false = arith.constant false
  %0 = shape.const_witness true
  %1 = shape.cstr_require %false, "always"
  %2 = shape.assuming_all %w, %0, %v, %w, %1
  %3, %4 = shape.assuming %2 -> (i1, tensor<4xf32>) {
    func.call @use(%t) : (tensor<4xf32>) -> ()
    shape.assuming_yield %false, %t : i1, tensor<4xf32>
  }
  %5 = shape.assuming_all %w, %w
  shape.assuming %5 {
    func.call @use(%t) : (tensor<4xf32>) -> ()
  }
  return %4 : tensor<4xf32>
}
