// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// A loop between blocks that replaces its buffer: each is freed when it is replaced,
// and no i1 value is needed.

// CHECK-LABEL: func.func @loop
// CHECK:         %a = memref.alloc()
// CHECK-NEXT:    cf.br ^[[HEAD:.*]](%{{.*}}, %a : index, memref<4xf32>)
// CHECK-NEXT:  ^[[HEAD]](%i: index, %x: memref<4xf32>):
// CHECK-NOT:     bufferization.dealloc
// CHECK:         cf.cond_br %c, ^{{.*}}, ^{{.*}}
// CHECK:         memref.copy %x, %b
// CHECK:         %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %x
// CHECK-NEXT:    bufferization.dealloc (%[[BASE]] : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    cf.br ^[[HEAD]](%{{.*}}, %b : index, memref<4xf32>)
// CHECK:         func.return %x
// CHECK-NEXT:  }
func.func @loop(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head(%c0, %a : index, memref<4xf32>)
^head(%i: index, %x: memref<4xf32>):
  %c = arith.cmpi slt, %i, %n : index
  cf.cond_br %c, ^body, ^exit
^body:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %x, %b : memref<4xf32> to memref<4xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %b : index, memref<4xf32>)
^exit:
  return %x : memref<4xf32>
}

// A buffer that is needed in the loop is lent to it: an i1 argument tells it from those
// that the loop owns. After the loop only %x is needed: it becomes the owner.

// CHECK-LABEL: func.func @lent_to_a_loop
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK:         cf.br ^[[HEAD:.*]](%a, %[[FALSE]] : memref<4xf32>, i1)
// CHECK-NEXT:  ^[[HEAD]](%x: memref<4xf32>, %[[OWN:.*]]: i1):
// CHECK-NEXT:    cf.cond_br %c, ^body, ^exit
// CHECK-NEXT:  ^body:
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
// CHECK:         memref.copy %a, %b
// CHECK-NEXT:    cf.br ^[[HEAD]](%b, %[[TRUE]] : memref<4xf32>, i1)
// CHECK-NEXT:  ^exit:
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]) retain (%x : memref<4xf32>)
// CHECK-NEXT:    memref.copy %x, %out
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[TRUE]]){{$}}
// CHECK-NEXT:    func.return
func.func @lent_to_a_loop(%c: i1, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^head(%a : memref<4xf32>)
^head(%x: memref<4xf32>):
  cf.cond_br %c, ^body, ^exit
^body:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  cf.br ^head(%b : memref<4xf32>)
^exit:
  memref.copy %x, %out : memref<4xf32> to memref<4xf32>
  return
}

// A buffer that only one successor needs is freed on the path to the other one.

// CHECK-LABEL: func.func @needed_on_one_side
// CHECK:         cf.cond_br %c, ^needed, ^other
// CHECK-NEXT:  ^needed:
// CHECK-NEXT:    memref.copy %a, %out
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  ^other:
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func @needed_on_one_side(%c: i1, %out: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^needed, ^other
^needed:
  memref.copy %a, %out : memref<4xf32> to memref<4xf32>
  return
^other:
  return
}

// What no successor needs is freed before the branch.

// CHECK-LABEL: func.func @needed_on_no_side
// CHECK:         bufferization.dealloc (%a : memref<4xf32>)
// CHECK-NEXT:    cf.cond_br %c, ^{{.*}}, ^{{.*}}
func.func @needed_on_no_side(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^one, ^other
^one:
  return
^other:
  return
}

// Both edges lead to one block, with a buffer that is owned and one that is not.

// CHECK-LABEL: func.func @one_block_twice
// CHECK-DAG:     %[[FALSE:.*]] = arith.constant false
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         cf.cond_br %c, ^[[OWNED:.*]](%a : memref<4xf32>), ^[[BORROWED:[^(]*]](%arg : memref<4xf32>)
// CHECK-NEXT:  ^[[BORROWED]](%[[Y:.*]]: memref<4xf32>):
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]){{$}}
// CHECK-NEXT:    cf.br ^[[JOIN:.*]](%[[Y]], %[[FALSE]] : memref<4xf32>, i1)
// CHECK-NEXT:  ^[[OWNED]](%[[Z:.*]]: memref<4xf32>):
// CHECK-NEXT:    cf.br ^[[JOIN]](%[[Z]], %[[TRUE]] : memref<4xf32>, i1)
// CHECK-NEXT:  ^[[JOIN]](%x: memref<4xf32>, %[[OWN:.*]]: i1):
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
func.func @one_block_twice(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^join(%a : memref<4xf32>), ^join(%arg : memref<4xf32>)
^join(%x: memref<4xf32>):
  memref.copy %x, %arg : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @switch
// CHECK:         cf.switch %i : i32, [
// CHECK-NEXT:      default: ^join(%a : memref<4xf32>),
// CHECK-NEXT:      7: ^other
// CHECK-NEXT:    ]
// CHECK-NEXT:  ^other:
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>)
// CHECK-NEXT:    %b = memref.alloc()
// CHECK-NEXT:    cf.br ^join(%b : memref<4xf32>)
func.func @switch(%i: i32) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  cf.switch %i : i32, [
    default: ^join(%a : memref<4xf32>),
    7: ^other
  ]
