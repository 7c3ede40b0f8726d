// Values are counted into bins; then, walking up, the bin that holds the median.

func.func private @bin_of(%value: f32, %bins: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %lowest = arith.constant -4.000000e+00 : f32
  %width = arith.constant 1.000000e+00 : f32
  %last = arith.subi %bins, %c1 : index
  %moved = arith.subf %value, %lowest : f32
  %scaled = arith.divf %moved, %width : f32
  %floor = math.floor %scaled : f32
  %int = arith.fptosi %floor : f32 to i32
  %at = arith.index_cast %int : i32 to index
  %low = arith.maxsi %at, %c0 : index
  %bin = arith.minsi %low, %last : index
  return %bin : index
}

func.func private @count(%values: tensor<?xf32>, %bins: tensor<?xi32>) -> tensor<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %n = tensor.dim %values, %c0 : tensor<?xf32>
  %size = tensor.dim %bins, %c0 : tensor<?xi32>
  %counted = scf.for %i = %c0 to %n step %c1 iter_args(%all = %bins) -> (tensor<?xi32>) {
    %value = tensor.extract %values[%i] : tensor<?xf32>
    %bin = func.call @bin_of(%value, %size) : (f32, index) -> index
    %before = tensor.extract %all[%bin] : tensor<?xi32>
    %after = arith.addi %before, %one : i32
    %next = tensor.insert %after into %all[%bin] : tensor<?xi32>
    scf.yield %next : tensor<?xi32>
  }
  return %counted : tensor<?xi32>
}

func.func private @median_bin(%bins: tensor<?xi32>, %half: i32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %size = tensor.dim %bins, %c0 : tensor<?xi32>
  %found:2 = scf.while (%at = %c0, %sum = %none) : (index, i32) -> (index, i32) {
    %inside = arith.cmpi ult, %at, %size : index
    %go_on = scf.if %inside -> (i1) {
      %here = tensor.extract %bins[%at] : tensor<?xi32>
      %with = arith.addi %sum, %here : i32
      %below = arith.cmpi slt, %with, %half : i32
      scf.yield %below : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    scf.condition(%go_on) %at, %sum : index, i32
  } do {
  ^bb0(%at: index, %sum: i32):
    %here = tensor.extract %bins[%at] : tensor<?xi32>
    %more = arith.addi %sum, %here : i32
    %next = arith.addi %at, %c1 : index
    scf.yield %next, %more : index, i32
  }
  return %found#0 : index
}

func.func @histogram(%values: tensor<100xf32>) -> (tensor<8xi32>, index, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %none = arith.constant 0 : i32
  %half = arith.constant 50 : i32
  %hundred = arith.constant 1.000000e+02 : f32
  %empty = tensor.empty(%c8) : tensor<?xi32>
  %bins = linalg.fill ins(%none : i32) outs(%empty : tensor<?xi32>) -> tensor<?xi32>
  %any = tensor.cast %values : tensor<100xf32> to tensor<?xf32>
  %counted = call @count(%any, %bins) : (tensor<?xf32>, tensor<?xi32>) -> tensor<?xi32>
  %median = call @median_bin(%counted, %half) : (tensor<?xi32>, i32) -> index
  %counts = tensor.cast %counted : tensor<?xi32> to tensor<8xi32>
  %floats = tensor.empty() : tensor<8xf32>
  %shares = linalg.map ins(%counts : tensor<8xi32>) outs(%floats : tensor<8xf32>)
    (%count: i32, %out: f32) {
      %float = arith.sitofp %count : i32 to f32
      %share = arith.divf %float, %hundred : f32
      linalg.yield %share : f32
    }
  return %counts, %median, %shares : tensor<8xi32>, index, tensor<8xf32>
}
