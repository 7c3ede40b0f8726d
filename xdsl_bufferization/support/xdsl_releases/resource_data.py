"""The data of a resource that no attribute names any more are forgotten.

dense_resource<weights> : tensor<100000000xf32>      # 400 MB
"""

# pyright: reportPrivateUsage=false

from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface

from .private_name import PrivateName

RESOURCE_DATA = PrivateName(
    "xdsl.dialect_interfaces.op_asm",
    "OpAsmDialectInterface",
    "_blob_storage",
    reason="Data are kept for the whole process in a table of their dialect. Large "
    "programs that are read one after the other would fill the memory.",
    without="The data of resources are kept until the process ends.",
    wish="A method of `OpAsmDialectInterface` that forgets the data of a key.",
)


def _forget_data(interface: OpAsmDialectInterface, name: str) -> None:
    """Forget the data of a resource, if there are any."""
    interface._blob_storage.pop(name, None)


def _keep_data(interface: OpAsmDialectInterface, name: str) -> None:
    pass


forget_data = _forget_data if RESOURCE_DATA.is_there() else _keep_data
