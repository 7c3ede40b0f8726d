"""What a module says of the processor that it is for, as attributes of dlti.

    module attributes {
      dlti.target_system_spec = #dlti.target_system_spec<
        "CPU" = #dlti.target_device_spec<"vnni" = 4 : i32, "tile_size" = 64 : i32>>
    } { ... }

    cpu_hint(module, "vnni")  ->  4

The attribute may have any name: tpp-mlir's tests call it `"#dlti.sys_spec"`.
"""

from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr
from xdsl.dialects.dlti import (
    DLTIEntryMap,
    TargetDeviceSpecAttr,
    TargetSystemSpecAttr,
)
from xdsl.ir import Attribute
from xdsl.utils.hints import isa


def cpu_hint(module: ModuleOp, name: str) -> int | None:
    """The integer that `module` gives for the CPU under this name, if there is one."""
    for spec in module.attributes.values():
        if isinstance(spec, TargetSystemSpecAttr):
            device = _entry(spec, "CPU")
            if isinstance(device, TargetDeviceSpecAttr):
                hint = _entry(device, name)
                return hint.value.data if isa(hint, IntegerAttr) else None
    return None


def _entry(entries: DLTIEntryMap, name: str) -> Attribute | None:
    key = StringAttr(name)
    return next((each.value for each in entries.entries if each.key == key), None)
