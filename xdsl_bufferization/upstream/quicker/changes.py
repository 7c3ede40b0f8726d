"""The changes that make xDSL quicker and change nothing else, for everybody.

`docs/upstream.md` is generated from `QUICKER`, with the other changes.
"""

import xdsl.irdl
from xdsl.dialects.builtin import DenseArrayBase
from xdsl.ir import Attribute, Operation
from xdsl.irdl import BaseAccessor, IRDLOperation
from xdsl.irdl.operations import BaseAttrAccessor

from xdsl_bufferization.upstream.change import Change
from xdsl_bufferization.upstream.quicker import (
    accessors,
    attributes,
    constants,
    hints,
    operations,
    traits,
)

QUICKER: tuple[Change, ...] = (
    Change(
        xdsl.irdl,
        "irdl_to_attr_constraint",
        hints.convert_once,
        "`isa(attribute, ArrayAttr[IntegerAttr])` makes a constraint of the hint once. "
        "xDSL makes the same constraint at each call.",
        "Keep the constraints of generic hints in a table.",
    ),
    Change(
        Attribute,
        "__post_init__",
        attributes.check_class_once,
        "The class of an attribute is checked once. xDSL checks of each attribute that "
        "it is of one of two kinds.",
        "Check it where the class is defined.",
    ),
    Change(
        DenseArrayBase,
        "get_values",
        constants.unpack_once,
        "The numbers of a short array are unpacked once. xDSL unpacks the sizes of "
        "operand lists each time one of the lists is asked for.",
        "Keep the unpacked numbers in the attribute.",
    ),
    Change(
        DenseArrayBase,
        "from_list",
        lambda in_xdsl: staticmethod(constants.make_once(in_xdsl.__func__)),
        "Equal short arrays of integers are one object, since most ops of a class have "
        "equal ones.",
        "Keep short arrays in a table.",
    ),
    Change(
        BaseAccessor,
        "__get__",
        accessors.read_directly,
        "A field of an op is read from the list of all operands or results. xDSL makes "
        "a view of the list for each access.",
        "Let each accessor know its list.",
    ),
    Change(
        BaseAttrAccessor,
        "__get__",
        accessors.read_by_sizes,
        "The same for fields whose sizes an attribute says.",
        "Let each accessor know its list.",
    ),
    Change(
        Operation,
        "get_trait",
        traits.find_once,
        "A trait of a class is searched for once. xDSL goes through all traits of the "
        "class for each op that it verifies or prints.",
        "Keep the answers in a table by class, until a trait is added.",
    ),
    Change(
        Operation,
        "get_traits_of_type",
        traits.find_all_once,
        "The same for all traits of a kind. Both look-ups also attach what this "
        "package knows of a dialect, when the first of its ops is asked.",
        "Keep the answers in a table by class, until a trait is added.",
    ),
    Change(
        Operation,
        "__init__",
        operations.make_directly,
        "An op is made without the setters of its parts, which first look for earlier "
        "parts.",
        "Set the fields of a new op directly.",
    ),
    Change(
        IRDLOperation,
        "__init__",
        operations.make_by_plan,
        "An op is made by a plan of its class. xDSL goes through the definition of the "
        "op each time: twice the time for all ops that are read or made.",
        "Compute what is the same for all ops of a class once.",
    ),
)
