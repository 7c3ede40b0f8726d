// RUN: xdsl-opt -t mlir-22 -p "buffer-deallocation{strategy=clone}" --allow-unregistered-dialect %s | filecheck %s

// Each iteration frees the buffer of the iteration before, since the back edge passes
// another buffer.
// CHECK-LABEL: func.func @loop_nested_if
// CHECK-NEXT:    [[I:%.*]] = bufferization.clone %in
// CHECK-NEXT:    [[R:%.*]] = scf.for {{.*}} iter_args([[X:%.*]] = [[I]])
// CHECK-NEXT:      arith.cmpi
// CHECK-NEXT:      [[S:%.*]] = scf.if
// CHECK-NEXT:        [[A:%.*]] = memref.alloc()
// CHECK-NEXT:        "test.use"([[A]])
// CHECK-NEXT:        [[B:%.*]] = bufferization.clone [[A]]
// CHECK-NEXT:        memref.dealloc [[A]]
// CHECK-NEXT:        scf.yield [[B]]
// CHECK-NEXT:      } else {
// CHECK-NEXT:        [[C:%.*]] = bufferization.clone [[X]]
// CHECK-NEXT:        scf.yield [[C]]
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc [[X]]
// CHECK-NEXT:      [[D:%.*]] = bufferization.clone [[S]]
// CHECK-NEXT:      memref.dealloc [[S]]
// CHECK-NEXT:      scf.yield [[D]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.copy [[R]], %out
// CHECK-NEXT:    memref.dealloc [[R]]
// CHECK-NEXT:    return
func.func @loop_nested_if(
    %l: index, %u: index, %s: index, %in: memref<2xf32>, %out: memref<2xf32>) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %in) -> (memref<2xf32>) {
    %c = arith.cmpi eq, %i, %u : index
    %y = scf.if %c -> (memref<2xf32>) {
      %n = memref.alloc() : memref<2xf32>
      "test.use"(%n) : (memref<2xf32>) -> ()
      scf.yield %n : memref<2xf32>
    } else {
      scf.yield %x : memref<2xf32>
    }
    scf.yield %y : memref<2xf32>
  }
  memref.copy %r, %out : memref<2xf32> to memref<2xf32>
  return
}

// A loop that hands one buffer around needs no other.
// CHECK-LABEL: func.func @carried
// CHECK-NOT:     clone
// CHECK:         memref.copy
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return
func.func @carried(%l: index, %u: index, %s: index, %out: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = scf.for %i = %l to %u step %s iter_args(%x = %a) -> (memref<2xf32>) {
    "test.use"(%x) : (memref<2xf32>) -> ()
    scf.yield %x : memref<2xf32>
  }
  memref.copy %r, %out : memref<2xf32> to memref<2xf32>
  return
}

// One clone for each operand, whichever region or result receives it.
// CHECK-LABEL: func.func @while
// CHECK:         [[I:%.*]] = bufferization.clone %in
// CHECK-NEXT:    [[R:%.*]] = scf.while ([[X:%.*]] = [[I]])
// CHECK:           memref.dealloc [[X]]
// CHECK-NEXT:      [[N:%.*]] = memref.alloc
// CHECK-NEXT:      [[C:%.*]] = bufferization.clone [[N]]
// CHECK-NEXT:      memref.dealloc [[N]]
// CHECK-NEXT:      scf.condition(%c) [[C]]
// CHECK:         ^bb0([[Y:%.*]]: memref<2xf32>):
// CHECK-NEXT:      [[D:%.*]] = bufferization.clone [[Y]]
// CHECK-NEXT:      memref.dealloc [[Y]]
// CHECK-NEXT:      scf.yield [[D]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc [[R]]
// CHECK-NEXT:    return
func.func @while(%c: i1, %in: memref<2xf32>) {
  %r = scf.while (%x = %in) : (memref<2xf32>) -> memref<2xf32> {
    %n = memref.alloc() : memref<2xf32>
    scf.condition(%c) %n : memref<2xf32>
  } do {
  ^bb0(%y: memref<2xf32>):
    scf.yield %y : memref<2xf32>
  }
  return
}

// A loop between blocks: the allocation before it is freed once, after the loop.
// CHECK-LABEL: func.func @block_loop
// CHECK-NEXT:    %a = memref.alloc
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    "test.use"(%a)
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return
func.func @block_loop(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb1
^bb1:
  "test.use"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return
}

// Each iteration makes a new buffer, and frees that of the iteration before.
// CHECK-LABEL: func.func @block_loop_carried
// CHECK-NEXT:    [[A:%.*]] = bufferization.clone %in
// CHECK-NEXT:    cf.br ^bb1([[A]] :
// CHECK-NEXT:  ^bb1([[X:%.*]]: memref<2xf32>):
// CHECK-NEXT:    [[N:%.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy [[X]], [[N]]
// CHECK-NEXT:    cf.cond_br %c, ^bb2([[N]] : memref<2xf32>), ^bb3
// CHECK-NEXT:  ^bb2([[Y:%.*]]: memref<2xf32>):
// CHECK-NEXT:    memref.dealloc [[X]]
// CHECK-NEXT:    [[C:%.*]] = bufferization.clone [[Y]]
// CHECK-NEXT:    memref.dealloc [[N]]
// CHECK-NEXT:    cf.br ^bb1([[C]] :
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    memref.dealloc [[N]]
// CHECK-NEXT:    memref.copy [[X]], %out
// CHECK-NEXT:    memref.dealloc [[X]]
// CHECK-NEXT:    return
func.func @block_loop_carried(%c: i1, %in: memref<2xf32>, %out: memref<2xf32>) {
  cf.br ^bb1(%in : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %n = memref.alloc() : memref<2xf32>
  memref.copy %x, %n : memref<2xf32> to memref<2xf32>
  cf.cond_br %c, ^bb1(%n : memref<2xf32>), ^bb2
^bb2:
  memref.copy %x, %out : memref<2xf32> to memref<2xf32>
  return
}

// A buffer that is needed after the loop is freed on the back edge.
// CHECK-LABEL: func.func @last_iteration
// CHECK:       ^bb1:
// CHECK-NEXT:    %a = memref.alloc
// CHECK-NEXT:    cf.cond_br %c, ^bb2, ^bb3
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    cf.br ^bb1
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    "test.use"(%a)
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    return
func.func @last_iteration(%c: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  "test.use"(%a) : (memref<2xf32>) -> ()
  return
}

// Code that never runs is left as it is.
// CHECK-LABEL: func.func @dead_code
// CHECK-NOT:     clone
// CHECK-NOT:     dealloc
func.func @dead_code(%c: i1, %in: memref<2xf32>) -> memref<2xf32> {
  %x = memref.alloc() : memref<2xf32>
  return %x : memref<2xf32>
^bb1:
  %a = memref.alloc() : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %x : memref<2xf32>
  }
  return %r : memref<2xf32>
}
