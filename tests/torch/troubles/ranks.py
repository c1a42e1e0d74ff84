"""Starts two ranks on this machine, joined by gloo, on the CPU."""

import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing
from nets import gpt


def small_gpt() -> torch.nn.Module:
    return gpt(2, 64, 4).cpu().float()


def stopped(running: bool) -> bool:
    """Whether rank 0 says so: all ranks end after the same step."""
    stop = torch.tensor(0 if running else 1)
    dist.broadcast(stop, 0)
    return bool(stop)


def start(rank: int, port: int, train):
    os.environ.update(
        MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port), RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2"
    )
    torch.set_num_threads(1)
    dist.init_process_group("gloo")
    train(rank)
    dist.destroy_process_group()


def train_together(train):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(start, (port, train), nprocs=2)
