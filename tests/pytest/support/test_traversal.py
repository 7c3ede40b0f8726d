"""Walking over programs."""

from xdsl.dialects import test
from xdsl.ir import Block, Region

from xdsl_bufferization.support.traversal import ops_inside


def test_ops_come_in_program_order_with_all_their_regions_and_blocks():
    leaves = [test.TestOp() for _ in range(5)]
    inner = test.TestOp(
        regions=[Region(Block([leaves[0]])), Region(Block([leaves[1]]))]
    )
    last = test.TestOp(regions=[Region()])
    blocks = [Block([inner, leaves[2]]), Block(), Block([leaves[3], last])]
    root = test.TestOp(regions=[Region(blocks), Region(Block([leaves[4]]))])

    assert ops_inside(root) == list(root.walk())


def test_nesting_is_no_deeper_than_the_stack_because_there_is_none():
    root = test.TestOp()
    for _ in range(5000):
        root = test.TestOp(regions=[Region(Block([root]))])

    assert len(ops_inside(root)) == 5001


def test_ops_after_the_root_are_left_out():
    root, after = test.TestOp(), test.TestOp()
    Block([root, after])

    assert ops_inside(root) == [root]


def test_what_is_not_entered_is_listed_without_its_body():
    left_out = test.TestOp(regions=[Region(Block([test.TestOp()]))])
    inner = test.TestOp()
    entered = test.TestOp(regions=[Region(Block([inner]))])
    root = test.TestOp(regions=[Region(Block([left_out, entered]))])

    found = ops_inside(root, is_entered=lambda op: op is not left_out)

    assert found == [root, left_out, entered, inner]
