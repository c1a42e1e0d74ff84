"""Lightning's Trainer, which validates while it trains: `lightning_trainer.py ACCUMULATE sized|stream`."""

import sys
import time

import lightning.pytorch as pl
import torch
from torch.utils.data import DataLoader, IterableDataset
from training import Diary, Samples, loss_of, model


class Stream(IterableDataset):
    """Samples whose number is not known beforehand."""

    def __init__(self, samples):
        self.samples = samples

    def __iter__(self):
        return (self.samples[index] for index in range(len(self.samples)))


class Net(pl.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = model()

    def training_step(self, batch, number):
        time.sleep(0.04)
        loss = loss_of(self.net, batch)
        diary.note("forward is done")
        return loss

    def validation_step(self, batch, number):
        diary.note("evaluating a batch")
        time.sleep(0.05)
        loss_of(self.net, batch)
        diary.note("evaluated a batch")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.01)

    def _register_sharded_tensor_state_dict_hooks_if_available(self):
        """Not here: Python 3.11 cannot import PyTorch 1.13's sharded tensors."""


class Callback(pl.Callback):
    def on_train_batch_start(self, trainer, module, batch, number):
        if number % accumulate == 0:
            diary.note("step begins")

    def on_train_batch_end(self, trainer, module, outputs, batch, number):
        if number % accumulate == accumulate - 1:
            diary.note("step has ended")

    def on_validation_start(self, *args):
        diary.note("evaluation begins")

    def on_validation_end(self, *args):
        diary.note("evaluation has ended")


def loader(count):
    samples = Samples(count * 4, 0.002, diary.note)
    return DataLoader(samples if sized else Stream(samples), batch_size=4)


accumulate, sized = int(sys.argv[1]), sys.argv[2] == "sized"
diary = Diary()
pl.Trainer(
    accelerator="cpu",
    max_epochs=2,
    accumulate_grad_batches=accumulate,
    # After seven of an epoch's eight steps: what comes after it is the epoch's last batch.
    val_check_interval=7 * accumulate,
    num_sanity_val_steps=2,
    callbacks=[Callback()],
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
).fit(Net(), loader(8 * accumulate), loader(5))
diary.tell()
