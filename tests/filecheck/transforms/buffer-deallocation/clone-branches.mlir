// RUN: xdsl-opt -t mlir-22 -p "buffer-deallocation{strategy=clone}" --allow-unregistered-dialect %s | filecheck %s

// Here, in clone-regions.mlir and in clone-loops.mlir are the examples of the document of
// 2021, by the names that they have there.

// Each allocation reaches %2 on one path only: %2 gets buffers of its own. The
// outer allocation is freed as soon as the paths meet, not after the last use of %2.
// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    [[A:%.*]] = memref.alloc()
// CHECK-NEXT:    cf.cond_br
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    [[B:%.*]] = memref.alloc()
// CHECK-NEXT:    [[C:%.*]] = bufferization.clone [[B]]
// CHECK-NEXT:    memref.dealloc [[B]]
// CHECK-NEXT:    cf.br ^bb3([[C]] :
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    "test.use"([[A]])
// CHECK-NEXT:    [[D:%.*]] = bufferization.clone [[A]]
// CHECK-NEXT:    cf.br ^bb3([[D]] :
// CHECK-NEXT:  ^bb3([[E:%.*]]: memref<2xf32>):
// CHECK-NEXT:    memref.dealloc [[A]]
// CHECK-NEXT:    "test.use"([[E]])
// CHECK-NEXT:    memref.dealloc [[E]]
// CHECK-NEXT:    return
func.func @branch(%c: i1) {
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %1 = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%1 : memref<2xf32>)
^bb2:
  "test.use"(%0) : (memref<2xf32>) -> ()
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
  "test.use"(%2) : (memref<2xf32>) -> ()
  return
}

// An allocation that dominates what it becomes is freed once all of that is over.
// CHECK-LABEL: func.func @cond_branch
// CHECK-NOT:     clone
// CHECK:       ^bb3(%{{.*}}: memref<2xf32>):
// CHECK-NEXT:    memref.copy
// CHECK-NEXT:    memref.dealloc %a
func.func @cond_branch(%c: i1, %in: memref<2xf32>, %out: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%in : memref<2xf32>)
^bb2:
  "test.use"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  memref.copy %x, %out : memref<2xf32> to memref<2xf32>
  return
}

// An allocation of a dynamic size cannot move up, so the argument is cloned, too.
// CHECK-LABEL: func.func @cond_branch_dynamic_type
// CHECK:       ^bb1:
// CHECK-NEXT:    [[A:%.*]] = bufferization.clone %in
// CHECK-NEXT:    cf.br ^bb3([[A]] :
// CHECK-NEXT:  ^bb2([[N:%.*]]: index):
// CHECK-NEXT:    [[B:%.*]] = memref.alloc([[N]])
// CHECK-NEXT:    "test.use"([[B]])
// CHECK-NEXT:    [[C:%.*]] = bufferization.clone [[B]]
// CHECK-NEXT:    memref.dealloc [[B]]
// CHECK-NEXT:    cf.br ^bb3([[C]] :
// CHECK-NEXT:  ^bb3([[D:%.*]]: memref<?xf32>):
// CHECK-NEXT:    memref.copy [[D]], %out
// CHECK-NEXT:    memref.dealloc [[D]]
// CHECK-NEXT:    return
func.func @cond_branch_dynamic_type(%c: i1, %in: memref<?xf32>, %out: memref<?xf32>, %size: index) {
  cf.cond_br %c, ^bb1, ^bb2(%size : index)
^bb1:
  cf.br ^bb3(%in : memref<?xf32>)
^bb2(%n: index):
  %a = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a) : (memref<?xf32>) -> ()
  cf.br ^bb3(%a : memref<?xf32>)
^bb3(%x: memref<?xf32>):
  memref.copy %x, %out : memref<?xf32> to memref<?xf32>
  return
}

