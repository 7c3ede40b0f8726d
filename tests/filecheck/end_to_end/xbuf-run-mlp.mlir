// The perceptron of the TPP-MLIR pass analysis, in small: no copies, one buffer per
// layer, all freed but the result, and that once it is collected.

// RUN: xbuf gen --batch 8 --layers 4,16,32 --bias --relu --seed 7 > %t.mlir
// RUN: xbuf run %t.mlir --check --json | filecheck %s --check-prefix=JSON
// RUN: xbuf run %t.mlir --check --json --no-optimize | filecheck %s --check-prefix=PLAIN
// RUN: xbuf run %t.mlir | filecheck %s --check-prefix=TEXT

// JSON:      {"max_rel_error": {{[0-9.]+e-0[5-9]}},
// JSON-SAME: "allocs": 2, "frees": 1, "live_bytes": 0, "peak_bytes": {{[0-9]+}},
// JSON-SAME: "copies": 0, "caller_copies": 0, "seconds": [{{[0-9., e-]+}}],
// JSON-SAME: "gflops": {{[0-9.e-]+}}, "compile_seconds": {{[0-9.]+}},
// JSON-SAME: "kernels": [{"invoke": "xsmm_fused_brgemm_invoke",
// JSON-SAME: {"invoke": "xsmm_fused_brgemm_invoke",
// JSON-SAME: "served_by": "generated"}], "threads": {{[0-9]+}},

// PLAIN:      "allocs": 2, "frees": 1, "live_bytes": 0,
// PLAIN-SAME: "kernels": [], "threads": {{[0-9]+}},

// TEXT-NOT:  max_rel_error
// TEXT:      allocs          2
// TEXT-NEXT: frees           1
// TEXT-NEXT: live_bytes      0
