"""What trainers do with a script's data loaders: where they evaluate, and when they hand on a batch.

Accelerate (under Hugging Face's Trainer) and Lightning ask a data loader for one batch ahead, to know which one is the last.
So a batch that arrives from the loader is not yet the one that the script goes on with: a step or an evaluation begins where
the trainer hands its batch on, and the trainer's asking ahead ends neither.
"""

from debrief_timeline import now


def patches(steps, guard):
    """By the module's name, what to do with it once it is loaded."""
    found = {
        "transformers.trainer": lambda module: mark_evaluation(
            steps, guard, getattr(module, "Trainer", None), ("evaluation_loop", "prediction_loop")
        ),
        "accelerate.data_loader": lambda module: mark_generators(
            steps, guard, module, ("DataLoaderShard", "DataLoaderDispatcher")
        ),
    }
    for package in ("lightning.pytorch", "pytorch_lightning"):
        found[package + ".loops.evaluation_loop"] = lambda module: mark_evaluation(
            steps, guard, getattr(module, "_EvaluationLoop", None), ("run",)
        )
        found[package + ".loops.dataloader.evaluation_loop"] = lambda module: mark_evaluation(
            steps, guard, getattr(module, "EvaluationLoop", None), ("run",)
        )
        found[package + ".loops.fetchers"] = lambda module: mark_fetcher(
            steps, guard, getattr(module, "_PrefetchDataFetcher", None)
        )
    return found


def mark_evaluation(steps, guard, kind, names):
    def mark(name):
        original = getattr(kind, name)

        def loop(self, *args, **kwargs):
            guard(steps.close)
            steps.eval_depth += 1
            try:
                return original(self, *args, **kwargs)
            finally:
                if steps.eval_begin is not None:
                    guard(steps.end_evaluation, now())
                steps.eval_depth -= 1

        dress(loop, original)
        setattr(kind, name, loop)

    for name in names:
        if hasattr(kind, name):
            mark(name)


def mark_generators(steps, guard, module, names):
    """Loaders whose `__iter__` is a generator."""

    def mark(kind):
        original = kind.__iter__

        def batches(self):
            inner = original(self)
            while True:
                try:
                    batch = hand_on(steps, guard, next, inner)
                except StopIteration:
                    return
                yield batch

        dress(batches, original)
        kind.__iter__ = batches

    for name in names:
        if hasattr(module, name):
            mark(getattr(module, name))


def mark_fetcher(steps, guard, kind):
    """Lightning's fetcher, whose `__iter__` already asks for a batch where the number of batches is not known."""
    if kind is None:
        return
    make_ready, next_batch = kind.__iter__, kind.__next__

    def marked_iter(self):
        steps.within += 1
        try:
            return make_ready(self)
        finally:
            steps.within -= 1

    def marked_next(self):
        return hand_on(steps, guard, next_batch, self)

    dress(marked_iter, make_ready)
    dress(marked_next, next_batch)
    kind.__iter__, kind.__next__ = marked_iter, marked_next


def hand_on(steps, guard, get, source):
    outermost = steps.within == 0 and steps.depth == 0
    if outermost:
        guard(steps.asked, now())
    steps.within += 1
    try:
        batch = get(source)
    finally:
        steps.within -= 1
    if outermost:
        guard(steps.arrived, now())
    return batch


def dress(function, original):
    function.__name__, function.__doc__, function.__wrapped__ = original.__name__, original.__doc__, original
