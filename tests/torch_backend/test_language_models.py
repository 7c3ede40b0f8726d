"""GPT-2 and Llama of Hugging Face, as they are, through the back end.

Small configurations with random weights: a prefill, and steps that write into a cache.
"""

# pyright: basic, reportMissingImports=false

from typing import Any

import pytest
import torch

transformers = pytest.importorskip("transformers")


def gpt2() -> Any:
    config = transformers.GPT2Config(
        n_layer=1,
        n_head=2,
        n_embd=32,
        vocab_size=50,
        n_positions=16,
        bos_token_id=0,
        eos_token_id=0,
    )
    return transformers.GPT2LMHeadModel(config).eval()


def llama() -> Any:
    config = transformers.LlamaConfig(
        hidden_size=32,
        intermediate_size=48,
        num_hidden_layers=1,
        num_attention_heads=4,
        num_key_value_heads=2,
        vocab_size=50,
        max_position_embeddings=16,
    )
    return transformers.LlamaForCausalLM(config).eval()


def generate(model: Any, config: Any, tokens: torch.Tensor) -> list[torch.Tensor]:
    """The logits of a prompt and of two steps, of which each adds a token."""
    cache = transformers.StaticCache(config=config, max_cache_len=12)
    length = tokens.shape[1]
    positions = torch.arange(length)[None]
    logits = []
    for step in range(3):
        output = model(tokens, past_key_values=cache, position_ids=positions)
        logits.append(output.logits[:, -1])
        tokens = logits[-1].argmax(-1, keepdim=True)
        positions = torch.tensor([[length + step]])
    return logits


@pytest.mark.parametrize("make", [gpt2, llama])
def test_prefill_and_decode(make: Any) -> None:
    model, tokens = make(), torch.randint(0, 50, (2, 6))
    with torch.no_grad():
        expected = generate(model, model.config, tokens)
        fast = torch.compile(model, backend="xbuf", options={"optimize": False})
        torch.testing.assert_close(
            generate(fast, model.config, tokens), expected, rtol=1e-4, atol=1e-4
        )
