// RUN: %custom-opt -p "buffer-deallocation{strategy=copy}" --allow-unregistered-dialect %s | filecheck %s

// The examples of the document of 2020, by the names that they have there.

// A copy is an allocation of the same sizes and a linalg.copy into it.
// CHECK-LABEL: func.func @cond_branch_dynamic_type
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
func.func @cond_branch_dynamic_type(%c: i1, %in: memref<?xf32>, %out: memref<?xf32>, %size: index) {
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

// CHECK-LABEL: func.func @inner_region_control_flow_div
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

// Both allocations are copied for %2, and freed where nothing needs them any more.
// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    [[V0:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    [[V1:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    [[V2:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.copy ins([[V1]] : memref<2xf32>) outs([[V2]] : memref<2xf32>)
// CHECK-NEXT:    memref.dealloc [[V1]] : memref<2xf32>
// CHECK-NEXT:    cf.br ^bb3([[V2]] : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    "test.use"([[V0]]) : (memref<2xf32>) -> ()
// CHECK-NEXT:    [[V3:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.copy ins([[V0]] : memref<2xf32>) outs([[V3]] : memref<2xf32>)
// CHECK-NEXT:    cf.br ^bb3([[V3]] : memref<2xf32>)
// CHECK-NEXT:  ^bb3([[V4:%.*]]: memref<2xf32>):
// CHECK-NEXT:    memref.dealloc [[V0]] : memref<2xf32>
// CHECK-NEXT:    "test.use"([[V4]]) : (memref<2xf32>) -> ()
// CHECK-NEXT:    memref.dealloc [[V4]] : memref<2xf32>
// CHECK-NEXT:    func.return
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

// The allocation comes before all that may become it: no copy.
// CHECK-LABEL: func.func @cond_branch
// CHECK-NEXT:    %a = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.br ^bb3(%in : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    "test.use"(%a) : (memref<2xf32>) -> ()
// CHECK-NEXT:    cf.br ^bb3(%a : memref<2xf32>)
// CHECK-NEXT:  ^bb3(%x: memref<2xf32>):
// CHECK-NEXT:    linalg.copy ins(%x : memref<2xf32>) outs(%out : memref<2xf32>)
// CHECK-NEXT:    memref.dealloc %a : memref<2xf32>
// CHECK-NEXT:    func.return
func.func @cond_branch(%c: i1, %in: memref<2xf32>, %out: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%in : memref<2xf32>)
^bb2:
  "test.use"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  linalg.copy ins(%x : memref<2xf32>) outs(%out : memref<2xf32>)
  return
}

// What is on the stack is nobody's to free.
// CHECK-LABEL: func.func @mixed_allocation
// CHECK-NEXT:    [[V0:%.*]] = memref.alloca() : memref<2xf32>
// CHECK-NEXT:    [[V1:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    "test.use"([[V0]]) : (memref<2xf32>) -> ()
// CHECK-NEXT:    cf.br ^bb3([[V0]] : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    "test.use"([[V1]]) : (memref<2xf32>) -> ()
// CHECK-NEXT:    cf.br ^bb3([[V1]] : memref<2xf32>)
// CHECK-NEXT:  ^bb3([[V2:%.*]]: memref<2xf32>):
// CHECK-NEXT:    "test.use"([[V2]]) : (memref<2xf32>) -> ()
// CHECK-NEXT:    memref.dealloc [[V1]] : memref<2xf32>
// CHECK-NEXT:    func.return
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

// Only a value that is no allocation of its own on every path is copied.
// CHECK-LABEL: func.func @cond_branch_dynamic_type_nested
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2(%size : index)
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    [[V0:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[V1:%.*]] = memref.dim %in, [[V0]] : memref<?xf32>
// CHECK-NEXT:    [[V2:%.*]] = memref.alloc([[V1]]) : memref<?xf32>
// CHECK-NEXT:    linalg.copy ins(%in : memref<?xf32>) outs([[V2]] : memref<?xf32>)
// CHECK-NEXT:    cf.br ^bb6([[V2]] : memref<?xf32>)
// CHECK-NEXT:  ^bb2(%n: index):
// CHECK-NEXT:    [[V3:%.*]] = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:    "test.use"([[V3]]) : (memref<?xf32>) -> ()
// CHECK-NEXT:    cf.cond_br %c, ^bb3, ^bb4
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    cf.br ^bb5([[V3]] : memref<?xf32>)
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    cf.br ^bb5([[V3]] : memref<?xf32>)
// CHECK-NEXT:  ^bb5([[V4:%.*]]: memref<?xf32>):
// CHECK-NEXT:    [[V5:%.*]] = arith.constant 0 : index
// CHECK-NEXT:    [[V6:%.*]] = memref.dim [[V4]], [[V5]] : memref<?xf32>
// CHECK-NEXT:    [[V7:%.*]] = memref.alloc([[V6]]) : memref<?xf32>
// CHECK-NEXT:    linalg.copy ins([[V4]] : memref<?xf32>) outs([[V7]] : memref<?xf32>)
// CHECK-NEXT:    memref.dealloc [[V3]] : memref<?xf32>
// CHECK-NEXT:    cf.br ^bb6([[V7]] : memref<?xf32>)
// CHECK-NEXT:  ^bb6([[V8:%.*]]: memref<?xf32>):
// CHECK-NEXT:    cf.br ^bb7([[V8]] : memref<?xf32>)
// CHECK-NEXT:  ^bb7([[V9:%.*]]: memref<?xf32>):
// CHECK-NEXT:    linalg.copy ins([[V9]] : memref<?xf32>) outs(%out : memref<?xf32>)
// CHECK-NEXT:    memref.dealloc [[V8]] : memref<?xf32>
// CHECK-NEXT:    func.return
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
  linalg.copy ins(%4 : memref<?xf32>) outs(%out : memref<?xf32>)
  return
}

