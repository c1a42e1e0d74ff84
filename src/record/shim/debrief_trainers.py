"""What trainers do with a script's data loaders: where they evaluate, and when they hand on a batch.

Accelerate (under Hugging Face's Trainer) and Lightning ask a data loader for one batch ahead, to know which one is the last.
So a batch that arrives from the loader is not yet the one that the script goes on with: a step or an evaluation begins where
the trainer hands its batch on, and the trainer's asking ahead ends neither.
"""

from debrief_tape import gradients_wanted
from debrief_timeline import now


def patches(steps, tape):
    """By the module's name, what to do with it once it is loaded."""
    found = {
        "transformers.trainer": lambda module: mark_evaluation(
            steps, tape, getattr(module, "Trainer", None), ("evaluation_loop", "prediction_loop")
        ),
        "accelerate.data_loader": lambda module: mark_generators(
            steps, tape, module, ("DataLoaderShard", "DataLoaderDispatcher")
        ),
    }
    for package in ("lightning.pytorch", "pytorch_lightning"):
        found[package + ".loops.evaluation_loop"] = lambda module: mark_evaluation(
            steps, tape, getattr(module, "_EvaluationLoop", None), ("run",)
        )
        found[package + ".loops.dataloader.evaluation_loop"] = lambda module: mark_evaluation(
            steps, tape, getattr(module, "EvaluationLoop", None), ("run",)
        )
        found[package + ".loops.fetchers"] = lambda module: mark_fetcher(
            steps, tape, getattr(module, "_PrefetchDataFetcher", None)
        )
    return found


def mark_evaluation(steps, tape, kind, names):
    def mark(name):
        original = getattr(kind, name)

        def loop(self, *args, **kwargs):
            tape.append((steps.enter_evaluation,))
            try:
                return original(self, *args, **kwargs)
            finally:
                tape.append((steps.leave_evaluation, now()))

        dress(loop, original)
        setattr(kind, name, loop)

    for name in names:
        if hasattr(kind, name):
            mark(name)


def mark_generators(steps, tape, module, names):
    """Loaders whose `__iter__` is a generator."""

    def mark(kind):
        original = kind.__iter__

        def batches(self):
            inner = original(self)
            while True:
                try:
                    batch = hand_on(steps, tape, next, inner)
                except StopIteration:
                    return
                yield batch

        dress(batches, original)
        kind.__iter__ = batches

    for name in names:
        if hasattr(module, name):
            mark(getattr(module, name))


def mark_fetcher(steps, tape, kind):
    """Lightning's fetcher, whose `__iter__` already asks for a batch where the number of batches is not known."""
    if kind is None:
        return
    make_ready, next_batch = kind.__iter__, kind.__next__

    def marked_iter(self):
        tape.within += 1
        try:
            return make_ready(self)
        finally:
            tape.within -= 1

    def marked_next(self):
        return hand_on(steps, tape, next_batch, self)

    dress(marked_iter, make_ready)
    dress(marked_next, next_batch)
    kind.__iter__, kind.__next__ = marked_iter, marked_next


def hand_on(steps, tape, get, source):
    outermost = tape.within == 0 and tape.depth == 0
    if outermost:
        moment = now()
        tape.append((steps.asked, moment, gradients_wanted()))
        if moment > tape.due:  # the trainer may have data without a data loader, and evaluate only
            tape.tick()
    tape.within += 1
    try:
        batch = get(source)
    finally:
        tape.within -= 1
    if outermost:
        tape.append((steps.arrived, now(), gradients_wanted()))
    return batch


def dress(function, original):
    function.__name__, function.__doc__, function.__wrapped__ = original.__name__, original.__doc__, original
