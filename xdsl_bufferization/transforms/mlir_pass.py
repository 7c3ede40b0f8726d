"""Pass options that read as mlir-opt's do.

    one-shot-bufferize{bufferize-function-boundaries}
    one-shot-bufferize{bufferize-function-boundaries=1}
    one-shot-bufferize{bufferize-function-boundaries=true}

xDSL alone understands the last of these.
"""

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Self, TypeVar, get_type_hints

from typing_extensions import override
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, ParameterListType
from xdsl.utils.exceptions import PassFailedException

_Choice = TypeVar("_Choice", bound=Enum)

_FLAG_VALUES: dict[ParameterListType, ParameterListType] = {
    (): (True,),
    (1,): (True,),
    (0,): (False,),
}


@dataclass(frozen=True)
class MLIRPass(ModulePass):
    """A pass whose flags may be given without a value, or as 0 and 1."""

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
        return super().from_spec(dataclasses.replace(spec, parameters=parameters))


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
