// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// What was not picked is freed before the branch, as only what was picked is needed.

// CHECK-LABEL: func.func @one_of_two_allocations
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         %s = arith.select
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]) retain (%s : memref<4xf32>)
// CHECK-NEXT:    bufferization.dealloc (%b : memref<4xf32>) if (%[[TRUE]]) retain (%s : memref<4xf32>)
// CHECK-NEXT:    cf.cond_br
// CHECK:         memref.copy %s, %arg
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[TRUE]]){{$}}
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[TRUE]]){{$}}
func.func @one_of_two_allocations(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  cf.cond_br %c, ^used, ^unused
^used:
  memref.copy %s, %arg : memref<4xf32> to memref<4xf32>
  return
^unused:
  return
}

// A view of it goes the same way.

// CHECK-LABEL: func.func @view_of_a_choice
// CHECK:         %[[OWN:.*]] = bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    cf.cond_br
// CHECK:         memref.copy %v, %arg
// CHECK:         bufferization.dealloc (%{{.*}} : memref<f32>) if (%[[OWN]]){{$}}
func.func @view_of_a_choice(%c: i1, %arg: memref<4xf32>) {
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %arg, %b : memref<4xf32>
  cf.cond_br %c, ^used, ^join
^used:
  %v = memref.cast %s : memref<4xf32> to memref<?xf32>
  memref.copy %v, %arg : memref<?xf32> to memref<4xf32>
  cf.br ^join
^join:
  return
}

// All are needed later: nothing is gained by a comparison.

// CHECK-LABEL: func.func @all_are_needed
// CHECK-NOT:     retain
// CHECK:         func.return
func.func @all_are_needed(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  cf.cond_br %c, ^used, ^join
^used:
  memref.copy %s, %arg : memref<4xf32> to memref<4xf32>
  memref.copy %a, %arg : memref<4xf32> to memref<4xf32>
  memref.copy %b, %arg : memref<4xf32> to memref<4xf32>
  cf.br ^join
^join:
  return
}

// Only ^bb2 needs %s: there %s becomes the owner of the buffer that it selected.

// CHECK-LABEL: func.func @choice_on_one_path
// CHECK:         %[[IS_Y:.*]] = bufferization.dealloc (%y : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    cf.cond_br %d, ^bb1, ^bb2
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc (%x : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    memref.copy %s, %arg
func.func @choice_on_one_path(%c: i1, %d: i1, %arg: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %x, %y : memref<4xf32>
  cf.cond_br %d, ^bb1, ^bb2
^bb1:
  memref.copy %x, %arg : memref<4xf32> to memref<4xf32>
  return
^bb2:
  memref.copy %s, %arg : memref<4xf32> to memref<4xf32>
  return
}