// All that the op passes around is one allocation.
// CHECK-LABEL: func.func @inner_region_control_flow
// CHECK-NEXT:    %a = memref.alloc(%n, %n) : memref<?x?xf32>
// CHECK-NEXT:    %r = custom.region_if %a : memref<?x?xf32> -> (memref<?x?xf32>) then(%x: memref<?x?xf32>) {
// CHECK-NEXT:      custom.region_if_yield %x : memref<?x?xf32>
// CHECK-NEXT:    } else(%y: memref<?x?xf32>) {
// CHECK-NEXT:      custom.region_if_yield %y : memref<?x?xf32>
// CHECK-NEXT:    } join(%z: memref<?x?xf32>) {
// CHECK-NEXT:      custom.region_if_yield %z : memref<?x?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?x?xf32>
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

// What stays in a branch is freed in it.
// CHECK-LABEL: func.func @nested_region_control_flow
// CHECK-NEXT:    %c = arith.cmpi eq, %n, %m : index
// CHECK-NEXT:    %a = memref.alloc(%n, %n) : memref<?x?xf32>
// CHECK-NEXT:    %r = scf.if %c -> (memref<?x?xf32>) {
// CHECK-NEXT:      scf.yield %a : memref<?x?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %b = memref.alloc(%n, %m) : memref<?x?xf32>
// CHECK-NEXT:      "test.use"(%b) : (memref<?x?xf32>) -> ()
// CHECK-NEXT:      memref.dealloc %b : memref<?x?xf32>
// CHECK-NEXT:      scf.yield %a : memref<?x?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?x?xf32>
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

// Each iteration frees the buffer of the iteration before.
// CHECK-LABEL: func.func @loop_nested_if
// CHECK-NEXT:    [[V0:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.copy ins(%in : memref<2xf32>) outs([[V0]] : memref<2xf32>)
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%x = [[V0]]) -> (memref<2xf32>) {
// CHECK-NEXT:      %c = arith.cmpi eq, %i, %u : index
// CHECK-NEXT:      %y = scf.if %c -> (memref<2xf32>) {
// CHECK-NEXT:        %n = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "test.use"(%n) : (memref<2xf32>) -> ()
// CHECK-NEXT:        [[V1:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        linalg.copy ins(%n : memref<2xf32>) outs([[V1]] : memref<2xf32>)
// CHECK-NEXT:        memref.dealloc %n : memref<2xf32>
// CHECK-NEXT:        scf.yield [[V1]] : memref<2xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        [[V2:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        linalg.copy ins(%x : memref<2xf32>) outs([[V2]] : memref<2xf32>)
// CHECK-NEXT:        scf.yield [[V2]] : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc %x : memref<2xf32>
// CHECK-NEXT:      [[V3:%.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      linalg.copy ins(%y : memref<2xf32>) outs([[V3]] : memref<2xf32>)
// CHECK-NEXT:      memref.dealloc %y : memref<2xf32>
// CHECK-NEXT:      scf.yield [[V3]] : memref<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    linalg.copy ins(%r : memref<2xf32>) outs(%out : memref<2xf32>)
// CHECK-NEXT:    memref.dealloc %r : memref<2xf32>
// CHECK-NEXT:    func.return
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
  linalg.copy ins(%r : memref<2xf32>) outs(%out : memref<2xf32>)
  return
}

// linalg needs to know the rank.
// CHECK-LABEL: func.func @unranked
// CHECK:         [[U:%.*]] = memref.reshape
// CHECK-NEXT:    memref.copy %in, [[U]] : memref<*xf32> to memref<*xf32>
// CHECK-NEXT:    func.return [[U]]
func.func @unranked(%in: memref<*xf32>) -> memref<*xf32> {
  return %in : memref<*xf32>
}
