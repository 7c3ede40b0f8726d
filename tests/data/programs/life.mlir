// Conway's game of life on a torus of bytes, with the rule chosen by number, and a count
// of the living in each quarter.

#quarter = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#corner = affine_map<(d0, d1, d2, d3) -> (d0, d2)>

func.func private @wrap(%i: index, %n: index) -> index {
  %sum = arith.addi %i, %n : index
  %r = arith.remui %sum, %n : index
  return %r : index
}

func.func private @neighbours(%board: tensor<8x8xi8>, %i: index, %j: index) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i8
  %r = scf.for %di = %c0 to %c3 step %c1 iter_args(%outer = %none) -> (i8) {
    %row = scf.for %dj = %c0 to %c3 step %c1 iter_args(%inner = %outer) -> (i8) {
      %oi = arith.cmpi eq, %di, %c1 : index
      %oj = arith.cmpi eq, %dj, %c1 : index
      %self = arith.andi %oi, %oj : i1
      %count = scf.if %self -> (i8) {
        scf.yield %inner : i8
      } else {
        %up = arith.addi %i, %di : index
        %left = arith.addi %j, %dj : index
        %y0 = arith.subi %up, %c1 : index
        %x0 = arith.subi %left, %c1 : index
        %y = func.call @wrap(%y0, %c8) : (index, index) -> index
        %x = func.call @wrap(%x0, %c8) : (index, index) -> index
        %cell = tensor.extract %board[%y, %x] : tensor<8x8xi8>
        %more = arith.addi %inner, %cell : i8
        scf.yield %more : i8
      }
      scf.yield %count : i8
    }
    scf.yield %row : i8
  }
  return %r : i8
}

func.func private @fate(%alive: i8, %around: i8, %rule: index) -> i8 {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %two = arith.constant 2 : i8
  %three = arith.constant 3 : i8
  %six = arith.constant 6 : i8
  %lives = arith.cmpi ne, %alive, %zero : i8
  %has2 = arith.cmpi eq, %around, %two : i8
  %has3 = arith.cmpi eq, %around, %three : i8
  %has6 = arith.cmpi eq, %around, %six : i8
  %result = scf.index_switch %rule -> i1
  case 0 {
    %stays = arith.andi %lives, %has2 : i1
    %yes = arith.ori %stays, %has3 : i1
    scf.yield %yes : i1
  }
  case 1 {
    %born = arith.ori %has3, %has6 : i1
    %stays = arith.ori %has2, %has3 : i1
    %yes = arith.select %lives, %stays, %born : i1
    scf.yield %yes : i1
  }
  default {
    scf.yield %lives : i1
  }
  %r = arith.select %result, %one, %zero : i8
  return %r : i8
}

func.func private @generation(%board: tensor<8x8xi8>, %rule: index) -> tensor<8x8xi8> {
  %new = tensor.generate {
  ^bb0(%i: index, %j: index):
    %alive = tensor.extract %board[%i, %j] : tensor<8x8xi8>
    %around = func.call @neighbours(%board, %i, %j) : (tensor<8x8xi8>, index, index) -> i8
    %next = func.call @fate(%alive, %around, %rule) : (i8, i8, index) -> i8
    tensor.yield %next : i8
  } : tensor<8x8xi8>
  return %new : tensor<8x8xi8>
}

func.func @life(%seeds: tensor<8x8xi8>) -> (tensor<8x8xi8>, tensor<2x2xi32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1 : i8
  %none = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x8xi8>
  // Whatever the numbers given, a cell is dead or alive.
  %start = linalg.map ins(%seeds : tensor<8x8xi8>) outs(%empty : tensor<8x8xi8>)
    (%seed: i8, %out: i8) {
      %bit = arith.andi %seed, %one : i8
      linalg.yield %bit : i8
    }
  %end = scf.for %t = %c0 to %c4 step %c1 iter_args(%board = %start) -> (tensor<8x8xi8>) {
    %rule = arith.remui %t, %c2 : index
    %next = func.call @generation(%board, %rule) : (tensor<8x8xi8>, index) -> tensor<8x8xi8>
    scf.yield %next : tensor<8x8xi8>
  }
  %split = tensor.expand_shape %end [[0, 1], [2, 3]] output_shape [2, 4, 2, 4] : tensor<8x8xi8> into tensor<2x4x2x4xi8>
  %quarters = tensor.empty() : tensor<2x2xi32>
  %zeros = linalg.fill ins(%none : i32) outs(%quarters : tensor<2x2xi32>) -> tensor<2x2xi32>
  %counts = linalg.generic {indexing_maps = [#quarter, #corner], iterator_types = ["parallel", "reduction", "parallel", "reduction"]} ins(%split : tensor<2x4x2x4xi8>) outs(%zeros : tensor<2x2xi32>) {
  ^bb0(%cell: i8, %acc: i32):
    %wide = arith.extui %cell : i8 to i32
    %sum = arith.addi %wide, %acc : i32
    linalg.yield %sum : i32
  } -> tensor<2x2xi32>
  %total0 = tensor.empty() : tensor<i32>
  %total1 = linalg.fill ins(%none : i32) outs(%total0 : tensor<i32>) -> tensor<i32>
  %total2 = linalg.reduce { arith.addi } ins(%counts : tensor<2x2xi32>) outs(%total1 : tensor<i32>) dimensions = [0, 1]
  %total = tensor.extract %total2[] : tensor<i32>
  return %end, %counts, %total : tensor<8x8xi8>, tensor<2x2xi32>, i32
}
