"""Two ranks of DistributedDataParallel on the CPU; one of them cleans its batches in plain Python and is late every step."""

import torch
import torch.distributed as dist
from common import done, running
from nets import next_token_loss
from ranks import small_gpt, stopped, train_together


def clean_batch(ids: torch.Tensor) -> torch.Tensor:
    rows = ids.tolist()
    for _ in range(8000):
        rows = [[token if token % 2 else token // 2 * 2 for token in row] for row in rows]
    return torch.tensor(rows)


def train(rank: int):
    net = torch.nn.parallel.DistributedDataParallel(small_gpt())
    optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
    steps = 0
    while not stopped(running()):
        ids = torch.randint(0, 256, (4, 33))
        if rank == 1:
            ids = clean_batch(ids)
        next_token_loss(net, ids).backward()
        optimizer.step()
        optimizer.zero_grad()
        steps += 1
    if rank == 0:
        done(steps)
    dist.barrier()


if __name__ == "__main__":
    train_together(train)
