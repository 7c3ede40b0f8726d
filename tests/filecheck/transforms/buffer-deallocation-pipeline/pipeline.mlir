// RUN: xdsl-opt -t mlir-22 -p buffer-deallocation-pipeline %s | filecheck %s

// CHECK-LABEL: func.func @straight_line
// CHECK-NEXT:    %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.copy %arg, %a
// CHECK-NEXT:    memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:    func.return
func.func @straight_line(%arg: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %arg, %a : memref<4xf32> to memref<4xf32>
  return
}

// CHECK-LABEL: func.func @argument
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.copy %arg, %[[NEW]]
// CHECK-NEXT:    func.return %[[NEW]]
func.func @argument(%arg: memref<4xf32>) -> memref<4xf32> {
  return %arg : memref<4xf32>
}

// A loop that replaces its buffer frees the old one, and asks nothing while running.

// CHECK-LABEL: func.func @loop
// CHECK:         scf.for {{.*}} iter_args(%x = %a) -> (memref<4xf32>) {
// CHECK-NEXT:      %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.copy %x, %b
// CHECK-NEXT:      %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %x
// CHECK-NEXT:      memref.dealloc %[[BASE]] : memref<f32>
// CHECK-NEXT:      scf.yield %b : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r
func.func @loop(%n: index, %zero: index, %one: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    %b = memref.alloc() : memref<4xf32>
    memref.copy %x, %b : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return %r : memref<4xf32>
}
