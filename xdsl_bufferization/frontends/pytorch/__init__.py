"""Models of PyTorch as native code: `torch.compile(model, backend="xbuf")`, `xbuf.jit`.

Here: graphs of PyTorch as programs, weights that are prepared once, fallbacks.
Not here: the passes (`pipelines`). PyTorch and torch-mlir are imported on first use.
"""
