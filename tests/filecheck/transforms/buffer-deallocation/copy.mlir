// RUN: %custom-opt -p "buffer-deallocation{strategy=copy}" --allow-unregistered-dialect %s | filecheck %s

// A copy is an allocation of the same sizes and a linalg.copy into it.
// CHECK-LABEL: func.func @dynamic_type
// CHECK:       ^bb1:
// CHECK-NEXT:    [[ZERO:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[N:%.*]] = memref.dim %in, [[ZERO]]
// CHECK-NEXT:    [[A:%.*]] = memref.alloc([[N]]) : memref<?xf32>
// CHECK-NEXT:    linalg.copy ins(%in : memref<?xf32>) outs([[A]] : memref<?xf32>)
// CHECK-NEXT:    cf.br ^bb3([[A]] :
// CHECK:         [[B:%.*]] = memref.alloc
// CHECK:         "test.use"([[B]])
// CHECK-NEXT:    arith.constant 0 : index
// CHECK-NEXT:    [[M:%.*]] = memref.dim [[B]]
// CHECK-NEXT:    [[C:%.*]] = memref.alloc([[M]]) : memref<?xf32>
// CHECK-NEXT:    linalg.copy ins([[B]] : memref<?xf32>) outs([[C]] : memref<?xf32>)
// CHECK-NEXT:    memref.dealloc [[B]]
// CHECK-NEXT:    cf.br ^bb3([[C]] :
// CHECK-NEXT:  ^bb3([[D:%.*]]: memref<?xf32>):
// CHECK-NEXT:    linalg.copy ins([[D]] : memref<?xf32>) outs(%out : memref<?xf32>)
// CHECK-NEXT:    memref.dealloc [[D]]
// CHECK-NEXT:    return
func.func @dynamic_type(%c: i1, %in: memref<?xf32>, %out: memref<?xf32>, %size: index) {
  cf.cond_br %c, ^bb1, ^bb2(%size : index)
^bb1:
  cf.br ^bb3(%in : memref<?xf32>)
^bb2(%n: index):
  %a = memref.alloc(%n) : memref<?xf32>
  "test.use"(%a) : (memref<?xf32>) -> ()
  cf.br ^bb3(%a : memref<?xf32>)
^bb3(%x: memref<?xf32>):
  linalg.copy ins(%x : memref<?xf32>) outs(%out : memref<?xf32>)
  return
}

// CHECK-LABEL: func.func @region_if
// CHECK:         join([[Z:%.*]]: memref<?x?xf32>) {
// CHECK-NEXT:      arith.constant 0 : index
// CHECK-NEXT:      [[N:%.*]] = memref.dim [[Z]]
// CHECK-NEXT:      arith.constant 1 : index
// CHECK-NEXT:      [[M:%.*]] = memref.dim [[Z]]
// CHECK-NEXT:      [[A:%.*]] = memref.alloc([[N]], [[M]]) : memref<?x?xf32>
// CHECK-NEXT:      linalg.copy ins([[Z]] : memref<?x?xf32>) outs([[A]] : memref<?x?xf32>)
// CHECK-NEXT:      memref.dealloc [[Z]]
// CHECK-NEXT:      custom.region_if_yield [[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    return
func.func @region_if(%n: index, %m: index) -> memref<?x?xf32> {
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

// CHECK-LABEL: func.func @back_edge
// CHECK-NEXT:    [[I:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.copy ins(%in : memref<2xf32>) outs([[I]] : memref<2xf32>)
// CHECK-NEXT:    [[R:%.*]] = scf.for {{.*}} iter_args([[X:%.*]] = [[I]])
// CHECK-NEXT:      memref.dealloc [[X]]
// CHECK-NEXT:      [[N:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      "test.use"([[N]])
// CHECK-NEXT:      [[A:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      linalg.copy ins([[N]] : memref<2xf32>) outs([[A]] : memref<2xf32>)
// CHECK-NEXT:      memref.dealloc [[N]]
// CHECK-NEXT:      scf.yield [[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    linalg.copy ins([[R]] : memref<2xf32>) outs(%out : memref<2xf32>)
// CHECK-NEXT:    memref.dealloc [[R]]
// CHECK-NEXT:    return
func.func @back_edge(
    %l: index, %u: index, %s: index, %in: memref<2xf32>, %out: memref<2xf32>) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %in) -> (memref<2xf32>) {
    %n = memref.alloc() : memref<2xf32>
    "test.use"(%n) : (memref<2xf32>) -> ()
    scf.yield %n : memref<2xf32>
  }
  linalg.copy ins(%r : memref<2xf32>) outs(%out : memref<2xf32>)
  return
}
