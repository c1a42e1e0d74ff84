"""Hugging Face's Trainer, which evaluates while it trains: `huggingface.py ACCUMULATE WORKERS`."""

import sys
import time

import torch
from torch import nn
from training import Diary, Samples, model
from transformers import Trainer, TrainerCallback, TrainingArguments


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = model()

    def forward(self, x, labels):
        time.sleep(0.04 if self.training else 0.05)
        loss = nn.functional.cross_entropy(self.net(x), labels)
        diary.note("forward is done")
        return {"loss": loss}


class Named(Samples):
    def __getitem__(self, index):
        x, label = super().__getitem__(index)
        return {"x": x, "labels": label}


class Callback(TrainerCallback):
    def on_step_begin(self, *args, **kwargs):
        diary.note("step begins")

    def on_step_end(self, *args, **kwargs):
        diary.note("step has ended")


class Evaluating(Trainer):
    def evaluate(self, *args, **kwargs):
        diary.note("evaluation begins")
        metrics = super().evaluate(*args, **kwargs)
        diary.note("evaluation has ended")
        return metrics

    def prediction_step(self, *args, **kwargs):
        diary.note("evaluating a batch")
        outcome = super().prediction_step(*args, **kwargs)
        diary.note("evaluated a batch")
        return outcome


accumulate, workers = map(int, sys.argv[1:])
torch.manual_seed(0)
diary = Diary()
arguments = TrainingArguments(
    "out",
    per_device_train_batch_size=4,
    per_device_eval_batch_size=4,
    gradient_accumulation_steps=accumulate,
    num_train_epochs=2,
    # Seven of an epoch's eight steps: what comes after it is the epoch's last batch.
    eval_strategy="steps",
    eval_steps=7,
    save_strategy="no",
    logging_strategy="no",
    disable_tqdm=True,
    dataloader_num_workers=workers,
    report_to=[],
    use_cpu=True,
)
Evaluating(
    Net(),
    arguments,
    train_dataset=Named(8 * 4 * accumulate, 0.002, diary.note),
    eval_dataset=Named(5 * 4, 0.002, diary.note),
    callbacks=[Callback()],
).train()
diary.tell()
