"""What is right to say of a log, written down with the function that makes it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

# What the labels mean. They were written without a look at how debrief decides.
#
# diverged             the loss became NaN or infinite for good, or climbed far above what it had reached and stayed there
# loss_not_decreasing  the training loss is no better at the end than at the start, though it should be: nothing is learned
# overfitting          training still gets better while the same measure on held-out data has turned and got clearly worse
# overtraining         many evaluations after the best one, none of them better: the time since then bought nothing
# constant_evaluation  every evaluation gives exactly the same value, though the model changes or should
KINDS = frozenset({"diverged", "loss_not_decreasing", "overfitting", "overtraining", "constant_evaluation"})


@dataclass(frozen=True)
class Log:
    make: Callable[[Path], None]
    right: frozenset  # has to be said
    either: frozenset  # one of these has to be said; more of them may
    accepted: frozenset  # may be said

    @property
    def name(self) -> str:
        return self.make.__name__

    @property
    def healthy(self) -> bool:
        return not self.right and not self.either

    @property
    def allowed(self) -> frozenset:
        return self.right | self.either | self.accepted


LOGS: list[Log] = []


def log(*right: str, either: tuple = (), accepted: tuple = ()):
    """Labels a function that makes a log. Without anything the model is fine, or nothing can be said of it."""

    def labelled(make):
        entry = Log(make, frozenset(right), frozenset(either), frozenset(accepted))
        assert entry.allowed <= KINDS
        LOGS.append(entry)
        return make

    return labelled
