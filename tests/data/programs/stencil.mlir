// Heat flow on a plate: explicit Euler steps between two buffers that change roles,
// with the boundary held fixed, and a check whether the plate has settled.

#interior = affine_map<(d0, d1) -> (d0, d1)>
#next = affine_map<(d0) -> (d0 + 1)>

memref.global "private" constant @rates : memref<3xf32> = dense<[1.000000e-01, 2.000000e-01, 1.500000e-01]>

func.func private @largest_change(%old: memref<16x16xf32>, %new: memref<16x16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.000000e+00 : f32
  %largest = scf.parallel (%i, %j) = (%c0, %c0) to (%c16, %c16) step (%c1, %c1) init (%zero) -> f32 {
    %before = memref.load %old[%i, %j] : memref<16x16xf32>
    %after = memref.load %new[%i, %j] : memref<16x16xf32>
    %change = arith.subf %after, %before : f32
    %size = math.absf %change : f32
    scf.reduce(%size : f32) {
    ^bb0(%left: f32, %right: f32):
      %max = arith.maximumf %left, %right : f32
      scf.reduce.return %max : f32
    }
  }
  return %largest : f32
}

func.func private @step(%old: memref<16x16xf32>, %new: memref<16x16xf32>, %rate: f32) {
  %four = arith.constant 4.000000e+00 : f32
  %center = memref.subview %old[1, 1] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 17>>
  %north = memref.subview %old[0, 1] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 1>>
  %south = memref.subview %old[2, 1] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 33>>
  %west = memref.subview %old[1, 0] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 16>>
  %east = memref.subview %old[1, 2] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 18>>
  %target = memref.subview %new[1, 1] [14, 14] [1, 1] : memref<16x16xf32> to memref<14x14xf32, strided<[16, 1], offset: 17>>
  linalg.generic {indexing_maps = [#interior, #interior, #interior, #interior, #interior, #interior], iterator_types = ["parallel", "parallel"]} ins(%center, %north, %south, %west, %east : memref<14x14xf32, strided<[16, 1], offset: 17>>, memref<14x14xf32, strided<[16, 1], offset: 1>>, memref<14x14xf32, strided<[16, 1], offset: 33>>, memref<14x14xf32, strided<[16, 1], offset: 16>>, memref<14x14xf32, strided<[16, 1], offset: 18>>) outs(%target : memref<14x14xf32, strided<[16, 1], offset: 17>>) {
  ^bb0(%c: f32, %n: f32, %s: f32, %w: f32, %e: f32, %out: f32):
    %ns = arith.addf %n, %s : f32
    %we = arith.addf %w, %e : f32
    %around = arith.addf %ns, %we : f32
    %inside = arith.mulf %c, %four : f32
    %flow = arith.subf %around, %inside : f32
    %gain = arith.mulf %flow, %rate : f32
    %sum = arith.addf %c, %gain : f32
    linalg.yield %sum : f32
  }
  return
}

func.func @heat(%plate: memref<16x16xf32>, %steps: index) -> (f32, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %settled = arith.constant 1.000000e-03 : f32
  %zero = arith.constant 0.000000e+00 : f32
  %rates = memref.get_global @rates : memref<3xf32>
  %a = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
  memref.copy %plate, %a : memref<16x16xf32> to memref<16x16xf32>
  memref.copy %plate, %b : memref<16x16xf32> to memref<16x16xf32>
  %r:4 = scf.for %t = %c0 to %steps step %c1 iter_args(%old = %a, %new = %b, %last = %zero, %calm = %c0) -> (memref<16x16xf32>, memref<16x16xf32>, f32, index) {
    %kind = arith.remui %t, %c3 : index
    %rate = memref.load %rates[%kind] : memref<3xf32>
    func.call @step(%old, %new, %rate) : (memref<16x16xf32>, memref<16x16xf32>, f32) -> ()
    %change = func.call @largest_change(%old, %new) : (memref<16x16xf32>, memref<16x16xf32>) -> f32
    %is_calm = arith.cmpf olt, %change, %settled : f32
    %count = scf.if %is_calm -> (index) {
      %more = affine.apply #next(%calm)
      scf.yield %more : index
    } else {
      scf.yield %calm : index
    }
    scf.yield %new, %old, %change, %count : memref<16x16xf32>, memref<16x16xf32>, f32, index
  }
  // The rim keeps its values: the corners of what is left must not have moved.
  %corner = memref.load %r#0[%c0, %c14] : memref<16x16xf32>
  %first = memref.load %plate[%c0, %c14] : memref<16x16xf32>
  %same = arith.cmpf oeq, %corner, %first : f32
  cf.assert %same, "the boundary has moved"
  memref.copy %r#0, %plate : memref<16x16xf32> to memref<16x16xf32>
  memref.dealloc %a : memref<16x16xf32>
  memref.dealloc %b : memref<16x16xf32>
  return %r#2, %r#3 : f32, index
}