^other:
  %b = memref.alloc() : memref<4xf32>
  cf.br ^join(%b : memref<4xf32>)
^join(%x: memref<4xf32>):
  return %x : memref<4xf32>
}

// Blocks that nothing leads to are erased.

// CHECK-LABEL: func.func @unreachable
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @unreachable() {
  return
^dead(%x: memref<4xf32>):
  cf.br ^dead(%x : memref<4xf32>)
}

// CHECK-LABEL: func.func @execute_region_of_blocks
// CHECK:         %r = scf.execute_region -> memref<4xf32> {
// CHECK-NEXT:      cf.cond_br %c, ^[[THEN:.*]], ^[[ELSE:.*]]
// CHECK-NEXT:    ^[[THEN]]:
// CHECK-NEXT:      %a = memref.alloc()
// CHECK-NEXT:      scf.yield %a
// CHECK-NEXT:    ^[[ELSE]]:
// CHECK-NEXT:      %b = memref.alloc()
// CHECK-NEXT:      scf.yield %b
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>)
func.func @execute_region_of_blocks(%c: i1) {
  %r = scf.execute_region -> (memref<4xf32>) {
    cf.cond_br %c, ^then, ^else
  ^then:
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  ^else:
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
}

// What a region of blocks yields may be a buffer from outside, which the result takes
// over where it is needed.

// CHECK-LABEL: func.func @lent_to_an_inner_block
// CHECK:         %r = scf.execute_region
// CHECK:         scf.yield %x
// CHECK:         cf.cond_br %c, ^[[NEEDED:[a-z0-9_]*]], ^[[OTHER:[a-z0-9_]*]]
// CHECK-NEXT:  ^[[NEEDED]]:
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}) retain (%r : memref<4xf32>)
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%r : memref<4xf32>)
// CHECK:         memref.copy %r, %out
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>)
// CHECK-NEXT:    func.return
// CHECK:       ^[[OTHER]]:
func.func @lent_to_an_inner_block(%c: i1, %out: memref<4xf32>) {
  cf.br ^start
^start:
  %b = memref.alloc() : memref<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %r = scf.execute_region -> memref<4xf32> {
    cf.cond_br %c, ^join(%a : memref<4xf32>), ^join(%b : memref<4xf32>)
  ^join(%x: memref<4xf32>):
    scf.yield %x : memref<4xf32>
  }
  cf.cond_br %c, ^needed, ^other
^needed:
  memref.copy %r, %out : memref<4xf32> to memref<4xf32>
  return
^other:
  return
}

// What a loop chose inside of its body is gone when its result goes back to ^bb1: %r
// alone keeps %a, which is freed before the branch unless it is %r.

// CHECK-LABEL: func.func @choice_inside_of_a_region
// CHECK:         cf.br ^[[HEADER:.*]](%arg, %{{.*}} : memref<4xf32>, i1)
// CHECK-NEXT:  ^[[HEADER]](%x: memref<4xf32>, %[[OWN:.*]]: i1):
// CHECK:         %r = scf.for
// CHECK:         %[[OLD:.*]] = bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]) retain (%r : memref<4xf32>)
// CHECK-NEXT:    %[[NEW:.*]] = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%r : memref<4xf32>)
// CHECK-NEXT:    %[[EITHER:.*]] = arith.ori %[[OLD]], %[[NEW]] : i1
// CHECK-NEXT:    cf.br ^[[HEADER]](%r, %[[EITHER]] : memref<4xf32>, i1)
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
// CHECK-NEXT:    func.return
func.func @choice_inside_of_a_region(%l: index, %u: index, %s: index, %d: i1, %arg: memref<4xf32>) {
  cf.br ^bb1(%arg : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  %c = "test.op"() : () -> i1
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %l to %u step %s iter_args(%y = %x) -> (memref<4xf32>) {
    %z = arith.select %d, %a, %y : memref<4xf32>
    scf.yield %z : memref<4xf32>
  }
  cf.br ^bb1(%r : memref<4xf32>)
^bb3:
  memref.copy %x, %arg : memref<4xf32> to memref<4xf32>
  return
}
