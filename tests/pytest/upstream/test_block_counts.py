"""How the work of verifying a function grows with its blocks."""

from support.running.growth import growth
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region

import xdsl_bufferization as xbuf
from xdsl_bufferization.upstream.activate import activate


def chain(blocks: int) -> ModuleOp:
    lines = [f"cf.br ^b{n}\n^b{n}:" for n in range(blocks)]
    return xbuf.parse("\n".join(["func.func @f() {", *lines, "return }"]))


def test_verifying_is_linear_in_blocks() -> None:
    activate()
    assert growth(ModuleOp.verify, chain(50), chain(200)) < 4.2


def test_blocks_are_counted_anew_after_verification() -> None:
    activate()
    region = Region([Block(), Block()])
    region.verify()
    assert len(region.blocks) == 2
    region.add_block(Block())
    assert len(region.blocks) == 3
    region.verify()
    assert len(region.blocks) == 3
