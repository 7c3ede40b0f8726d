// RUN: xdsl-opt %s --split-input-file --parsing-diagnostics | filecheck %s

// CHECK: expected an array 'indexing_maps'
linalg.generic {iterator_types = ["parallel"]} {}

// -----

// CHECK: expected an array 'iterator_types'
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>]} {}

// -----

// CHECK: 'sideways' is not a valid IteratorType
linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["sideways"]} {}

// -----

// CHECK: expected a dictionary of attributes
linalg.generic 3 : i32 {}
