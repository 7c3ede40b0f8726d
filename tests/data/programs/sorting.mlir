// Sorting as a control-flow graph: insertion sort with early exits, and a choice of the
// order by a switch.

func.func private @sort(%a: memref<?xf32>, %n: index, %descending: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^outer(%c1 : index)
^outer(%i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^pick, ^done
^pick:
  %key = memref.load %a[%i] : memref<?xf32>
  cf.br ^inner(%i : index)
^inner(%j: index):
  %left = arith.cmpi ugt, %j, %c0 : index
  cf.cond_br %left, ^compare(%j : index), ^place(%j : index)
^compare(%at: index):
  %before = arith.subi %at, %c1 : index
  %value = memref.load %a[%before] : memref<?xf32>
  %greater = arith.cmpf ogt, %value, %key : f32
  %less = arith.cmpf olt, %value, %key : f32
  %swap = arith.select %descending, %less, %greater : i1
  cf.cond_br %swap, ^shift(%at, %before, %value : index, index, f32), ^place(%at : index)
^shift(%to: index, %from: index, %moved: f32):
  memref.store %moved, %a[%to] : memref<?xf32>
  cf.br ^inner(%from : index)
^place(%free: index):
  memref.store %key, %a[%free] : memref<?xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^outer(%next : index)
^done:
  return
}

func.func private @is_sorted(%a: memref<?xf32>, %n: index) -> i1 {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %r:2 = scf.while (%i = %c1, %ok = %true) : (index, i1) -> (index, i1) {
    %inside = arith.cmpi ult, %i, %n : index
    %go = arith.andi %inside, %ok : i1
    scf.condition(%go) %i, %ok : index, i1
  } do {
  ^bb0(%i: index, %ok: i1):
    %before = arith.subi %i, %c1 : index
    %x = memref.load %a[%before] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    %fine = arith.cmpf ole, %x, %y : f32
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %fine : index, i1
  }
  return %r#1 : i1
}

func.func @sorted(%x: memref<12xf32>, %order: i32) -> (f32, i32) {
  %c0 = arith.constant 0 : index
  %c11 = arith.constant 11 : index
  %n = arith.constant 12 : index
  %true = arith.constant true
  %false = arith.constant false
  %any = memref.cast %x : memref<12xf32> to memref<?xf32>
  cf.switch %order : i32, [
    default: ^nothing,
    0: ^ascend(%false : i1),
    1: ^ascend(%true : i1),
    -1: ^descend
  ]
^nothing:
  %code0 = arith.constant -1 : i32
  %first = memref.load %x[%c0] : memref<12xf32>
  cf.br ^end(%first, %code0 : f32, i32)
^ascend(%twice: i1):
  call @sort(%any, %n, %false) : (memref<?xf32>, index, i1) -> ()
  %ok = call @is_sorted(%any, %n) : (memref<?xf32>, index) -> i1
  cf.assert %ok, "not sorted"
  cf.cond_br %twice, ^descend, ^low
^descend:
  func.call @sort(%any, %n, %true) : (memref<?xf32>, index, i1) -> ()
  %last = memref.load %x[%c11] : memref<12xf32>
  %code1 = arith.constant 1 : i32
  cf.br ^end(%last, %code1 : f32, i32)
^low:
  %lowest = memref.load %x[%c0] : memref<12xf32>
  %code2 = arith.constant 0 : i32
  cf.br ^end(%lowest, %code2 : f32, i32)
^end(%result: f32, %code: i32):
  return %result, %code : f32, i32
}
