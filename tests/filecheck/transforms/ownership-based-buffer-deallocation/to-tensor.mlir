// RUN: xdsl-opt -t mlir-22 -p ownership-based-buffer-deallocation %s | filecheck %s

// A buffer that becomes a tensor is not freed: who consumes the tensor owns it.

// CHECK-LABEL: func.func @escapes
// CHECK:         bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return %t
func.func @escapes() -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %a, %b : memref<4xf32> to memref<4xf32>
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// CHECK-LABEL: func.func @unused_tensor
// CHECK:         bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
func.func @unused_tensor() {
  %a = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  return
}

// The other buffers of the loop are freed as ever.

// CHECK-LABEL: func.func @escapes_after_loop
// CHECK:         scf.for
// CHECK:           bufferization.dealloc (%{{.*}} : memref<f32>) if (%{{.*}}){{$}}
// CHECK-NEXT:      scf.yield %b
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %t
func.func @escapes_after_loop(%n: index, %zero: index, %one: index) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %t = bufferization.to_tensor %r : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// What the tensor may be is found out when running.

// CHECK-LABEL: func.func @maybe_escapes
// CHECK:         %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%b : memref<4xf32>) if (%{{.*}}) retain (%s : memref<4xf32>)
// CHECK-NEXT:    func.return %t
func.func @maybe_escapes(%c: i1) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %b : memref<4xf32>
  %t = bufferization.to_tensor %s : memref<4xf32> to tensor<4xf32>
  return %t : tensor<4xf32>
}

// Whether a region that may not run makes a tensor of a buffer that it was lent is not
// known where the buffer is freed: the tensor gets a clone.

// CHECK-LABEL: func.func @escapes_inside
// CHECK:         scf.if %c {
// CHECK-NEXT:      %[[CLONE:.*]] = bufferization.clone %a
// CHECK-NEXT:      bufferization.to_tensor %[[CLONE]]
// CHECK-NOT:       bufferization.dealloc
// CHECK:         }
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func private @keep(tensor<4xf32>)
func.func @escapes_inside(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
    func.call @keep(%t) : (tensor<4xf32>) -> ()
  }
  return
}

// It needs none if the buffer becomes a tensor in any case.

// CHECK-LABEL: func.func @escapes_inside_and_outside
// CHECK-NOT:     bufferization.clone
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
func.func @escapes_inside_and_outside(%c: i1) -> tensor<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  scf.if %c {
    %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
    func.call @keep(%t) : (tensor<4xf32>) -> ()
  }
  %u = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  return %u : tensor<4xf32>
}

// An argument belongs to the caller, and is not freed here.

// CHECK-LABEL: func.func @argument_inside
// CHECK-NOT:     bufferization.clone
// CHECK:         func.return
func.func @argument_inside(%c: i1, %arg: memref<4xf32>) {
  scf.if %c {
    %t = bufferization.to_tensor %arg : memref<4xf32> to tensor<4xf32>
    func.call @keep(%t) : (tensor<4xf32>) -> ()
  }
  return
}

// What a loop carries may be the buffer that it was lent.

// CHECK-LABEL: func.func @carried
// CHECK:         scf.for
// CHECK-NEXT:      %[[CLONE:.*]] = bufferization.clone %x
// CHECK-NEXT:      bufferization.to_tensor %[[CLONE]]
func.func @carried(%n: index, %zero: index, %one: index) {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    %t = bufferization.to_tensor %x : memref<4xf32> to tensor<4xf32>
    func.call @keep(%t) : (tensor<4xf32>) -> ()
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
}

// The memory of a tensor is not ours.

// CHECK-LABEL: func.func @from_tensor
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
func.func @from_tensor(%t: tensor<4xf32>, %arg: memref<4xf32>) {
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.copy %b, %arg : memref<4xf32> to memref<4xf32>
  return
}

// What was passed to ^bb1 is the tensor's. %a, which is needed later, is freed unless it
// was that.

// CHECK-LABEL: func.func @captured_in_an_earlier_block
// CHECK-DAG:     %[[TRUE:.*]] = arith.constant true
// CHECK:         bufferization.dealloc (%b : memref<4xf32>) if (%[[TRUE]]){{$}}
// CHECK:         bufferization.to_tensor %x
// CHECK:         cf.br
// CHECK:         memref.copy %a, %arg
// CHECK-NEXT:    %{{.*}} = bufferization.dealloc (%a : memref<4xf32>) if (%[[TRUE]]) retain (%x : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func @captured_in_an_earlier_block(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb1(%b : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  %t = bufferization.to_tensor %x : memref<4xf32> to tensor<4xf32>
  "test.op"(%t) : (tensor<4xf32>) -> ()
  cf.br ^bb2
^bb2:
  memref.copy %a, %arg : memref<4xf32> to memref<4xf32>
  return
}

// In a loop it may have been any of those passed before.

// CHECK-LABEL: func.func @captured_in_a_loop
// CHECK:       ^bb1(%x
// CHECK-NEXT:    %[[CLONE:.*]] = bufferization.clone %x
// CHECK-NEXT:    bufferization.to_tensor %[[CLONE]]
// CHECK:         memref.copy %a, %arg
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%{{.*}}){{$}}
// CHECK-NEXT:    func.return
func.func @captured_in_a_loop(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.br ^bb1(%a : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  %t = bufferization.to_tensor %x : memref<4xf32> to tensor<4xf32>
  "test.op"(%t) : (tensor<4xf32>) -> ()
  %n = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1(%n : memref<4xf32>), ^bb2
^bb2:
  memref.copy %a, %arg : memref<4xf32> to memref<4xf32>
  return
}

// On the path that leads past the tensor, the buffer is freed.

// CHECK-LABEL: func.func @captured_on_one_path
// CHECK-NOT:     bufferization.clone
// CHECK:       ^bb1:
// CHECK-NEXT:    bufferization.to_tensor %a
// CHECK-NEXT:    "test.op"
// CHECK-NEXT:    cf.br
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>)
func.func @captured_on_one_path(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  "test.op"(%t) : (tensor<4xf32>) -> ()
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  return
}

// Where the paths meet again, nobody would know.

// CHECK-LABEL: func.func @captured_before_a_join
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[CLONE:.*]] = bufferization.clone %a
// CHECK-NEXT:    bufferization.to_tensor %[[CLONE]]
// CHECK:       ^bb2:
// CHECK-NEXT:    memref.copy %a, %arg
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>)
func.func @captured_before_a_join(%c: i1, %arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %t = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
  "test.op"(%t) : (tensor<4xf32>) -> ()
  cf.br ^bb2
^bb2:
  memref.copy %a, %arg : memref<4xf32> to memref<4xf32>
  return
}
