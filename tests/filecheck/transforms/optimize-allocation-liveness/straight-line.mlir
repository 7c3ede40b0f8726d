// RUN: xdsl-opt -t mlir-22 -p optimize-allocation-liveness %s --allow-unregistered-dialect | filecheck %s

// CHECK-LABEL: func.func @after_the_last_use
// CHECK: "test.first"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.second"(%b)
// CHECK-NEXT: memref.dealloc %b
// CHECK-NEXT: "test.third"
// CHECK-NEXT: return
func.func @after_the_last_use() {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  "test.first"(%a) : (memref<2xf32>) -> ()
  "test.second"(%b) : (memref<2xf32>) -> ()
  "test.third"() : () -> ()
  memref.dealloc %b : memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return
}

// The uses of a view and of what a select may have chosen are uses of the buffer.
// CHECK-LABEL: func.func @under_other_names
// CHECK: "test.view"(%v)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.choice"(%s)
// CHECK-NEXT: memref.dealloc %b
// CHECK-NEXT: memref.dealloc %c
// CHECK-NEXT: "test.last"
func.func @under_other_names(%flag: i1) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %c = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  %s = arith.select %flag, %b, %c : memref<2xf32>
  "test.view"(%v) : (memref<?xf32>) -> ()
  "test.choice"(%s) : (memref<2xf32>) -> ()
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  memref.dealloc %b : memref<2xf32>
  memref.dealloc %c : memref<2xf32>
  return
}

// CHECK-LABEL: func.func @result_of_a_call
// CHECK: "test.use"(%a)
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.last"
func.func @result_of_a_call() {
  %a = func.call @make() : () -> memref<2xf32>
  "test.use"(%a) : (memref<2xf32>) -> ()
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}
func.func private @make() -> memref<2xf32>

// The callee may return its argument: %b may be %a.
// CHECK-LABEL: func.func @result_may_be_the_argument
// CHECK: "test.use"(%b)
// CHECK-NEXT: memref.dealloc %a
func.func @result_may_be_the_argument() {
  %a = memref.alloc() : memref<2xf32>
  %b = func.call @identity(%a) : (memref<2xf32>) -> memref<2xf32>
  "test.use"(%b) : (memref<2xf32>) -> ()
  memref.dealloc %a : memref<2xf32>
  return
}
func.func private @identity(%x: memref<2xf32>) -> memref<2xf32> {
  return %x : memref<2xf32>
}

// A deallocation under a condition moves as a whole, but not above its condition.
// CHECK-LABEL: func.func @under_a_condition
// CHECK: %flag = "test.flag"()
// CHECK-NEXT: scf.if %flag {
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: }
// CHECK-NEXT: "test.last"
func.func @under_a_condition() {
  %a = memref.alloc() : memref<2xf32>
  "test.use"(%a) : (memref<2xf32>) -> ()
  "test.other"() : () -> ()
  %flag = "test.flag"() : () -> i1
  "test.last"() : () -> ()
  scf.if %flag {
    memref.dealloc %a : memref<2xf32>
  }
  return
}

// Its address is compared after its last use: it must not be given away before.
// CHECK-LABEL: func.func @address_is_compared
// CHECK: arith.cmpi
// CHECK-NEXT: memref.dealloc %a
// CHECK-NEXT: "test.last"
func.func @address_is_compared(%other: index) -> i1 {
  %a = memref.alloc() : memref<2xf32>
  %pointer = memref.extract_aligned_pointer_as_index %a : memref<2xf32> -> index
  "test.other"() : () -> ()
  %is_other = arith.cmpi eq, %pointer, %other : index
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return %is_other : i1
}

// Another op may load the buffer from where it is stored.
// CHECK-LABEL: func.func @stored
// CHECK: "test.last"
// CHECK-NEXT: memref.dealloc %a
func.func @stored(%table: memref<1xmemref<2xf32>>, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  memref.store %a, %table[%i] : memref<1xmemref<2xf32>>
  "test.last"() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// That an allocation is asked for before it is freed keeps it no longer.

// CHECK-LABEL: func.func @allocation_of_a_view
// CHECK: %r = func.call @make()
// CHECK-NEXT: "test.use"(%r)
// CHECK-NEXT: %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %r
// CHECK-NEXT: memref.dealloc %[[BASE]]
// CHECK-NEXT: "test.work"
// CHECK-NEXT: return
func.func @allocation_of_a_view() {
  %r = func.call @make() : () -> memref<2xf32>
  "test.use"(%r) : (memref<2xf32>) -> ()
  "test.work"() : () -> ()
  %base, %offset, %size, %stride = memref.extract_strided_metadata %r : memref<2xf32> -> memref<f32>, index, index, index
  memref.dealloc %base : memref<f32>
  return
}
