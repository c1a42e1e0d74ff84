"""Networks of a size that keeps a GPU busy, where there is one, and otherwise one core of a CPU."""

import torch
import torch.nn.functional as F
from torch import nn

GPU = torch.cuda.is_available()
DEVICE = "cuda" if GPU else "cpu"
VOCABULARY = 8192 if GPU else 256
LENGTH = 257 if GPU else 33


class Block(nn.Module):
    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.before_attention = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.before_mlp = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.before_attention(x)).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-2, -1) / q.size(-1) ** 0.5
        later = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        seen = scores.masked_fill(later, float("-inf")).softmax(-1) @ v
        x = x + self.out(seen.transpose(1, 2).reshape(batch, length, width))
        return x + self.mlp(self.before_mlp(x))


def gpt(layers: int = 8 if GPU else 2, width: int = 768 if GPU else 64, heads: int = 12 if GPU else 4) -> nn.Module:
    blocks = [Block(width, heads) for _ in range(layers)]
    net = nn.Sequential(nn.Embedding(VOCABULARY, width), *blocks, nn.LayerNorm(width), nn.Linear(width, VOCABULARY))
    return net.to(DEVICE).to(torch.bfloat16 if GPU else torch.float32)


def tokens(batch: int = 64 if GPU else 4) -> torch.Tensor:
    return torch.randint(0, VOCABULARY, (batch, LENGTH), device=DEVICE)


def next_token_loss(net: nn.Module, ids: torch.Tensor) -> torch.Tensor:
    logits = net(ids[:, :-1]).float()
    return F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())


def conv_net(width: int = 64 if GPU else 8) -> nn.Module:
    layers, channels = [], 3
    for stage in range(4):
        for _ in range(2):
            layers += [nn.Conv2d(channels, width << stage, 3, padding=1), nn.BatchNorm2d(width << stage), nn.ReLU()]
            channels = width << stage
        layers.append(nn.MaxPool2d(2))
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 10)).to(DEVICE)
