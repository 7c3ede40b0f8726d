// The ops that bufferizing a perceptron, slices and structured control flow meets.

#id = affine_map<(d0, d1) -> (d0, d1)>
#lhs = affine_map<(m, n, k) -> (m, k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#out = affine_map<(m, n, k) -> (m, n)>
func.func private @read(tensor<?x?xf32> {bufferization.access = "read"})
func.func @program(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %t: tensor<?x?xf32>,
    %flag: i1, %n: index, %v: f32, %i: i32, %m: memref<4x8xf32>)
    -> (tensor<4x16xf32>, tensor<?x?xf32>) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %dense = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4x16xf32>
  %dynamic = tensor.empty(%n, %n) : tensor<?x?xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x16xf32>)
      -> tensor<4x16xf32>
  %named = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
      outs(%fill : tensor<4x16xf32>) -> tensor<4x16xf32>
  linalg.fill ins(%zero : f32) outs(%m : memref<4x8xf32>)
  %gemm = linalg.generic {indexing_maps = [#lhs, #rhs, #out],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>)
      outs(%named : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %q = arith.addf %z, %p : f32
    linalg.yield %q : f32
  } -> tensor<4x16xf32>
  %relu = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel",
      "parallel"]} outs(%gemm : tensor<4x16xf32>) {
  ^bb0(%x: f32):
    %index = linalg.index 0 : index
    %max = arith.maximumf %x, %zero : f32
    linalg.yield %max : f32
  } -> tensor<4x16xf32>
  %slice = tensor.extract_slice %t[0, %n] [2, %n] [1, 1]
      : tensor<?x?xf32> to tensor<2x?xf32>
  %row = tensor.extract_slice %a[0, 0] [1, 8] [1, 1]
      : tensor<4x8xf32> to tensor<8xf32>
  %written = tensor.insert_slice %slice into %t[0, %n] [2, %n] [1, 1]
      : tensor<2x?xf32> into tensor<?x?xf32>
  %inserted = tensor.insert %v into %written[%n, %n] : tensor<?x?xf32>
  %read = tensor.extract %inserted[%n, %n] : tensor<?x?xf32>
  %cast = tensor.cast %a : tensor<4x8xf32> to tensor<?x?xf32>
  %size = tensor.dim %cast, %c0 : tensor<?x?xf32>
  %select = arith.select %flag, %cast, %inserted : tensor<?x?xf32>
  %for = scf.for %iv = %c0 to %n step %c1 iter_args(%it = %select)
      -> (tensor<?x?xf32>) {
    %next = tensor.insert %v into %it[%iv, %c0] : tensor<?x?xf32>
    %if = scf.if %flag -> (tensor<?x?xf32>) {
      scf.yield %next : tensor<?x?xf32>
    } else {
      scf.yield %it : tensor<?x?xf32>
    }
    scf.yield %if : tensor<?x?xf32>
  } {hint}
  scf.for %iv = %c0 to %n step %c1 {
    memref.store %v, %m[%iv, %iv] : memref<4x8xf32>
  }
  scf.if %flag {
    func.call @read(%for) : (tensor<?x?xf32>) -> ()
  }
  %while:2 = scf.while (%x = %n, %y = %for)
      : (index, tensor<?x?xf32>) -> (index, tensor<?x?xf32>) {
    %less = arith.cmpi slt, %x, %n : index
    scf.condition(%less) %x, %y : index, tensor<?x?xf32>
  } do {
  ^bb0(%x: index, %y: tensor<?x?xf32>):
    %more = arith.addi %x, %c1 : index
    scf.yield %more, %y : index, tensor<?x?xf32>
  }
  %switch = scf.index_switch %n -> index
  case 2 {
    scf.yield %c0 : index
  }
  default {
    scf.yield %c1 : index
  }
  %region = scf.execute_region -> index {
    scf.yield %c0 : index
  }
  %elements = tensor.from_elements %v, %v : tensor<2xf32>
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
  %add = linalg.add ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>)
      outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  %alloc = memref.alloc(%n) {alignment = 64 : i64} : memref<4x?xf32>
  %space = memref.alloc() : memref<4xf32, strided<[1], offset: 0>, 1>
  %stack = memref.alloca() : memref<4xf32>
  %loaded = memref.load %m[%c0, %c1] : memref<4x8xf32>
  %dim = memref.dim %alloc, %c1 : memref<4x?xf32>
  memref.dealloc %alloc : memref<4x?xf32>
  %compare = arith.cmpf ogt, %v, %zero : f32
  %as_index = arith.index_cast %i : i32 to index
  %as_float = arith.sitofp %i : i32 to f32
  %flagged = arith.addi %i, %i overflow<nsw> : i32
  %fast = arith.addf %v, %v fastmath<fast> : f32
  %exp = math.exp %v : f32
  return %relu, %while#1 : tensor<4x16xf32>, tensor<?x?xf32>
}
