"""Training logs that debrief has not been tuned on, each with what is right to say of it.

Nearly all are of real training, of models that learn in a fraction of a second (small_models.py); the three whose real
counterparts take hours are curve models. Who wrote the labels had not read how debrief decides, nor run it on any of these.

`python unseen_logs.py FOLDER` writes each log into a folder of its name."""

import sys
from pathlib import Path

import unseen_failing
import unseen_generative
import unseen_reinforced
import unseen_supervised
from unseen_label import KINDS, LOGS, Log

__all__ = ["KINDS", "LOGS", "Log"]

FAMILIES = (unseen_supervised, unseen_generative, unseen_reinforced, unseen_failing)
assert {each.make.__module__ for each in LOGS} == {family.__name__ for family in FAMILIES}


if __name__ == "__main__":
    for each in LOGS:
        folder = Path(sys.argv[1]) / each.name
        folder.mkdir(parents=True)
        each.make(folder)
