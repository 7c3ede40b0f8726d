// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @memory
func.func @memory(%m: memref<?x?xf32>, %t: tensor<?x?xf32>, %x: index, %f: f32, %mask: vector<4xi1>, %v: vector<4xf32>, %v2: vector<4x8xf32>, %idx: vector<4xi32>, %mv: memref<4xvector<8xf32>>, %vv: vector<8xf32>, %m2: vector<4x8xi1>, %m0: memref<f32>, %v0: vector<f32>, %m1: memref<?xf32>, %b: i1, %m3: memref<4x8xf32>) {
  // CHECK-NEXT: %{{.*}} = vector.load %m[%x, %x] : memref<?x?xf32>, vector<4xf32>
  %0 = vector.load %m[%x, %x] : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.load %m[%x, %x] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  %1 = vector.load %m[%x, %x] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: vector.store %{{.*}}, %m[%x, %x] : memref<?x?xf32>, vector<4xf32>
  vector.store %0, %m[%x, %x] : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: vector.store %{{.*}}, %m[%x, %x] {alignment = 16 : i64, nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  vector.store %0, %m[%x, %x] {alignment = 16 : i64, nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.load %mv[%x] : memref<4xvector<8xf32>>, vector<8xf32>
  %2 = vector.load %mv[%x] : memref<4xvector<8xf32>>, vector<8xf32>
  // CHECK-NEXT: %{{.*}} = vector.maskedload %m[%x, %x], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %3 = vector.maskedload %m[%x, %x], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: vector.maskedstore %m[%x, %x], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  vector.maskedstore %m[%x, %x], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_read %m[%x, %x], %f : memref<?x?xf32>, vector<4xf32>
  %4 = vector.transfer_read %m[%x, %x], %f : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_read %m[%x, %x], %f {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  %5 = vector.transfer_read %m[%x, %x], %f {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_read %t[%x, %x], %f {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<4x8xf32>
  %6 = vector.transfer_read %t[%x, %x], %f {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : tensor<?x?xf32>, vector<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_read %t[%x, %x], %f {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d0)>} : tensor<?x?xf32>, vector<4x8xf32>
  %7 = vector.transfer_read %t[%x, %x], %f {in_bounds = [true, false], permutation_map = affine_map<(d0, d1) -> (0, d0)>} : tensor<?x?xf32>, vector<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_read %m[%x, %x], %f, %mask : memref<?x?xf32>, vector<4xf32>
  %8 = vector.transfer_read %m[%x, %x], %f, %mask : memref<?x?xf32>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_read %m0[], %f : memref<f32>, vector<f32>
  %9 = vector.transfer_read %m0[], %f : memref<f32>, vector<f32>
  // CHECK-NEXT: vector.transfer_write %v, %m[%x, %x] : vector<4xf32>, memref<?x?xf32>
  vector.transfer_write %v, %m[%x, %x] : vector<4xf32>, memref<?x?xf32>
  // CHECK-NEXT: vector.transfer_write %v, %m[%x, %x], %mask {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
  vector.transfer_write %v, %m[%x, %x], %mask {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
  // CHECK-NEXT: %{{.*}} = vector.transfer_write %v2, %t[%x, %x] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, tensor<?x?xf32>
  %10 = vector.transfer_write %v2, %t[%x, %x] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<4x8xf32>, tensor<?x?xf32>
  // CHECK-NEXT: vector.transfer_write %v0, %m0[] : vector<f32>, memref<f32>
  vector.transfer_write %v0, %m0[] : vector<f32>, memref<f32>
  // CHECK-NEXT: %{{.*}} = vector.gather %m[%x, %x] [%idx], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %11 = vector.gather %m[%x, %x] [%idx], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.gather %t[%x, %x] [%idx], %mask, %v {alignment = 8 : i64} : tensor<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %12 = vector.gather %t[%x, %x] [%idx], %mask, %v {alignment = 8 : i64} : tensor<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: vector.scatter %m[%x, %x] [%idx], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  vector.scatter %m[%x, %x] [%idx], %mask, %v : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.scatter %t[%x, %x] [%idx], %mask, %v : tensor<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<?x?xf32>
  %13 = vector.scatter %t[%x, %x] [%idx], %mask, %v : tensor<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> -> tensor<?x?xf32>
  // CHECK-NEXT: %{{.*}} = vector.expandload %m1[%x], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  %14 = vector.expandload %m1[%x], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  // CHECK-NEXT: vector.compressstore %m1[%x], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  vector.compressstore %m1[%x], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.mask %mask { vector.transfer_read %m[%x, %x], %f : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %15 = vector.mask %mask { vector.transfer_read %m[%x, %x], %f : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  // CHECK-NEXT: vector.mask %mask { vector.transfer_write %v, %m[%x, %x] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  vector.mask %mask { vector.transfer_write %v, %m[%x, %x] : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  // CHECK-NEXT: %{{.*}} = vector.mask %mask { vector.transfer_write %v, %t[%x, %x] : vector<4xf32>, tensor<?x?xf32> } : vector<4xi1> -> tensor<?x?xf32>
  %16 = vector.mask %mask { vector.transfer_write %v, %t[%x, %x] : vector<4xf32>, tensor<?x?xf32> } : vector<4xi1> -> tensor<?x?xf32>
  // CHECK-NEXT: %{{.*}} = vector.type_cast %m3 : memref<4x8xf32> to memref<vector<4x8xf32>>
  %17 = vector.type_cast %m3 : memref<4x8xf32> to memref<vector<4x8xf32>>
  // CHECK-NEXT: %[[ROWS:.*]] = vector.type_cast %m3 : memref<4x8xf32> to memref<4xvector<8xf32>>
  %rows = vector.type_cast %m3 : memref<4x8xf32> to memref<4xvector<8xf32>>
  // CHECK-NEXT: %[[WHOLE:.*]] = vector.type_cast %[[ROWS]] : memref<4xvector<8xf32>> to memref<vector<4x8xf32>>
  %whole = vector.type_cast %rows : memref<4xvector<8xf32>> to memref<vector<4x8xf32>>
  // CHECK-NEXT: vector.type_cast %[[WHOLE]] : memref<vector<4x8xf32>> to memref<4x8xf32>
  %scalars = vector.type_cast %whole : memref<vector<4x8xf32>> to memref<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.mask %mask { vector.reduction <add>, %v, %f : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %18 = vector.mask %mask { vector.reduction <add>, %v, %f : vector<4xf32> into f32 } : vector<4xi1> -> f32
  // CHECK-NEXT: vector.mask %mask { vector.yield } : vector<4xi1>
  vector.mask %mask { vector.yield } : vector<4xi1>
  // CHECK-NEXT: %{{.*}} = vector.mask %mask { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  %19 = vector.mask %mask { vector.yield %v : vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  return
}

// CHECK-LABEL: func.func @compute
func.func @compute(%f: f32, %x: index, %v: vector<4xf32>, %v0: vector<f32>, %v2: vector<4x8xf32>, %v3: vector<2x4x8xf32>, %vi: vector<4xi32>, %s: vector<[4]xf32>, %b: vector<8x2xf32>, %c: vector<4x2xf32>, %w: vector<8xf32>, %mk: vector<4x2x8xi1>, %mo: vector<4x8xi1>) {
  // CHECK-NEXT: %{{.*}} = vector.broadcast %f : f32 to vector<4xf32>
  %0 = vector.broadcast %f : f32 to vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.broadcast %v : vector<4xf32> to vector<3x4xf32>
  %1 = vector.broadcast %v : vector<4xf32> to vector<3x4xf32>
  // CHECK-NEXT: %{{.*}} = vector.fma %v, %v, %v : vector<4xf32>
  %2 = vector.fma %v, %v, %v : vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.reduction <add>, %v : vector<4xf32> into f32
  %3 = vector.reduction <add>, %v : vector<4xf32> into f32
  // CHECK-NEXT: %{{.*}} = vector.reduction <mul>, %v, %f : vector<4xf32> into f32
  %4 = vector.reduction <mul>, %v, %f : vector<4xf32> into f32
  // CHECK-NEXT: %{{.*}} = vector.reduction <maximumf>, %v fastmath<nnan> : vector<4xf32> into f32
  %5 = vector.reduction <maximumf>, %v fastmath<nnan> : vector<4xf32> into f32
  // CHECK-NEXT: %{{.*}} = vector.reduction <xor>, %vi : vector<4xi32> into i32
  %6 = vector.reduction <xor>, %vi : vector<4xi32> into i32
  // CHECK-NEXT: %{{.*}} = vector.multi_reduction <add>, %v2, %v [1] : vector<4x8xf32> to vector<4xf32>
  %7 = vector.multi_reduction <add>, %v2, %v [1] : vector<4x8xf32> to vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.multi_reduction <maxnumf>, %v2, %f [0, 1] : vector<4x8xf32> to f32
  %8 = vector.multi_reduction <maxnumf>, %v2, %f [0, 1] : vector<4x8xf32> to f32
  // CHECK-NEXT: %{{.*}} = vector.extract %v[1] : f32 from vector<4xf32>
  %9 = vector.extract %v[1] : f32 from vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.extract %v2[2] : vector<8xf32> from vector<4x8xf32>
  %10 = vector.extract %v2[2] : vector<8xf32> from vector<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.extract %v2[%x, 3] : f32 from vector<4x8xf32>
  %11 = vector.extract %v2[%x, 3] : f32 from vector<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.extract %v0[] : f32 from vector<f32>
  %12 = vector.extract %v0[] : f32 from vector<f32>
  // CHECK-NEXT: %{{.*}} = vector.insert %f, %v [2] : f32 into vector<4xf32>
  %13 = vector.insert %f, %v [2] : f32 into vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.insert %w, %v2 [%x] : vector<8xf32> into vector<4x8xf32>
  %14 = vector.insert %w, %v2 [%x] : vector<8xf32> into vector<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.insert %f, %v0 [] : f32 into vector<f32>
  %15 = vector.insert %f, %v0 [] : f32 into vector<f32>
  // CHECK-NEXT: %{{.*}} = vector.shape_cast %v2 : vector<4x8xf32> to vector<32xf32>
  %16 = vector.shape_cast %v2 : vector<4x8xf32> to vector<32xf32>
  // CHECK-NEXT: %{{.*}} = vector.transpose %v2, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  %17 = vector.transpose %v2, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  // CHECK-NEXT: %{{.*}} = vector.shuffle %v, %v [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  %18 = vector.shuffle %v, %v [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.extract_strided_slice %v2 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  %19 = vector.extract_strided_slice %v2 {offsets = [1], sizes = [2], strides = [1]} : vector<4x8xf32> to vector<2x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.insert_strided_slice %v, %v2 {offsets = [1, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  %20 = vector.insert_strided_slice %v, %v2 {offsets = [1, 2], strides = [1]} : vector<4xf32> into vector<4x8xf32>
  // CHECK-NEXT: %{{.*}} = vector.outerproduct %v, %w : vector<4xf32>, vector<8xf32>
  %21 = vector.outerproduct %v, %w : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: %{{.*}} = vector.outerproduct %v, %w, %v2 {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
  %22 = vector.outerproduct %v, %w, %v2 {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: %{{.*}} = vector.outerproduct %v, %w, %v2 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<8xf32>
  %23 = vector.outerproduct %v, %w, %v2 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<8xf32>
  // CHECK-NEXT: %{{.*}} = vector.outerproduct %v, %f : vector<4xf32>, f32
  %24 = vector.outerproduct %v, %f : vector<4xf32>, f32
  // CHECK-NEXT: %{{.*}} = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v2, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  %25 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v2, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  // CHECK-NEXT: %{{.*}} = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  %26 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxnumf>} %v, %v, %f : vector<4xf32>, vector<4xf32> into f32
  // CHECK-NEXT: %{{.*}} = vector.bitcast %v : vector<4xf32> to vector<8xf16>
  %27 = vector.bitcast %v : vector<4xf32> to vector<8xf16>
  // CHECK-NEXT: %{{.*}} = vector.create_mask %x : vector<4xi1>
  %28 = vector.create_mask %x : vector<4xi1>
  // CHECK-NEXT: %{{.*}} = vector.create_mask %x, %x : vector<4x[4]xi1>
  %29 = vector.create_mask %x, %x : vector<4x[4]xi1>
  // CHECK-NEXT: %{{.*}} = vector.constant_mask [2] : vector<4xi1>
  %30 = vector.constant_mask [2] : vector<4xi1>
  // CHECK-NEXT: %{{.*}} = vector.constant_mask [2, 3] : vector<4x8xi1>
  %31 = vector.constant_mask [2, 3] : vector<4x8xi1>
  // CHECK-NEXT: %{{.*}} = vector.step : vector<4xindex>
  %32 = vector.step : vector<4xindex>
  // CHECK-NEXT: %{{.*}} = vector.vscale
  %33 = vector.vscale
  // CHECK-NEXT: %{{.*}} = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %34 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  // CHECK-NEXT: %{{.*}} = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %35, %36 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  // CHECK-NEXT: %{{.*}} = vector.from_elements %f, %f : vector<2xf32>
  %37 = vector.from_elements %f, %f : vector<2xf32>
  // CHECK-NEXT: %{{.*}} = vector.to_elements %v : vector<4xf32>
  %38, %39, %40, %41 = vector.to_elements %v : vector<4xf32>
  // CHECK-NEXT: %{{.*}} = vector.scan <add>, %v2, %w {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
  %42, %43 = vector.scan <add>, %v2, %w {inclusive = true, reduction_dim = 0 : i64} : vector<4x8xf32>, vector<8xf32>
  // CHECK-NEXT: %{{.*}} = vector.scalable.insert %v, %s[0] : vector<4xf32> into vector<[4]xf32>
  %44 = vector.scalable.insert %v, %s[0] : vector<4xf32> into vector<[4]xf32>
  // CHECK-NEXT: %{{.*}} = vector.scalable.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  %45 = vector.scalable.extract %s[0] : vector<4xf32> from vector<[4]xf32>
  // CHECK-NEXT: vector.print %v : vector<4xf32>
  vector.print %v : vector<4xf32>
  // CHECK-NEXT: vector.print str "hello"
  vector.print str "hello"
  // CHECK-NEXT: vector.print
  vector.print
  // CHECK-NEXT: vector.print %f : f32 punctuation <comma>
  vector.print %f : f32 punctuation <comma>
  // CHECK-NEXT: vector.print %f : f32 punctuation <no_punctuation>
  vector.print %f : f32 punctuation <no_punctuation>
  // CHECK-NEXT: %{{.*}} = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v2, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  %46 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v2, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32>
  // CHECK-NEXT: %{{.*}} = vector.mask %mk { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v2, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32> } : vector<4x2x8xi1> -> vector<4x2xf32>
  %47 = vector.mask %mk { vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %v2, %b, %c : vector<4x8xf32>, vector<8x2xf32> into vector<4x2xf32> } : vector<4x2x8xi1> -> vector<4x2xf32>
  return
}

// Elements of a buffer that are vectors may have other scalars than the result.

// CHECK-LABEL: @bits_of_indices
func.func @bits_of_indices(%v: vector<2xindex>, %v0: vector<i64>, %v2: vector<2x4xi32>, %s: vector<[2]xindex>) {
  // CHECK-NEXT: %{{.*}} = vector.bitcast %v : vector<2xindex> to vector<4xi32>
  %0 = vector.bitcast %v : vector<2xindex> to vector<4xi32>
  // CHECK-NEXT: %{{.*}} = vector.bitcast %v0 : vector<i64> to vector<index>
  %1 = vector.bitcast %v0 : vector<i64> to vector<index>
  // CHECK-NEXT: %{{.*}} = vector.bitcast %v2 : vector<2x4xi32> to vector<2x2xindex>
  %2 = vector.bitcast %v2 : vector<2x4xi32> to vector<2x2xindex>
  // CHECK-NEXT: %{{.*}} = vector.bitcast %s : vector<[2]xindex> to vector<[2]xf64>
  %3 = vector.bitcast %s : vector<[2]xindex> to vector<[2]xf64>
  // CHECK-NEXT: %{{.*}} = vector.interleave %v0, %v0 : vector<i64> -> vector<2xi64>
  %4 = vector.interleave %v0, %v0 : vector<i64> -> vector<2xi64>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = vector.deinterleave %v : vector<2xindex> -> vector<1xindex>
  %5, %6 = vector.deinterleave %v : vector<2xindex> -> vector<1xindex>
  return
}

// CHECK-LABEL: @other_scalars
func.func @other_scalars(%m: memref<?xvector<4x3xi32>>, %n: memref<?xvector<3xindex>>, %i: index, %p: vector<4x3xi32>, %q: vector<3xindex>) {
  // CHECK-NEXT: vector.transfer_read %m[%i], %p : memref<?xvector<4x3xi32>>, vector<5x24xi8>
  %0 = vector.transfer_read %m[%i], %p : memref<?xvector<4x3xi32>>, vector<5x24xi8>
  // CHECK-NEXT: vector.transfer_read %n[%i], %q : memref<?xvector<3xindex>>, vector<5x48xi8>
  %1 = vector.transfer_read %n[%i], %q {permutation_map = affine_map<(d0) -> (d0)>} : memref<?xvector<3xindex>>, vector<5x48xi8>
  return
}

// A layout that is written as a map may have a unit stride, too.

// CHECK-LABEL: @layout_of_a_map
func.func @layout_of_a_map(%m: memref<3x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + s0 + d1)>>, %i: index) {
  // CHECK-NEXT: [[V:%.*]] = vector.load %m[%i, %i]
  %0 = vector.load %m[%i, %i] : memref<3x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + s0 + d1)>>, vector<4xf32>
  // CHECK-NEXT: vector.store [[V]], %m[%i, %i]
  vector.store %0, %m[%i, %i] : memref<3x8xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + s0 + d1)>>, vector<4xf32>
  return
}
