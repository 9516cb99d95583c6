# SPDX-License-Identifier: BSL-1.0
"""examples/charlm/open_in_python.py: prints the tensors of a checkpoint with plain `safetensors`; it knows nothing of tidemark."""

import sys

from safetensors import safe_open

with safe_open(sys.argv[1], framework="numpy") as checkpoint:
    for name in sorted(checkpoint.keys()):
        tensor = checkpoint.get_slice(name)
        print(f"{name:32} {tensor.get_dtype():5} {tensor.get_shape()}")
    losses = checkpoint.get_tensor("losses")
    print(f"the loss history as numpy: {losses.dtype} {losses.shape}, from {losses[0]:.4f} to {losses[-1]:.4f}")
