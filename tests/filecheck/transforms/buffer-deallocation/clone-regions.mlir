// RUN: %custom-opt -p "buffer-deallocation{strategy=clone}" --allow-unregistered-dialect %s | filecheck %s

// `custom.region_if` is an op that only its RegionBranchOpInterface speaks of: `then` or
// `else` runs, then `join`. All it passes around here is %a, which the caller gets.
// CHECK-LABEL: func.func @inner_region_control_flow
// CHECK-NOT:     clone
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @inner_region_control_flow(%n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %r = custom.region_if %a : memref<?x?xf32> -> (memref<?x?xf32>)
  then(%x: memref<?x?xf32>) {
    custom.region_if_yield %x : memref<?x?xf32>
  } else(%y: memref<?x?xf32>) {
    custom.region_if_yield %y : memref<?x?xf32>
  } join(%z: memref<?x?xf32>) {
    custom.region_if_yield %z : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}

// An allocation in one of the regions makes %z critical, and then %r, which %z is not
// around. %a is freed where it is used last.
// CHECK-LABEL: func.func @inner_region_control_flow_div
// CHECK-NEXT:    [[A:%.*]] = memref.alloc
// CHECK-NEXT:    [[R:%.*]] = custom.region_if [[A]]
// CHECK-SAME:        then([[X:%.*]]: memref<?x?xf32>)
// CHECK-NEXT:      [[C:%.*]] = bufferization.clone [[X]]
// CHECK-NEXT:      custom.region_if_yield [[C]]
// CHECK-NEXT:    } else(%{{.*}}) {
// CHECK-NEXT:      [[N:%.*]] = memref.alloc
// CHECK-NEXT:      [[D:%.*]] = bufferization.clone [[N]]
// CHECK-NEXT:      memref.dealloc [[N]]
// CHECK-NEXT:      custom.region_if_yield [[D]]
// CHECK-NEXT:    } join([[Z:%.*]]: memref<?x?xf32>) {
// CHECK-NEXT:      [[E:%.*]] = bufferization.clone [[Z]]
// CHECK-NEXT:      memref.dealloc [[Z]]
// CHECK-NEXT:      custom.region_if_yield [[E]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc [[A]]
// CHECK-NEXT:    return [[R]]
func.func @inner_region_control_flow_div(%n: index, %m: index) -> memref<?x?xf32> {
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %r = custom.region_if %a : memref<?x?xf32> -> (memref<?x?xf32>)
  then(%x: memref<?x?xf32>) {
    custom.region_if_yield %x : memref<?x?xf32>
  } else(%y: memref<?x?xf32>) {
    %new = memref.alloc(%n, %m) : memref<?x?xf32>
    custom.region_if_yield %new : memref<?x?xf32>
  } join(%z: memref<?x?xf32>) {
    custom.region_if_yield %z : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}

// What is allocated in a region and does not leave it is freed in it.
// CHECK-LABEL: func.func @nested_region_control_flow
// CHECK-NOT:     clone
// CHECK:         } else {
// CHECK-NEXT:      [[B:%.*]] = memref.alloc
// CHECK-NEXT:      "test.use"([[B]])
// CHECK-NEXT:      memref.dealloc [[B]]
// CHECK-NEXT:      scf.yield
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @nested_region_control_flow(%n: index, %m: index) -> memref<?x?xf32> {
  %c = arith.cmpi eq, %n, %m : index
  %a = memref.alloc(%n, %n) : memref<?x?xf32>
  %r = scf.if %c -> (memref<?x?xf32>) {
    scf.yield %a : memref<?x?xf32>
  } else {
    %b = memref.alloc(%n, %m) : memref<?x?xf32>
    "test.use"(%b) : (memref<?x?xf32>) -> ()
    scf.yield %a : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}

// Views live as long as what they are made of, wherever they are used.
// CHECK-LABEL: func.func @views
// CHECK:         scf.if
// CHECK:           memref.load
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return
func.func @views(%c: i1, %i: index) {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  scf.if %c {
    %x = memref.load %v[%i] : memref<4xf32, strided<[1], offset: 4>>
  }
  return
}

// CHECK-LABEL: func.func @select
// CHECK:         %s = arith.select %c, %a, %b
// CHECK-NEXT:    "test.use"(%s)
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    memref.dealloc %b
// CHECK-NEXT:    return
func.func @select(%c: i1) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %s = arith.select %c, %a, %b : memref<8xf32>
  "test.use"(%s) : (memref<8xf32>) -> ()
  return
}

// A reduction may use what is from outside of the loop, and frees what is its own.
// CHECK-LABEL: func.func @reduction
// CHECK:         scf.parallel
// CHECK-NOT:     memref.dealloc
// CHECK:           scf.reduce
// CHECK:             memref.dealloc %t
// CHECK:             scf.reduce.return
// CHECK:           }
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %a
func.func @reduction(%o: memref<4xf32>, %zero: index, %n: index, %one: index, %f: f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %o, %a : memref<4xf32> to memref<4xf32>
  %r = scf.parallel (%i) = (%zero) to (%n) step (%one) init (%f) -> f32 {
    %w = memref.subview %a[0] [2] [1] : memref<4xf32> to memref<2xf32>
    scf.reduce(%f : f32) {
    ^bb0(%x: f32, %y: f32):
      %t = memref.alloc() : memref<4xf32>
      memref.copy %a, %t : memref<4xf32> to memref<4xf32>
      %u = memref.load %t[%zero] : memref<4xf32>
      %v = memref.load %w[%zero] : memref<2xf32>
      %s = arith.addf %u, %v : f32
      scf.reduce.return %s : f32
    }
  }
  memref.store %r, %o[%zero] : memref<4xf32>
  return
}
