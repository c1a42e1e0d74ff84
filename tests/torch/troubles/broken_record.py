"""A worker of the DataLoader comes to a record that it cannot parse."""

import json

import torch
from common import done, running
from nets import DEVICE, GPU, LENGTH, VOCABULARY, gpt, next_token_loss
from torch.utils.data import DataLoader, Dataset

BATCH = 64 if GPU else 4
BROKEN = BATCH * (300 if GPU else 200)


def parse(line: str) -> torch.Tensor:
    return torch.tensor(json.loads(line)["ids"])


class Records(Dataset):
    def __len__(self):
        return 1_000_000

    def __getitem__(self, index):
        line = json.dumps({"ids": [(index + at) % VOCABULARY for at in range(LENGTH)]})
        return parse(line[:-20] if index == BROKEN else line)


if __name__ == "__main__":
    net = gpt()
    optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
    steps = 0
    for ids in DataLoader(Records(), batch_size=BATCH, num_workers=2):
        next_token_loss(net, ids.to(DEVICE)).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps += 1
        if not running():
            break
    done(steps)