// %2 and %4 are dominated by what they can be, and get no clones; %3 is not.
// CHECK-LABEL: func.func @cond_branch_dynamic_type_nested
// CHECK:       ^bb1:
// CHECK-NEXT:    [[A:%.*]] = bufferization.clone %in
// CHECK-NEXT:    cf.br ^bb6([[A]] :
// CHECK:         [[B:%.*]] = memref.alloc
// CHECK:       ^bb3:
// CHECK-NEXT:    cf.br ^bb5([[B]] :
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    cf.br ^bb5([[B]] :
// CHECK-NEXT:  ^bb5([[C:%.*]]: memref<?xf32>):
// CHECK-NEXT:    [[D:%.*]] = bufferization.clone [[C]]
// CHECK-NEXT:    memref.dealloc [[B]]
// CHECK-NEXT:    cf.br ^bb6([[D]] :
// CHECK-NEXT:  ^bb6([[E:%.*]]: memref<?xf32>):
// CHECK-NEXT:    cf.br ^bb7([[E]] :
// CHECK-NEXT:  ^bb7([[F:%.*]]: memref<?xf32>):
// CHECK-NEXT:    memref.copy [[F]], %out
// CHECK-NEXT:    memref.dealloc [[E]]
// CHECK-NEXT:    return
func.func @cond_branch_dynamic_type_nested(
    %c: i1, %in: memref<?xf32>, %out: memref<?xf32>, %size: index) {
  cf.cond_br %c, ^bb1, ^bb2(%size : index)
^bb1:
  cf.br ^bb6(%in : memref<?xf32>)
^bb2(%n: index):
  %1 = memref.alloc(%n) : memref<?xf32>
  "test.use"(%1) : (memref<?xf32>) -> ()
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%1 : memref<?xf32>)
^bb4:
  cf.br ^bb5(%1 : memref<?xf32>)
^bb5(%2: memref<?xf32>):
  cf.br ^bb6(%2 : memref<?xf32>)
^bb6(%3: memref<?xf32>):
  cf.br ^bb7(%3 : memref<?xf32>)
^bb7(%4: memref<?xf32>):
  memref.copy %4, %out : memref<?xf32> to memref<?xf32>
  return
}

// What is on the stack or passed in is nobody's to free, and is cloned only if need be.
// CHECK-LABEL: func.func @mixed_allocation
// CHECK-NEXT:    memref.alloca()
// CHECK-NEXT:    [[A:%.*]] = memref.alloc()
// CHECK-NOT:     clone
// CHECK:       ^bb3([[X:%.*]]: memref<2xf32>):
// CHECK-NEXT:    "test.use"([[X]])
// CHECK-NEXT:    memref.dealloc [[A]]
// CHECK-NEXT:    return
func.func @mixed_allocation(%c: i1) {
  %0 = memref.alloca() : memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "test.use"(%0) : (memref<2xf32>) -> ()
  cf.br ^bb3(%0 : memref<2xf32>)
^bb2:
  "test.use"(%1) : (memref<2xf32>) -> ()
  cf.br ^bb3(%1 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
  "test.use"(%2) : (memref<2xf32>) -> ()
  return
}

// A clone that only one of two paths needs is made on that path.
// CHECK-LABEL: func.func @clone_on_an_edge
// CHECK:         cf.cond_br %c, ^bb1(%in : memref<2xf32>), ^bb2
// CHECK-NEXT:  ^bb1([[X:%.*]]: memref<2xf32>):
// CHECK-NEXT:    [[A:%.*]] = bufferization.clone [[X]]
// CHECK-NEXT:    cf.br ^bb3([[A]] :
// CHECK-NEXT:  ^bb2:
func.func @clone_on_an_edge(%c: i1, %in: memref<2xf32>, %out: memref<2xf32>) {
  cf.cond_br %c, ^bb2(%in : memref<2xf32>), ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2(%a : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  memref.copy %x, %out : memref<2xf32> to memref<2xf32>
  return
}

// CHECK-LABEL: func.func @switch
// CHECK:         cf.switch
// CHECK-NEXT:      default: ^bb1([[A:%.*]] : memref<2xf32>),
// CHECK-NEXT:      1: ^bb2([[A]] : memref<2xf32>),
// CHECK-NEXT:      2: ^bb2([[A]] : memref<2xf32>)
// CHECK:       ^bb1
// CHECK-NEXT:    "test.use"
// CHECK-NEXT:    memref.dealloc [[A]]
// CHECK:       ^bb2
// CHECK-NEXT:    memref.dealloc [[A]]
func.func @switch(%flag: i32) {
  %a = memref.alloc() : memref<2xf32>
  cf.switch %flag : i32, [
    default: ^bb1(%a : memref<2xf32>),
    1: ^bb2(%a : memref<2xf32>),
    2: ^bb2(%a : memref<2xf32>)
  ]
^bb1(%x: memref<2xf32>):
  "test.use"(%x) : (memref<2xf32>) -> ()
  return
^bb2(%y: memref<2xf32>):
  return
}

// A buffer that is written to on one path only is the same buffer on both.
// CHECK-LABEL: func.func @cond_branch_with_partial_write
// CHECK-NEXT:    %a = memref.alloc()
// CHECK-NOT:     clone
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.copy %a, %out
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return
func.func @cond_branch_with_partial_write(%c: i1, %out: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3
^bb2:
  "test.partial_write"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb3
^bb3:
  memref.copy %a, %out : memref<2xf32> to memref<2xf32>
  return
}
