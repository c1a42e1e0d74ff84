"""Workers of the DataLoader draw each sample in plain Python, too slowly for the network."""

import math
import os

import torch
from common import done, running
from nets import DEVICE, GPU, conv_net
from torch.utils.data import DataLoader, Dataset

SIDE = 64 if GPU else 32


def draw_rings(index: int) -> list[list[float]]:
    """Four points of each pixel, for smooth edges."""
    middle, width = SIDE / 2 + index % 5, 1 + index % 7
    image = []
    for y in range(SIDE):
        row = []
        for x in range(SIDE):
            points = [(x + dx - middle, y + dy - middle) for dx in (0.25, 0.75) for dy in (0.25, 0.75)]
            row.append(sum(math.sin(math.hypot(*point) / width) for point in points) / 4)
        image.append(row)
    return image


class Rings(Dataset):
    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        image = torch.tensor([draw_rings(3 * index + color) for color in range(3)])
        return image, index % 10


if __name__ == "__main__":
    net = conv_net()
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    loader = DataLoader(
        Rings(), batch_size=128 if GPU else 16, shuffle=True, num_workers=min(8, os.cpu_count()), pin_memory=GPU
    )
    steps = 0
    for images, labels in loader:
        images, labels = images.to(DEVICE, non_blocking=True), labels.to(DEVICE, non_blocking=True)
        torch.nn.functional.cross_entropy(net(images), labels).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps += 1
        if not running():
            break
    done(steps)
