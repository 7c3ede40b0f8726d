// RUN: xbuf opt %s | xbuf opt | filecheck %s
// RUN: xbuf opt %s --print-op-generic | xbuf opt | filecheck %s

// CHECK-LABEL: func.func @integers
func.func @integers(%i: i32, %x: index, %v: vector<4xi32>, %t: tensor<?x4xi64>, %s: vector<[4]xi8>) {
  // CHECK-NEXT: %{{.*}} = arith.addi %i, %i : i32
  %0 = arith.addi %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.addi %v, %v overflow<nsw,nuw> : vector<4xi32>
  %1 = arith.addi %v, %v overflow<nsw,nuw> : vector<4xi32>
  // CHECK-NEXT: %{{.*}} = arith.subi %x, %x overflow<nuw> : index
  %2 = arith.subi %x, %x overflow<nuw> : index
  // CHECK-NEXT: %{{.*}} = arith.muli %t, %t overflow<nsw> : tensor<?x4xi64>
  %3 = arith.muli %t, %t overflow<nsw> : tensor<?x4xi64>
  // CHECK-NEXT: %{{.*}} = arith.shli %i, %i overflow<nsw,nuw> : i32
  %4 = arith.shli %i, %i overflow<nsw,nuw> : i32
  // CHECK-NEXT: %{{.*}} = arith.addui_extended %i, %i : i32, i1
  %5, %6 = arith.addui_extended %i, %i : i32, i1
  // CHECK-NEXT: %{{.*}} = arith.addui_extended %v, %v : vector<4xi32>, vector<4xi1>
  %7, %8 = arith.addui_extended %v, %v : vector<4xi32>, vector<4xi1>
  // CHECK-NEXT: %{{.*}} = arith.addui_extended %t, %t : tensor<?x4xi64>, tensor<?x4xi1>
  %9, %10 = arith.addui_extended %t, %t : tensor<?x4xi64>, tensor<?x4xi1>
  // CHECK-NEXT: %{{.*}} = arith.mulsi_extended %i, %i : i32
  %11, %12 = arith.mulsi_extended %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.mului_extended %v, %v : vector<4xi32>
  %13, %14 = arith.mului_extended %v, %v : vector<4xi32>
  // CHECK-NEXT: %{{.*}} = arith.divui %i, %i : i32
  %15 = arith.divui %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.divsi %i, %i : i32
  %16 = arith.divsi %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.ceildivui %i, %i : i32
  %17 = arith.ceildivui %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.ceildivsi %i, %i : i32
  %18 = arith.ceildivsi %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.floordivsi %x, %x : index
  %19 = arith.floordivsi %x, %x : index
  // CHECK-NEXT: %{{.*}} = arith.remui %i, %i : i32
  %20 = arith.remui %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.remsi %s, %s : vector<[4]xi8>
  %21 = arith.remsi %s, %s : vector<[4]xi8>
  // CHECK-NEXT: %{{.*}} = arith.andi %i, %i : i32
  %22 = arith.andi %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.ori %i, %i : i32
  %23 = arith.ori %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.xori %i, %i : i32
  %24 = arith.xori %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.shrui %i, %i : i32
  %25 = arith.shrui %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.shrsi %t, %t : tensor<?x4xi64>
  %26 = arith.shrsi %t, %t : tensor<?x4xi64>
  // CHECK-NEXT: %{{.*}} = arith.maxsi %i, %i : i32
  %27 = arith.maxsi %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.maxui %i, %i : i32
  %28 = arith.maxui %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.minsi %i, %i : i32
  %29 = arith.minsi %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.minui %i, %i : i32
  %30 = arith.minui %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.addi %i, %i {hint = 1 : i32} : i32
  %31 = arith.addi %i, %i {hint = 1 : i32} : i32
  // CHECK-NEXT: %{{.*}} = arith.addi %i, %i overflow<nsw> {hint = 1 : i32} : i32
  %32 = arith.addi %i, %i overflow<nsw> {hint = 1 : i32} : i32
  // CHECK-NEXT: %{{.*}} = arith.divui %v, %v exact : vector<4xi32>
  %33 = arith.divui %v, %v exact : vector<4xi32>
  // CHECK-NEXT: %{{.*}} = arith.divsi %i, %i exact {hint = 1 : i32} : i32
  %34 = arith.divsi %i, %i exact {hint = 1 : i32} : i32
  // CHECK-NEXT: %{{.*}} = arith.shrui %t, %t exact : tensor<?x4xi64>
  %35 = arith.shrui %t, %t exact : tensor<?x4xi64>
  // CHECK-NEXT: %{{.*}} = arith.shrsi %x, %x exact : index
  %36 = arith.shrsi %x, %x exact : index
  return
}

