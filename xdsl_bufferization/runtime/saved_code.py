"""Object code as a record of the cache, and back.

    cache.keep(key, record_of(code, {"entry": "main"}))
    code, about = code_of(cache.find(key))

The object, the kernels and large constants are pieces of their own. A constant that is
read back is not copied again: the code uses it where the file was read to.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Final, cast

import numpy as np

from xdsl_bufferization.support import abi
from xdsl_bufferization.support.repeated import Repeated

from .descriptor import Array
from .disk_cache.layout import Bytes, Json, Record
from .failure_kinds import Failure
from .object_code import LinkedKernel, ObjectCode
from .processors.processor import processor_named

_SHAPE: Final = "shape"
"""The field that buffers have, and numbers have not."""


def record_of(code: ObjectCode, about: Json) -> Record:
    """Code, and what else is to be known when it is loaded again."""
    kernels_with_images = tuple(_with_image(each, code) for each in code.kernels)
    code = replace(code, kernels=kernels_with_images)
    pieces: list[Bytes] = [code.image]
    constants: Json = {}
    for name, data in code.constants.items():
        if isinstance(data, Repeated):
            constants[name] = [data.element.hex(), data.count]
        else:
            constants[name] = len(pieces)
            pieces.append(memoryview(cast(Any, data)))
    images = {kernel.image for kernel in code.kernels if kernel.image is not None}
    places = {image: len(pieces) + at for at, image in enumerate(sorted(images))}
    pieces += places
    kernels: list[Json] = [
        {
            "name": kernel.name,
            "invoke": kernel.invoke,
            "description": kernel.description,
            "piece": None if kernel.image is None else places[kernel.image],
            "symbol": kernel.symbol,
        }
        for kernel in code.kernels
    ]
    fields: Json = {
        "signatures": [asdict(each) for each in code.signatures],
        "undefined": code.undefined,
        "defined": sorted(code.defined),
        "constants": constants,
        "kernels": kernels,
        "xsmm": code.xsmm,
        "cpu": code.cpu,
        "failures": [asdict(each) for each in code.failures],
    }
    return Record({"code": fields, "about": about}, pieces)


def _with_image(kernel: LinkedKernel, code: ObjectCode) -> LinkedKernel:
    # Only programs that have kernels need what makes them.
    from .xsmm import kernel_image

    if kernel.image is not None:
        return kernel
    processor = processor_named(code.cpu)
    found = kernel_image(kernel.invoke, kernel.description, code.xsmm, processor)
    if found is None:
        return kernel
    return replace(kernel, image=found.image, symbol=found.symbol)


def code_of(record: Record) -> tuple[ObjectCode, Json]:
    """What `record_of` was given; the constants are in the memory of the record."""
    fields = cast(Json, record.about["code"])
    pieces = record.pieces
    kernels = cast(list[Json], fields["kernels"])
    places: set[int | None] = {kernel["piece"] for kernel in kernels}
    images = {at: bytes(pieces[at]) for at in places if at is not None}
    code = ObjectCode(
        bytes(pieces[0]),
        tuple(map(_signature, fields["signatures"])),
        tuple(fields["undefined"]),
        frozenset(fields["defined"]),
        {
            name: _constant(place, pieces)
            for name, place in cast(Json, fields["constants"]).items()
        },
        tuple(_kernel(each, images) for each in kernels),
        fields["xsmm"],
        fields["cpu"],
        tuple(Failure(**each) for each in fields["failures"]),
    )
    return code, record.about["about"]


def _constant(place: int | list[Any], pieces: Any) -> Repeated | Array:
    if isinstance(place, int):
        return np.frombuffer(pieces[place], np.uint8)
    return Repeated(bytes.fromhex(place[0]), place[1])


def _kernel(fields: Json, images: Mapping[int, bytes]) -> LinkedKernel:
    return LinkedKernel(
        fields["name"],
        fields["invoke"],
        tuple(fields["description"]),
        images.get(fields["piece"]),
        fields["symbol"],
    )


def _signature(fields: Mapping[str, Any]) -> abi.FunctionSignature:
    return abi.FunctionSignature(
        fields["name"],
        tuple(map(_value, fields["arguments"])),
        tuple(map(_value, fields["results"])),
    )


def _value(fields: Mapping[str, Any]) -> abi.ValueSignature:
    if _SHAPE not in fields:
        return abi.ScalarSignature(**fields)
    layout = fields["layout"]
    if layout is not None:
        layout = abi.StridedLayout(tuple(layout["strides"]), layout["offset"])
    known: dict[str, Any] = {
        **fields,
        _SHAPE: tuple(fields[_SHAPE]),
        "layout": layout,
    }
    return abi.MemRefSignature(**known)
