"""Models of ONNX as native code: `xbuf.jit("model.onnx")`, `xbuf run model.onnx`.

Here: models for the sizes of one call, what torch-mlir does not translate, weights that
are prepared once. Not here: the passes (`pipelines`). The packages onnx and torch-mlir
are imported on first use.
"""