// CHECK-LABEL: func.func @floats
func.func @floats(%a: f32, %h: f16, %b: bf16, %v: vector<2x4xf32>, %t: tensor<?xf64>) {
  // CHECK-NEXT: %{{.*}} = arith.addf %a, %a : f32
  %0 = arith.addf %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.addf %v, %v fastmath<fast> : vector<2x4xf32>
  %1 = arith.addf %v, %v fastmath<fast> : vector<2x4xf32>
  // CHECK-NEXT: %{{.*}} = arith.subf %h, %h fastmath<fast> : f16
  %2 = arith.subf %h, %h fastmath<fast> : f16
  // CHECK-NEXT: %{{.*}} = arith.mulf %b, %b fastmath<contract> : bf16
  %3 = arith.mulf %b, %b fastmath<contract> : bf16
  // CHECK-NEXT: %{{.*}} = arith.divf %t, %t fastmath<arcp> : tensor<?xf64>
  %4 = arith.divf %t, %t fastmath<arcp> : tensor<?xf64>
  // CHECK-NEXT: %{{.*}} = arith.remf %a, %a : f32
  %5 = arith.remf %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.remf %v, %v fastmath<nnan,ninf> : vector<2x4xf32>
  %6 = arith.remf %v, %v fastmath<nnan,ninf> : vector<2x4xf32>
  // CHECK-NEXT: %{{.*}} = arith.negf %a : f32
  %7 = arith.negf %a : f32
  // CHECK-NEXT: %{{.*}} = arith.negf %v fastmath<nsz> : vector<2x4xf32>
  %8 = arith.negf %v fastmath<nsz> : vector<2x4xf32>
  // CHECK-NEXT: %{{.*}} = arith.maximumf %a, %a : f32
  %9 = arith.maximumf %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.minimumf %a, %a fastmath<nnan> : f32
  %10 = arith.minimumf %a, %a fastmath<nnan> : f32
  // CHECK-NEXT: %{{.*}} = arith.maxnumf %a, %a : f32
  %11 = arith.maxnumf %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.minnumf %a, %a : f32
  %12 = arith.minnumf %a, %a : f32
  return
}

