"""`shapes-opt`: `xdsl-opt` with more dialects, ops and passes, as this project wants.

It replaces what others have registered under its names, the way snax-mlir and others
do: by taking the dialect out of the context.
"""

from typing_extensions import override
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.xdsl_opt_main import xDSLOptMain


def _get_index() -> Dialect:
    from shapes.dialects.index import Index

    return Index


def _get_bufferization() -> Dialect:
    from shapes.dialects.extended import ExtendedBufferization

    return ExtendedBufferization


def _get_copy_removal() -> type[ModulePass]:
    from shapes.transforms.copy_removal import CopyRemovalPass

    return CopyRemovalPass


class ShapesOptMain(xDSLOptMain):
    """`xdsl-opt` as this project wants it."""

    @override
    def register_all_dialects(self) -> None:
        from shapes.dialects.extended import RankOp

        super().register_all_dialects()
        # xDSL has no dialect of this name.
        self.ctx.register_dialect("index", _get_index)
        # xDSL has one, without an op for this.
        registered = self.ctx._registered_dialects  # pyright: ignore[reportPrivateUsage]
        registered.pop("bufferization", None)
        self.ctx.register_dialect("bufferization", _get_bufferization)
        # The dialect `tensor` is loaded later.
        self.ctx.load_op(RankOp)

    @override
    def register_all_passes(self) -> None:
        super().register_all_passes()
        self.register_pass("copy-removal", _get_copy_removal)


def main() -> None:
    """Run the tool."""
    ShapesOptMain().run()


if __name__ == "__main__":
    main()
