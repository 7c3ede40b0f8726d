"""What the package adds to `xdsl-opt`: the entry point of group `xdsl.universe`."""

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe


def _get_dialect() -> Dialect:
    from sensors.dialect import Sensors

    return Sensors


def _get_simplify_samples() -> type[ModulePass]:
    from sensors.transforms.simplify_samples import SimplifySamplesPass

    return SimplifySamplesPass


def _get_lower_sensors() -> type[ModulePass]:
    from sensors.transforms.lower_sensors import LowerSensorsPass

    return LowerSensorsPass


SENSORS_UNIVERSE = Universe(
    all_dialects={"sensors": _get_dialect},
    all_passes={
        "lower-sensors": _get_lower_sensors,
        "simplify-samples": _get_simplify_samples,
    },
)
