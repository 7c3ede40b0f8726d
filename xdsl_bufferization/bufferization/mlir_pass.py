"""What our passes have in common: how options are read, and what a pass demands.

    one-shot-bufferize{bufferize-function-boundaries}
    one-shot-bufferize{bufferize-function-boundaries=1}
    one-shot-bufferize{bufferize-function-boundaries=true}

xDSL alone understands the last of these; mlir-opt understands all.

xDSL accepts programs that MLIR refuses, and our passes are written for MLIR's. So a
pass first checks the ops that it is about, by MLIR's rules. Its error names the op and
the pass. Other ops are not checked: a program that somebody lowers step by step is
often invalid in MLIR in the meantime.
"""

import dataclasses
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from functools import wraps
from typing import Any, ClassVar, Self, TypeVar, get_type_hints

from typing_extensions import override
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, TensorType, UnrankedTensorType
from xdsl.ir import Attribute, Operation
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.exceptions import PassFailedException, VerifyException

from xdsl_bufferization.dialects.messages.last_words import add_last_words
from xdsl_bufferization.dialects.xdsl_patches.verify import (
    check_op,
    is_noted_sound,
    note_sound,
)
from xdsl_bufferization.support.debug import observed
from xdsl_bufferization.support.errors import OperationError, fail_at
from xdsl_bufferization.support.nesting import has_room, where_it_fits
from xdsl_bufferization.support.traversal import ops_inside

_Choice = TypeVar("_Choice", bound=Enum)

_FLAG_VALUES: dict[ParameterListType, ParameterListType] = {
    (): (True,),
    (1,): (True,),
    (0,): (False,),
}


_EXPECTED: dict[object, str] = {bool: "true or false", int: "a whole number"}


_is_checked: ContextVar[bool] = ContextVar("_is_checked", default=False)
"""Whether a pass around has checked the program: its own passes need not."""


_Apply = Callable[[Any, Context, ModuleOp], None]


@dataclass(frozen=True)
class MLIRPass(ModulePass):
    """A pass whose flags may be given without a value, or as 0 and 1.

    A pass that overrides `is_about` demands that MLIR accepts these ops. A pass without
    options names the function that it calls as `rewrite`; one with options overrides
    `apply`.
    """

    rewrite: ClassVar[Callable[[ModuleOp], object]]
    """What the pass does to a module."""

    @classmethod
    @override
    def from_spec(cls, spec: ArgSpec) -> Self:
        types = get_type_hints(cls)
        parameters = {
            name: _FLAG_VALUES.get(value, value)
            if types.get(name.replace("-", "_")) is bool
            else value
            for name, value in spec.parameters.items()
        }
        for name, value in parameters.items():
            _check_value(name, value, types.get(name.replace("-", "_")))
        return super().from_spec(dataclasses.replace(spec, parameters=parameters))

    is_about: ClassVar[Callable[[Operation], bool] | None] = None
    """Whether the pass looks into an op; none: into no op that it does not know."""

    @override
    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "apply" in vars(cls):
            # For type checkers, nobody assigns to a method.
            setattr(cls, "apply", _check_first(vars(cls)["apply"]))  # noqa: B010

    @override
    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Run on the module and everything inside."""
        apply_checked(self, op, lambda: type(self).rewrite(op))


def _check_value(name: str, value: ParameterListType, type_: object) -> None:
    """A `ValueError` that says what an option of one number or truth value expects."""
    if type_ in _EXPECTED and [type(each) for each in value] != [type_]:
        given = ",".join(map(str, value))
        dashed = name.replace("_", "-")
        raise ValueError(f"{dashed} is '{given}'; expected {_EXPECTED[type_]}")


def apply_checked(
    pass_: MLIRPass, module: ModuleOp, apply: Callable[[], object]
) -> None:
    """Do what a pass does, after its checks, in a thread with room if it needs one."""

    def check_and_apply() -> None:
        with observed(pass_, module), _checked(pass_, module):
            try:
                apply()
            except Exception as error:  # As in `blaming_models`.
                # Most programs never need this.
                from .interfaces.blamed_models import blame_models

                blame_models(module, error)
                raise

    try:
        where_it_fits(module, check_and_apply)
    except OperationError as error:
        add_last_words(error)
        raise
    except RecursionError:
        if has_room():
            raise
        message = f"the program is nested too deeply for {pass_.name}"
        fail_at(module, message)


@contextmanager
def _checked(pass_: MLIRPass, module: ModuleOp) -> Generator[None, None, None]:
    """Check `module` before a pass runs on it, unless a pass around has done so."""
    is_about = type(pass_).is_about
    if is_about is None or _is_checked.get():
        yield
        return
    if not is_noted_sound(module):
        demand_mlir(module, pass_.name, is_about)
    token = _is_checked.set(True)
    try:
        yield
    finally:
        _is_checked.reset(token)
    note_sound(module)


def _check_first(apply: _Apply) -> _Apply:
    @wraps(apply)
    def apply_to_checked(self: MLIRPass, ctx: Context, op: ModuleOp) -> None:
        apply_checked(self, op, lambda: apply(self, ctx, op))

    return apply_to_checked


def demand_mlir(
    module: ModuleOp, name: str, is_about: Callable[[Operation], bool]
) -> None:
    """Check by MLIR's rules the ops that the pass `name` is about.

    Raises an `OperationError` at the first op that MLIR refuses.
    """
    sound: dict[int, Attribute] = {}
    for op in ops_inside(module):
        if not is_about(op):
            continue
        try:
            check_op(op, sound)
        except VerifyException as error:
            fail_at(op, f"{name} demands what MLIR does: {error}")


def has_tensor(op: Operation) -> bool:
    """Whether an op takes or makes a tensor."""
    return any(
        isinstance(value.type, _TENSORS) for value in (*op.results, *op.operands)
    )


def is_any_op(_op: Operation) -> bool:
    """Yes: for passes that are about all ops."""
    return True


_TENSORS = (TensorType, UnrankedTensorType)


@dataclass(frozen=True)
class TensorPass(MLIRPass):
    """A pass that is about ops with tensors."""

    is_about = staticmethod(has_tensor)


@dataclass(frozen=True)
class LoweringPass(MLIRPass):
    """A pass that is about all ops."""

    is_about = staticmethod(is_any_op)


def choose_option(pass_: ModulePass, field: str, choices: type[_Choice]) -> _Choice:
    """The choice that an option of a pass names.

    Raises a `PassFailedException` that names the choices if it is none of them.
    """
    value = getattr(pass_, field)
    try:
        return choices(value)
    except ValueError:
        names = ", ".join(f"'{choice.value}'" for choice in choices)
        option = field.replace("_", "-")
        raise PassFailedException(
            f"{option} is '{value}', which is none of {names}"
        ) from None