// CHECK-LABEL: func.func @comparisons
func.func @comparisons(%i: i32, %x: index, %vi: vector<4xi32>, %ti: tensor<?xi1>, %a: f32, %v: vector<4xf32>, %t: tensor<?xf32>, %s: vector<[4]xf32>, %b: i1, %m: memref<2xf32>) {
  // CHECK-NEXT: %{{.*}} = arith.cmpi eq, %i, %i : i32
  %0 = arith.cmpi eq, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpi ne, %x, %x : index
  %1 = arith.cmpi ne, %x, %x : index
  // CHECK-NEXT: %{{.*}} = arith.cmpi slt, %vi, %vi : vector<4xi32>
  %2 = arith.cmpi slt, %vi, %vi : vector<4xi32>
  // CHECK-NEXT: %{{.*}} = arith.cmpi sle, %ti, %ti : tensor<?xi1>
  %3 = arith.cmpi sle, %ti, %ti : tensor<?xi1>
  // CHECK-NEXT: %{{.*}} = arith.cmpi sgt, %i, %i : i32
  %4 = arith.cmpi sgt, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpi sge, %i, %i : i32
  %5 = arith.cmpi sge, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpi ult, %i, %i : i32
  %6 = arith.cmpi ult, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpi ule, %i, %i : i32
  %7 = arith.cmpi ule, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpi ugt, %i, %i : i32
  %8 = arith.cmpi ugt, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpi uge, %i, %i : i32
  %9 = arith.cmpi uge, %i, %i : i32
  // CHECK-NEXT: %{{.*}} = arith.cmpf false, %a, %a : f32
  %10 = arith.cmpf false, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf oeq, %v, %v : vector<4xf32>
  %11 = arith.cmpf oeq, %v, %v : vector<4xf32>
  // CHECK-NEXT: %{{.*}} = arith.cmpf ogt, %t, %t : tensor<?xf32>
  %12 = arith.cmpf ogt, %t, %t : tensor<?xf32>
  // CHECK-NEXT: %{{.*}} = arith.cmpf oge, %s, %s fastmath<nnan> : vector<[4]xf32>
  %13 = arith.cmpf oge, %s, %s fastmath<nnan> : vector<[4]xf32>
  // CHECK-NEXT: %{{.*}} = arith.cmpf olt, %a, %a : f32
  %14 = arith.cmpf olt, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf ole, %a, %a : f32
  %15 = arith.cmpf ole, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf one, %a, %a : f32
  %16 = arith.cmpf one, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf ord, %a, %a : f32
  %17 = arith.cmpf ord, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf ueq, %a, %a : f32
  %18 = arith.cmpf ueq, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf ugt, %a, %a : f32
  %19 = arith.cmpf ugt, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf uge, %a, %a : f32
  %20 = arith.cmpf uge, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf ult, %a, %a : f32
  %21 = arith.cmpf ult, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf ule, %a, %a : f32
  %22 = arith.cmpf ule, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf une, %a, %a {hint} : f32
  %23 = arith.cmpf une, %a, %a {hint} : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf uno, %a, %a : f32
  %24 = arith.cmpf uno, %a, %a : f32
  // CHECK-NEXT: %{{.*}} = arith.cmpf true, %a, %a fastmath<fast> : f32
  %25 = arith.cmpf true, %a, %a fastmath<fast> : f32
  // CHECK-NEXT: %{{.*}} = arith.select %b, %m, %m : memref<2xf32>
  %26 = arith.select %b, %m, %m : memref<2xf32>
  // CHECK-NEXT: %{{.*}} = arith.select %{{.*}}, %v, %v : vector<4xi1>, vector<4xf32>
  %27 = arith.select %11, %v, %v : vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: %{{.*}} = arith.select %{{.*}}, %t, %t : tensor<?xi1>, tensor<?xf32>
  %28 = arith.select %12, %t, %t : tensor<?xi1>, tensor<?xf32>
  // CHECK-NEXT: %{{.*}} = arith.select %b, %v, %v {hint} : vector<4xf32>
  %29 = arith.select %b, %v, %v {hint} : vector<4xf32>
  // CHECK-NEXT: %{{.*}} = arith.cmpi eq, %i, %i {hint = 1 : i32} : i32
  %30 = arith.cmpi eq, %i, %i {hint = 1 : i32} : i32
  return
}

