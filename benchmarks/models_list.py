"""The networks that `models.py` measures, by name, with their inputs."""

# PyTorch is not installed where the project is checked.
# pyright: basic, reportMissingImports=false

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import models_sequences as sequences
import models_vision as vision
import torch
from torch import Tensor, nn


class Model(NamedTuple):
    """A network."""

    title: str
    make: Callable[[], nn.Module]
    inputs: Callable[[], tuple[Tensor, ...]]


def _numbers(*shape: int) -> Callable[[], tuple[Tensor, ...]]:
    return lambda: (torch.randn(shape),)


def _tokens(length: int, most: int) -> Callable[[], tuple[Tensor, ...]]:
    return lambda: (torch.randint(0, most, (1, length)),)


def _decode_inputs() -> tuple[Tensor, ...]:
    caches = [torch.randn(1, 16, 256, 64) for _ in range(4)]
    return torch.randn(1, 1, 1024), torch.tensor(200), *caches


def _two_sequences() -> tuple[Tensor, ...]:
    return torch.randn(1, 64, 256), torch.randn(1, 64, 256)


def _kinds_inputs() -> tuple[Tensor, ...]:
    return torch.randn(128, 13), torch.randint(0, 10000, (128, 26))


_IMAGE: Final = _numbers(1, 3, 224, 224)

MODELS: Final = {
    "mlp": Model("MLP 1024-4096-4096-1024, 32 rows", sequences.mlp, _numbers(32, 1024)),
    "resnet18": Model("ResNet-18, 224", vision.resnet18, _IMAGE),
    "nanogpt": Model("nanoGPT 4x256, 64 tokens", sequences.nano_gpt, _tokens(64, 256)),
    "bert": Model("BERT mini, 128 tokens", sequences.bert_mini, _tokens(128, 30522)),
    "unet": Model("U-Net, 128", vision.UNet, _numbers(1, 3, 128, 128)),
    "separable": Model(
        "depthwise separable x3", vision.separable, _numbers(1, 32, 112, 112)
    ),
    "mobilenet": Model("MobileNetV2, 224", vision.mobilenet_v2, _IMAGE),
    "vit": Model("ViT 384x6, 224", sequences.VisionTransformer, _IMAGE),
    "mixer": Model("MLP-Mixer, 4 blocks", vision.mixer, _IMAGE),
    "decode": Model("Llama decode, 1 token", sequences.llama_decode, _decode_inputs),
    "lstm": Model("LSTM 2x128, 32 steps", sequences.lstm, _numbers(1, 32, 128)),
    "efficientnet": Model("EfficientNet-B0, 224", vision.efficientnet_b0, _IMAGE),
    "convnext": Model("ConvNeXt-tiny, 224", vision.convnext_tiny, _IMAGE),
    "prefill": Model(
        "Llama prefill, 128 tokens", sequences.llama_prefill, _numbers(1, 128, 1024)
    ),
    "gru": Model("GRU 2x128, 32 steps", sequences.gru, _numbers(1, 32, 128)),
    "audio": Model("audio CNN M5, 16000", sequences.audio_cnn, _numbers(1, 1, 16000)),
    "squeezenet": Model("SqueezeNet 1.1, 224", vision.squeezenet, _IMAGE),
    "dcgan": Model("DCGAN generator, 64", vision.dcgan, _numbers(1, 100)),
    "pointnet": Model("PointNet, 1024 points", vision.pointnet, _numbers(1, 3, 1024)),
    "tcn": Model(
        "temporal CNN, 512 steps", sequences.temporal_cnn, _numbers(1, 16, 512)
    ),
    "translator": Model(
        "transformer 3+3x256, 64 tokens", sequences.Translator, _two_sequences
    ),
    "recommender": Model("DLRM, 128 rows", sequences.Recommender, _kinds_inputs),
}


def made(name: str) -> tuple[Any, tuple[Tensor, ...]]:
    """A network with random weights, and its inputs: the same in each process."""
    torch.manual_seed(0)
    model = MODELS[name].make().eval()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm1d | nn.BatchNorm2d):
            nn.init.uniform_(module.running_var, 0.5, 1.5)
            nn.init.normal_(module.running_mean, std=0.1)
            nn.init.uniform_(module.weight, 0.5, 1.5)
    return model, MODELS[name].inputs()
