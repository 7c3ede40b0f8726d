// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK: func.func private @use(!shape.witness)
func.func private @use(!shape.witness)

// CHECK-LABEL: func.func @f
// CHECK-SAME: (%{{.*}}: !shape.witness, %{{.*}}: tensor<4xf32>, %{{.*}}: i1)
func.func @f(%w: !shape.witness, %t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  // CHECK-NEXT: %{{.*}} = shape.const_witness true
  %0 = shape.const_witness true
  // CHECK-NEXT: %{{.*}} = shape.const_witness false {hint}
  %1 = shape.const_witness false {hint}
  // CHECK-NEXT: %{{.*}} = shape.cstr_require %{{.*}}, "shapes differ"
  %2 = shape.cstr_require %c, "shapes differ"
  // CHECK-NEXT: %{{.*}} = shape.assuming_all %{{.*}}, %{{.*}}, %{{.*}}
  %3 = shape.assuming_all %w, %0, %2
  // CHECK-NEXT: %[[R:.*]] = shape.assuming %{{.*}} -> (tensor<4xf32>) {
  // CHECK-NEXT:   shape.assuming_yield %{{.*}} : tensor<4xf32>
  // CHECK-NEXT: }
  %4 = shape.assuming %3 -> (tensor<4xf32>) {
    shape.assuming_yield %t : tensor<4xf32>
  }
  // CHECK-NEXT: %{{.*}}, %{{.*}} = shape.assuming %{{.*}} -> (i1, tensor<4xf32>) {
  // CHECK-NEXT:   shape.assuming_yield %{{.*}}, %{{.*}} : i1, tensor<4xf32>
  // CHECK-NEXT: } {hint}
  %5, %6 = shape.assuming %1 -> (i1, tensor<4xf32>) {
    shape.assuming_yield %c, %t : i1, tensor<4xf32>
  } {hint}
  // CHECK-NEXT: shape.assuming %{{.*}} {
  // CHECK-NEXT:   func.call @use
  // CHECK-NEXT: }
  shape.assuming %w {
    func.call @use(%w) : (!shape.witness) -> ()
  }
  // CHECK-NEXT: return %[[R]]
  return %4 : tensor<4xf32>
}
