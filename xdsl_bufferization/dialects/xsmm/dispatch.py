"""Requests for kernels: `xsmm.*.dispatch`.

A dispatch describes a kernel by sizes, leading dimensions, flags and data type, and
gives its handle, an `i64`. It has no effects: the runtime gives the same handle for the
same description, so that dispatches may be hoisted, merged and dropped.

    %0 = xsmm.unary.dispatch relu [32, 32, 32, 32] flags = (none) data_type = f32
    %1 = xsmm.brgemm.dispatch [32, 32, 32, 32, 32, 32, 1024, 1024]
        flags = (beta_0) data_type = f32

| op | inputs |
|---|---|
| unary | m, n, ldi, ldo |
| binary | m, n, ldi_lhs, ldi_rhs, ldo |
| gemm | m, n, k, lda, ldb, ldc |
| brgemm, fused_brgemm | m, n, k, lda, ldb, ldc, stride_a, stride_b |
| window | p, q, n, a_p, a_q, c_p, c_q, e_p, e_q, 4 (count, a, b), 2 (limit, bound) |

`fused_brgemm` may have a ninth input, `ldd`, for a D with rows at another distance than
those of C; tpp-mlir has no such input, and takes `ldc` for both.

Matrices are row-major: a leading dimension is the distance of two rows, in elements.
`gemm` computes C (m by n) += A (m by k) * B (k by n). `brgemm` sums such products over
a batch of matrices that are `stride_a` and `stride_b` elements apart. `fused_brgemm`
then combines the sum with a matrix D, and applies a unary kernel.

`window`, which tpp-mlir lacks, computes C[p, q, n]: for p rows and q columns of pixels,
n channels. It sums over the steps of four loops, from the outermost to the innermost. A
loop has `count` steps that are `a` elements apart in A, and `b` in B; `a_p` and `a_q`
are the distances of pixels in A. A product reads one element of A for all channels, the
other kinds a vector of n. With `bias`, D has n elements; with `residual`, E[p, q, n] is
added. A limit is the number of one of `abi.XSMM_WINDOW_LIMITS`, and a bound the bits of
an f32. The order is: sum, bias, residual, ReLU, limits. Limits that are left out are 0.

Source: the `xsmm` dialect of tpp-mlir, https://arxiv.org/abs/2404.15204
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from typing_extensions import override
from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, i64
from xdsl.ir import Attribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.irdl.declarative_assembly_format import (
    AttributeVariable,
    CustomDirective,
    ParsingState,
    PrintingState,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.str_enum import StrEnum

from xdsl_bufferization.support import abi

from ..common.enums import Name
from .attributes import (
    BinaryFlag,
    BinaryFlagAttr,
    BinaryKind,
    BinaryKindAttr,
    DataType,
    DataTypeAttr,
    GemmFlag,
    GemmFlagAttr,
    UnaryFlag,
    UnaryFlagAttr,
    UnaryKind,
    UnaryKindAttr,
    WindowFlag,
    WindowFlagAttr,
    WindowKind,
    WindowKindAttr,
)

_UNARY_INPUTS = ("m", "n", "ldi", "ldo")
_BINARY_INPUTS = ("m", "n", "ldi_lhs", "ldi_rhs", "ldo")
_GEMM_INPUTS = ("m", "n", "k", "lda", "ldb", "ldc")
_BRGEMM_INPUTS = (*_GEMM_INPUTS, "stride_a", "stride_b")
_LDD = "ldd"
_ZEROS = ("loop", "first", "end")
_WINDOW_INPUTS = (
    *("p", "q", "n", "a_p", "a_q", "c_p", "c_q", "e_p", "e_q"),
    *(
        f"{name}_{loop}"
        for loop in range(abi.XSMM_WINDOW_STEPS)
        for name in ("count", "a", "b")
    ),
    *(
        f"{name}_{number}"
        for number in range(abi.XSMM_WINDOW_BOUNDS)
        for name in ("limit", "bound")
    ),
    *_ZEROS,
)


class _Flags(CustomDirective):
    """`(name, ...)`, of which each is a flag of the type `FLAG`."""

    FLAG: ClassVar[type[UnaryFlagAttr | BinaryFlagAttr | GemmFlagAttr | WindowFlagAttr]]
    flags: AttributeVariable

    @override
    def parse(self, parser: Parser, state: ParsingState) -> None:
        flags = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN,
            lambda: parser.parse_str_enum(self.FLAG.enum_type),
        )
        self.flags.set(state, _flags(self.FLAG, flags))

    @override
    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        flags: Any = self.flags.get(op)
        state.print_whitespace(printer)
        printer.print_string(f"({', '.join(flag.data.value for flag in flags)})")


@irdl_custom_directive
class UnaryFlags(_Flags):
    """Flags of a unary kernel."""

    FLAG: ClassVar = UnaryFlagAttr
    flags: AttributeVariable


@irdl_custom_directive
class BinaryFlags(_Flags):
    """Flags of a binary kernel."""

    FLAG: ClassVar = BinaryFlagAttr
    flags: AttributeVariable


@irdl_custom_directive
class GemmFlags(_Flags):
    """Flags of a product."""

    FLAG: ClassVar = GemmFlagAttr
    flags: AttributeVariable


@irdl_custom_directive
class WindowFlags(_Flags):
    """Flags of a sum over a window."""

    FLAG: ClassVar = WindowFlagAttr
    flags: AttributeVariable


def _flags(kind: Any, flags: Sequence[StrEnum]) -> ArrayAttr[Any]:
    return ArrayAttr(map(kind, flags))


class DispatchOp(IRDLOperation):
    """What all requests share: inputs by name, data type, and the handle.

    Subclasses declare their kinds and flags.
    """

    INPUT_NAMES: ClassVar[Sequence[str]] = ()

    inputs = prop_def(DenseArrayBase.constr(i64))
    data_type = prop_def(DataTypeAttr)
    handle = result_def(i64)

    traits = traits_def(Pure())
    custom_directives = (Name, UnaryFlags, BinaryFlags, GemmFlags, WindowFlags)

    def __init__(
        self, inputs: Sequence[int], data_type: DataType, **properties: Attribute
    ):
        super().__init__(
            properties={
                "inputs": DenseArrayBase.from_list(i64, inputs),
                **properties,
                "data_type": DataTypeAttr(data_type),
            },
            result_types=[i64],
        )

    def named_inputs(self) -> dict[str, int]:
        """Sizes, leading dimensions and strides by their names."""
        values = self.inputs.get_values()
        if len(values) != len(self.INPUT_NAMES):
            raise VerifyException(
                f"expected {len(self.INPUT_NAMES)} inputs "
                f"({', '.join(self.INPUT_NAMES)}), but got {len(values)}"
            )
        return dict(zip(self.INPUT_NAMES, map(int, values), strict=True))


def _verify_positive(inputs: dict[str, int]) -> None:
    for name, value in inputs.items():
        if value < 0 or (value == 0 and not name.startswith("stride")):
            raise VerifyException(
                f"expected input {name} to be positive, but got {value}"
            )


def _verify_at_least(
    inputs: dict[str, int], leading: str, least: int, reason: str
) -> None:
    if inputs[leading] < least:
        raise VerifyException(
            f"leading dimension {leading} = {inputs[leading]} is smaller than "
            f"{reason} = {least}"
        )


def _verify_flags(flags: Sequence[StrEnum], what: str = "flags") -> None:
    """Each flag is given once, and `none` only alone."""
    names = [flag.value for flag in flags]
    if not names:
        raise VerifyException(f"expected {what}, or (none)")
    if len(set(names)) != len(names):
        raise VerifyException(f"expected {what} to be unique: ({', '.join(names)})")
    if "none" in names and len(names) > 1:
        raise VerifyException(
            f"'none' {what} conflicts with others: ({', '.join(names)})"
        )


def _verify_one_broadcast(flags: Sequence[StrEnum], operand: str) -> None:
    if len(flags) > 1:
        names = " and ".join(flag.value for flag in flags)
        raise VerifyException(f"{names} both say how {operand} is repeated")


def _verify_element_kind(
    kind: UnaryKind, flags: Sequence[UnaryFlag], data_type: DataType, m: int
) -> None:
    """Kinds that move elements work on whole matrices, and pairs of rows on bf16."""
    moves = kind in (UnaryKind.TRANSPOSE, UnaryKind.VNNI_2)
    if moves and list(flags) != [UnaryFlag.NONE]:
        names = ", ".join(flag.value for flag in flags)
        raise VerifyException(f"kind {kind.value} takes no flags, but got ({names})")
    if kind is not UnaryKind.VNNI_2:
        return
    if data_type is not DataType.BF16:
        raise VerifyException(
            f"kind vnni_2 needs data_type bf16, but got {data_type.value}"
        )
    if m % 2:
        raise VerifyException(f"kind vnni_2 needs an even number of rows, but m = {m}")


@irdl_op_definition
class UnaryDispatchOp(DispatchOp):
    """A kernel that maps an m by n matrix."""

    name = "xsmm.unary.dispatch"
    INPUT_NAMES: ClassVar[Sequence[str]] = _UNARY_INPUTS

    kind = prop_def(UnaryKindAttr)
    flags = prop_def(ArrayAttr[UnaryFlagAttr])

    assembly_format = (
        "custom<Name>($kind) $inputs `flags` `=` custom<UnaryFlags>($flags) "
        "`data_type` `=` custom<Name>($data_type) attr-dict"
    )

    def __init__(
        self,
        kind: UnaryKind,
        inputs: Sequence[int],
        data_type: DataType,
        flags: Sequence[UnaryFlag] = (UnaryFlag.NONE,),
    ):
        super().__init__(
            inputs,
            data_type,
            kind=UnaryKindAttr(kind),
            flags=_flags(UnaryFlagAttr, flags),
        )

    @override
    def verify_(self) -> None:
        """Leading dimensions hold the rows, as the flags and the kind ask for them."""
        inputs = self.named_inputs()
        _verify_positive(inputs)
        flags = [flag.data for flag in self.flags]
        _verify_flags(flags)
        _verify_one_broadcast(flags, "the input")
        kind = self.kind.data
        _verify_element_kind(kind, flags, self.data_type.data, inputs["m"])
        whole_rows = flags[0] in (UnaryFlag.NONE, UnaryFlag.BCAST_COL)
        if whole_rows and kind is not UnaryKind.ZERO:
            _verify_at_least(inputs, "ldi", inputs["n"], "n")
        row = "m" if kind is UnaryKind.TRANSPOSE else "n"
        _verify_at_least(inputs, "ldo", inputs[row], row)


@irdl_op_definition
class BinaryDispatchOp(DispatchOp):
    """A kernel that combines two m by n matrices."""

    name = "xsmm.binary.dispatch"
    INPUT_NAMES: ClassVar[Sequence[str]] = _BINARY_INPUTS

    kind = prop_def(BinaryKindAttr)
    flags = prop_def(ArrayAttr[BinaryFlagAttr])

    assembly_format = (
        "custom<Name>($kind) $inputs `flags` `=` custom<BinaryFlags>($flags) "
        "`data_type` `=` custom<Name>($data_type) attr-dict"
    )

    def __init__(
        self,
        kind: BinaryKind,
        inputs: Sequence[int],
        data_type: DataType,
        flags: Sequence[BinaryFlag] = (BinaryFlag.NONE,),
    ):
        super().__init__(
            inputs,
            data_type,
            kind=BinaryKindAttr(kind),
            flags=_flags(BinaryFlagAttr, flags),
        )

    @override
    def verify_(self) -> None:
        """Leading dimensions hold the rows, as the flags ask for them."""
        inputs = self.named_inputs()
        _verify_positive(inputs)
        flags = [flag.data for flag in self.flags]
        _verify_flags(flags)
        for operand, suffix in (("ldi_lhs", "_in0"), ("ldi_rhs", "_in1")):
            given = [flag for flag in flags if flag.value.endswith(suffix)]
            _verify_one_broadcast(given, "lhs" if suffix == "_in0" else "rhs")
            if not given or given[0].value.startswith("bcast_col"):
                _verify_at_least(inputs, operand, inputs["n"], "n")
        _verify_at_least(inputs, "ldo", inputs["n"], "n")


def _verify_gemm(
    op: DispatchOp, flags: Sequence[GemmFlag], data_type: DataType
) -> None:
    inputs = op.named_inputs()
    _verify_positive(inputs)
    _verify_flags(flags)
    _verify_at_least(inputs, "lda", inputs["k"], "k")
    _verify_at_least(inputs, "ldb", inputs["n"], "n")
    _verify_at_least(inputs, "ldc", inputs["n"], "n")
    vnni = [flag.value for flag in flags if flag.value.startswith("vnni")]
    if vnni and data_type is not DataType.BF16:
        raise VerifyException(
            f"VNNI flags ({', '.join(vnni)}) need data_type bf16, but got "
            f"{data_type.value}"
        )
    if inputs["k"] % 2 and {GemmFlag.VNNI_A, GemmFlag.VNNI_B} & set(flags):
        raise VerifyException(
            f"VNNI flags ({', '.join(vnni)}) need an even k, but k = {inputs['k']}"
        )


class ProductDispatchOp(DispatchOp):
    """A kernel that multiplies matrices."""

    flags = prop_def(ArrayAttr[GemmFlagAttr])

    assembly_format = (
        "$inputs `flags` `=` custom<GemmFlags>($flags) "
        "`data_type` `=` custom<Name>($data_type) attr-dict"
    )

    def __init__(
        self,
        inputs: Sequence[int],
        data_type: DataType,
        flags: Sequence[GemmFlag] = (GemmFlag.NONE,),
    ):
        super().__init__(inputs, data_type, flags=_flags(GemmFlagAttr, flags))

    @override
    def verify_(self) -> None:
        """Leading dimensions hold the rows, and flags fit the data type."""
        _verify_gemm(self, [flag.data for flag in self.flags], self.data_type.data)


@irdl_op_definition
class GemmDispatchOp(ProductDispatchOp):
    """A kernel that multiplies two matrices."""

    name = "xsmm.gemm.dispatch"
    INPUT_NAMES: ClassVar[Sequence[str]] = _GEMM_INPUTS


@irdl_op_definition
class BrgemmDispatchOp(ProductDispatchOp):
    """A kernel that sums the products of a batch of matrices."""

    name = "xsmm.brgemm.dispatch"
    INPUT_NAMES: ClassVar[Sequence[str]] = _BRGEMM_INPUTS


@irdl_op_definition
class FusedBrgemmDispatchOp(DispatchOp):
    """A kernel that sums products, combines the sum with D, and maps the outcome."""

    name = "xsmm.fused_brgemm.dispatch"
    INPUT_NAMES: ClassVar[Sequence[str]] = _BRGEMM_INPUTS

    binary_kind = prop_def(BinaryKindAttr)
    unary_kind = prop_def(UnaryKindAttr)
    flags = prop_def(ArrayAttr[GemmFlagAttr])
    binary_flags = prop_def(ArrayAttr[BinaryFlagAttr])
    unary_flags = prop_def(ArrayAttr[UnaryFlagAttr])

    assembly_format = (
        "$inputs ` ` `[` custom<Name>($binary_kind) `,` custom<Name>($unary_kind) `]` "
        "`flags` `=` custom<GemmFlags>($flags) "
        "`binary_flags` `=` custom<BinaryFlags>($binary_flags) "
        "`unary_flags` `=` custom<UnaryFlags>($unary_flags) "
        "`data_type` `=` custom<Name>($data_type) attr-dict"
    )

    @override
    def named_inputs(self) -> dict[str, int]:
        """As of a brgemm, and `ldd`, the distance of the rows of D."""
        *inputs, last = self.inputs.get_values()
        if len(inputs) != len(self.INPUT_NAMES):
            named = super().named_inputs()
            return {**named, _LDD: named["ldc"]}
        names = (*self.INPUT_NAMES, _LDD)
        return dict(zip(names, map(int, (*inputs, last)), strict=True))

    @property
    def has_binary(self) -> bool:
        """Whether the product is combined with D at all."""
        return self.binary_kind.data is not BinaryKind.NONE

    def __init__(
        self,
        inputs: Sequence[int],
        kinds: tuple[BinaryKind, UnaryKind],
        data_type: DataType,
        flags: Sequence[GemmFlag] = (GemmFlag.NONE,),
        binary_flags: Sequence[BinaryFlag] = (BinaryFlag.NONE,),
        unary_flags: Sequence[UnaryFlag] = (UnaryFlag.NONE,),
    ):
        super().__init__(
            inputs,
            data_type,
            binary_kind=BinaryKindAttr(kinds[0]),
            unary_kind=UnaryKindAttr(kinds[1]),
            flags=_flags(GemmFlagAttr, flags),
            binary_flags=_flags(BinaryFlagAttr, binary_flags),
            unary_flags=_flags(UnaryFlagAttr, unary_flags),
        )

    @override
    def verify_(self) -> None:
        """As a brgemm; and the fused kernels and their flags fit each other."""
        _verify_gemm(self, [flag.data for flag in self.flags], self.data_type.data)
        unary = self.unary_kind.data
        binary_flags = [flag.data for flag in self.binary_flags]
        unary_flags = [flag.data for flag in self.unary_flags]
        _verify_flags(binary_flags, "binary_flags")
        _verify_flags(unary_flags, "unary_flags")
        if not self.has_binary and binary_flags != [BinaryFlag.NONE]:
            raise VerifyException(
                "invalid binary flags for kind none: expected (none), but got "
                f"({', '.join(flag.value for flag in binary_flags)})"
            )
        if any(flag.value.endswith("_in1") for flag in binary_flags):
            raise VerifyException(
                "D is in0 of the fused binary kernel; flags of in1, which is the "
                f"product, are not: ({', '.join(flag.value for flag in binary_flags)})"
            )
        if unary_flags != [UnaryFlag.NONE]:
            raise VerifyException(
                "the product that the fused unary kernel maps is not repeated: "
                "expected unary_flags (none), but got "
                f"({', '.join(flag.value for flag in unary_flags)})"
            )
        if unary in (UnaryKind.TRANSPOSE, UnaryKind.VNNI_2, UnaryKind.ZERO):
            raise VerifyException(f"unary kind {unary.value} cannot be fused")


@irdl_op_definition
class WindowDispatchOp(DispatchOp):
    """A kernel that sums over a window, for some pixels and all channels of a block."""

    name = "xsmm.window.dispatch"
    INPUT_NAMES: ClassVar[Sequence[str]] = _WINDOW_INPUTS

    kind = prop_def(WindowKindAttr)
    flags = prop_def(ArrayAttr[WindowFlagAttr])

    assembly_format = (
        "custom<Name>($kind) $inputs `flags` `=` custom<WindowFlags>($flags) "
        "`data_type` `=` custom<Name>($data_type) attr-dict"
    )

    def __init__(
        self,
        kind: WindowKind,
        inputs: Sequence[int],
        data_type: DataType,
        flags: Sequence[WindowFlag] = (WindowFlag.NONE,),
    ):
        super().__init__(
            inputs,
            data_type,
            kind=WindowKindAttr(kind),
            flags=_flags(WindowFlagAttr, flags),
        )

    @override
    def named_inputs(self) -> dict[str, int]:
        """All inputs; limits and rows of zeros that are left out are 0."""
        given = [*map(int, self.inputs.get_values())]
        missing = len(self.INPUT_NAMES) - len(given)
        if missing in (len(_ZEROS), len(_ZEROS) + 2 * abi.XSMM_WINDOW_BOUNDS):
            given += [0] * missing
            return dict(zip(self.INPUT_NAMES, given, strict=True))
        return super().named_inputs()

    def has(self, flag: WindowFlag) -> bool:
        """Whether the dispatch has a flag."""
        return any(each.data is flag for each in self.flags)

    def extents(self) -> dict[str, int]:
        """How far the last element that a call touches is from the first, by buffer."""
        inputs = self.named_inputs()

        def over_pixels(name: str) -> int:
            return (inputs["p"] - 1) * inputs[f"{name}_p"] + (inputs["q"] - 1) * inputs[
                f"{name}_q"
            ]

        def over_steps(name: str) -> int:
            return sum(
                (inputs[f"count_{loop}"] - 1) * inputs[f"{name}_{loop}"]
                for loop in range(abi.XSMM_WINDOW_STEPS)
            )

        last, kind = inputs["n"] - 1, self.kind.data
        extents = {
            "A": over_pixels("a") + over_steps("a"),
            "C": over_pixels("c") + last,
        }
        if kind is not WindowKind.PRODUCT:
            extents["A"] += last
        if kind in (WindowKind.PRODUCT, WindowKind.DEPTHWISE):
            extents["B"] = over_steps("b") + last
        if self.has(WindowFlag.BIAS):
            extents["D"] = last
        if self.has(WindowFlag.RESIDUAL):
            extents["E"] = over_pixels("e") + last
        return extents

    @override
    def verify_(self) -> None:
        """Sizes are positive, pixels of C lie apart, and flags fit the kind."""
        inputs = self.named_inputs()
        for name, value in inputs.items():
            is_size = name in ("p", "q", "n") or name.startswith("count")
            if value < int(is_size):
                least = "positive" if is_size else "0 or more"
                raise VerifyException(
                    f"expected input {name} to be {least}, but got {value}"
                )
        for number in range(abi.XSMM_WINDOW_BOUNDS):
            if inputs[f"limit_{number}"] not in abi.XSMM_WINDOW_LIMITS.values():
                raise VerifyException(
                    f"expected input limit_{number} to be one of "
                    f"{', '.join(map(str, abi.XSMM_WINDOW_LIMITS.values()))}, but got "
                    f"{inputs[f'limit_{number}']}"
                )
        if self.data_type.data is not DataType.F32:
            raise VerifyException(
                f"expected data_type f32, but got {self.data_type.data.value}"
            )
        if inputs["q"] > 1:
            _verify_at_least(inputs, "c_q", inputs["n"], "n")
        if inputs["p"] > 1:
            least = (inputs["q"] - 1) * inputs["c_q"] + inputs["n"]
            _verify_at_least(inputs, "c_p", least, "a row of C")
        _verify_flags([flag.data for flag in self.flags])
        if self.kind.data is WindowKind.MAX and self.has(WindowFlag.BETA_0):
            raise VerifyException("kind max reads C: there is no beta_0")
        if inputs["end"]:
            self._verify_zeros(inputs)

    def _verify_zeros(self, inputs: dict[str, int]) -> None:
        """A loop over rows is named, and sums of products start with 0."""
        loop = inputs["loop"]
        if not inputs.get(f"a_{loop}"):
            raise VerifyException(
                "expected input loop to be the number of a loop over rows of A, but "
                f"got {loop}"
            )
        is_product = self.kind.data is WindowKind.PRODUCT
        if not is_product or not self.has(WindowFlag.BETA_0):
            raise VerifyException(
                "rows of zeros are left out of products that start with 0: expected "
                "kind product and flag beta_0"
            )