// CHECK-LABEL: func.func @casts
func.func @casts(%i: i32, %x: index, %vi: vector<4xi32>, %ti: tensor<?xi8>, %a: f32, %d: f64, %v: vector<4xf32>, %t: tensor<?xf64>, %vx: vector<4xindex>, %mi: memref<?xi32>, %h: f8E4M3FN, %e: f8E8M0FNU, %vh: vector<4xf4E2M1FN>, %ve: vector<4xf8E8M0FNU>) {
  // CHECK-NEXT: %{{.*}} = arith.extsi %i : i32 to i64
  %0 = arith.extsi %i : i32 to i64
  // CHECK-NEXT: %{{.*}} = arith.extsi %vi : vector<4xi32> to vector<4xi64>
  %1 = arith.extsi %vi : vector<4xi32> to vector<4xi64>
  // CHECK-NEXT: %{{.*}} = arith.extui %ti : tensor<?xi8> to tensor<?xi32>
  %2 = arith.extui %ti : tensor<?xi8> to tensor<?xi32>
  // CHECK-NEXT: %{{.*}} = arith.trunci %i : i32 to i8
  %3 = arith.trunci %i : i32 to i8
  // CHECK-NEXT: %{{.*}} = arith.trunci %vi overflow<nsw,nuw> : vector<4xi32> to vector<4xi8>
  %4 = arith.trunci %vi overflow<nsw,nuw> : vector<4xi32> to vector<4xi8>
  // CHECK-NEXT: %{{.*}} = arith.extf %a : f32 to f64
  %5 = arith.extf %a : f32 to f64
  // CHECK-NEXT: %{{.*}} = arith.extf %v fastmath<nnan> : vector<4xf32> to vector<4xf64>
  %6 = arith.extf %v fastmath<nnan> : vector<4xf32> to vector<4xf64>
  // CHECK-NEXT: %{{.*}} = arith.truncf %d : f64 to f32
  %7 = arith.truncf %d : f64 to f32
  // CHECK-NEXT: %{{.*}} = arith.truncf %t to_nearest_even : tensor<?xf64> to tensor<?xbf16>
  %8 = arith.truncf %t to_nearest_even : tensor<?xf64> to tensor<?xbf16>
  // CHECK-NEXT: %{{.*}} = arith.truncf %d toward_zero fastmath<fast> : f64 to f32
  %9 = arith.truncf %d toward_zero fastmath<fast> : f64 to f32
  // CHECK-NEXT: %{{.*}} = arith.truncf %d upward : f64 to f32
  %10 = arith.truncf %d upward : f64 to f32
  // CHECK-NEXT: %{{.*}} = arith.truncf %d to_nearest_away : f64 to f32
  %11 = arith.truncf %d to_nearest_away : f64 to f32
  // CHECK-NEXT: %{{.*}} = arith.truncf %d fastmath<nnan> : f64 to f32
  %12 = arith.truncf %d fastmath<nnan> : f64 to f32
  // CHECK-NEXT: %{{.*}} = arith.sitofp %i : i32 to f32
  %13 = arith.sitofp %i : i32 to f32
  // CHECK-NEXT: %{{.*}} = arith.uitofp %vi : vector<4xi32> to vector<4xf16>
  %14 = arith.uitofp %vi : vector<4xi32> to vector<4xf16>
  // CHECK-NEXT: %{{.*}} = arith.fptosi %t : tensor<?xf64> to tensor<?xi16>
  %15 = arith.fptosi %t : tensor<?xf64> to tensor<?xi16>
  // CHECK-NEXT: %{{.*}} = arith.fptoui %a : f32 to i1
  %16 = arith.fptoui %a : f32 to i1
  // CHECK-NEXT: %{{.*}} = arith.index_cast %x : index to i64
  %17 = arith.index_cast %x : index to i64
  // CHECK-NEXT: %{{.*}} = arith.index_cast %vi : vector<4xi32> to vector<4xindex>
  %18 = arith.index_cast %vi : vector<4xi32> to vector<4xindex>
  // CHECK-NEXT: %{{.*}} = arith.index_cast %mi : memref<?xi32> to memref<?xindex>
  %19 = arith.index_cast %mi : memref<?xi32> to memref<?xindex>
  // CHECK-NEXT: %{{.*}} = arith.index_castui %vx : vector<4xindex> to vector<4xi32>
  %20 = arith.index_castui %vx : vector<4xindex> to vector<4xi32>
  // CHECK-NEXT: %{{.*}} = arith.index_castui %x : index to i64
  %21 = arith.index_castui %x : index to i64
  // CHECK-NEXT: %{{.*}} = arith.bitcast %i : i32 to f32
  %22 = arith.bitcast %i : i32 to f32
  // CHECK-NEXT: %{{.*}} = arith.bitcast %v : vector<4xf32> to vector<4xi32>
  %23 = arith.bitcast %v : vector<4xf32> to vector<4xi32>
  // CHECK-NEXT: %{{.*}} = arith.bitcast %mi : memref<?xi32> to memref<?xf32>
  %24 = arith.bitcast %mi : memref<?xi32> to memref<?xf32>
  // CHECK-NEXT: %{{.*}} = arith.scaling_extf %h, %e : f8E4M3FN, f8E8M0FNU to f32
  %25 = arith.scaling_extf %h, %e : f8E4M3FN, f8E8M0FNU to f32
  // CHECK-NEXT: %{{.*}} = arith.scaling_extf %vh, %ve fastmath<nnan> : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xbf16>
  %26 = arith.scaling_extf %vh, %ve fastmath<nnan> : vector<4xf4E2M1FN>, vector<4xf8E8M0FNU> to vector<4xbf16>
  // CHECK-NEXT: %{{.*}} = arith.scaling_truncf %a, %e : f32, f8E8M0FNU to f8E5M2
  %27 = arith.scaling_truncf %a, %e : f32, f8E8M0FNU to f8E5M2
  // CHECK-NEXT: %{{.*}} = arith.scaling_truncf %a, %e toward_zero fastmath<nnan> : f32, f8E8M0FNU to f6E3M2FN
  %28 = arith.scaling_truncf %a, %e toward_zero fastmath<nnan> : f32, f8E8M0FNU to f6E3M2FN
  // CHECK-NEXT: %{{.*}} = arith.truncf %d downward : f64 to f32
  %29 = arith.truncf %d downward : f64 to f32
  return
}

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK-NEXT: %{{.*}} = arith.constant 0 : index
  %0 = arith.constant 0 : index
  // CHECK-NEXT: %{{.*}} = arith.constant -1 : i8
  %1 = arith.constant -1 : i8
  // CHECK-NEXT: %{{.*}} = arith.constant true
  %2 = arith.constant true
  // CHECK-NEXT: %{{.*}} = arith.constant false
  %3 = arith.constant false
  // CHECK-NEXT: %{{.*}} = arith.constant 1.000000e+00 : f32
  %4 = arith.constant 1.000000e+00 : f32
  // CHECK-NEXT: %{{.*}} = arith.constant 0x7F800000 : f32
  %5 = arith.constant 0x7F800000 : f32
  // CHECK-NEXT: %{{.*}} = arith.constant 0xFFC00000 : f32
  %6 = arith.constant 0xFFC00000 : f32
  // CHECK-NEXT: %{{.*}} = arith.constant 0xFF80 : bf16
  %7 = arith.constant 0xFF80 : bf16
  // CHECK-NEXT: %{{.*}} = arith.constant 1.000000e-300 : f64
  %8 = arith.constant 1.000000e-300 : f64
  // CHECK-NEXT: %{{.*}} = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
  %9 = arith.constant dense<0.000000e+00> : tensor<4x4xf32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi64>
  %10 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[16777216, 33554432, 50331648]> : tensor<3xi32>
  %11 = arith.constant dense<[16777216, 33554432, 50331648]> : tensor<3xi32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[true, false]> : vector<2xi1>
  %12 = arith.constant dense<[true, false]> : vector<2xi1>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<0xFF800000> : vector<4xf32>
  %13 = arith.constant dense<0xFF800000> : vector<4xf32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[1.000000e+00, 0x7FC00000, -2.500000e+00]> : tensor<3xf32>
  %14 = arith.constant dense<[1.000000e+00, 0x7FC00000, -2.500000e+00]> : tensor<3xf32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<> : tensor<0xf32>
  %15 = arith.constant dense<> : tensor<0xf32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<7> : vector<[4]xi32>
  %16 = arith.constant dense<7> : vector<[4]xi32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<{{\[\[}}1.000980e-01, 2.001950e-01]]> : vector<1x2xbf16>
  %17 = arith.constant dense<[[1.000980e-01, 2.001950e-01]]> : vector<1x2xbf16>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<-1> : tensor<index>
  %18 = arith.constant dense<-1> : tensor<index>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<[0, 1, 2]> : vector<3xindex>
  %19 = arith.constant dense<[0, 1, 2]> : vector<3xindex>
  // CHECK-NEXT: %{{.*}} = arith.constant {hint} 1 : i64
  %20 = arith.constant {hint} 1 : i64
  // CHECK-NEXT: %{{.*}} = arith.constant -0.000000e+00 : f16
  %21 = arith.constant -0.000000e+00 : f16
  // CHECK-NEXT: %{{.*}} = arith.constant 1.000000e+00 : f16
  %22 = arith.constant 1.000000e+00 : f16
  // CHECK-NEXT: %{{.*}} = arith.constant 1.000000e+00 : f8E4M3FN
  %23 = arith.constant 1.000000e+00 : f8E4M3FN
  // CHECK-NEXT: %{{.*}} = arith.constant dense_resource<weights> : tensor<2x2xf32>
  %24 = arith.constant dense_resource<weights> : tensor<2x2xf32>
  // CHECK-NEXT: %{{.*}} = arith.constant 9223372036854775807 : i64
  %25 = arith.constant 9223372036854775807 : i64
  // CHECK-NEXT: %{{.*}} = arith.constant 255 : i32
  %26 = arith.constant 255 : i32
  // CHECK-NEXT: %{{.*}} = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
  %27 = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi32>
  %28 = arith.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<1.000000e+00> : tensor<2x2xf32>
  %29 = arith.constant dense<1.000000e+00> : tensor<2x2xf32>
  // CHECK-NEXT: %{{.*}} = arith.constant 3.40282347E+38 : f32
  %30 = arith.constant 3.40282347E+38 : f32
  // CHECK-NEXT: %{{.*}} = arith.constant dense<true> : tensor<8xi1>
  %31 = arith.constant dense<true> : tensor<8xi1>
  // CHECK-NEXT: %{{.*}} = arith.constant dense<true> : tensor<8xi1>
  %32 = arith.constant dense<true> : tensor<8xi1>
  return
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F000000400000404000008040"
    }
  }
#-}
