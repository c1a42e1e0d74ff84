"""What `debrief record` marks in a PyTorch process: steps, data loader waits, backward passes, evaluation, checkpoints, pauses.

sitecustomize.py loads this when the script imports PyTorch. It patches a few functions in memory as their modules are
loaded. Nothing here raises into the script: the first error switches the marks off for good and is noted in the
recorder's log. Works with PyTorch 1.13 or newer.

Times are the host's: a step that only launches GPU work is as long as the launches, until the GPU's queue is full.
"""

import _thread
import os
import sys

from debrief_cupti import stay_attached, watch_captures
from debrief_memory import MemorySnapshot
from debrief_pauses import Pauses
from debrief_tape import Tape
from debrief_timeline import (
    BACKWARD,
    CHECKPOINT,
    EVAL,
    FORWARD,
    LOADER_SETUP,
    LOADER_WAIT,
    LOADER_WORKER,
    OPTIMIZER,
    TRAIN,
    Timeline,
    now,
)
from debrief_trainers import patches as patches_of_trainers
from debrief_windows import Windows

DETAILED_STEPS = 20_000  # later on, only every tenth step keeps its forward, backward and optimizer events
DETAIL_EVERY = 10


class Steps:
    """Finds the steps in what happens: a step ends with an optimizer step, and begins when its batch arrived.

    Optimizers that step one after the other without a batch in between, none of them twice, share a step (a GAN's two,
    say). With gradient accumulation a step begins with the first batch that was used for a backward pass. Where no batch
    was waited for, it begins where the step or the evaluation before it ended.
    """

    def __init__(self, timeline):
        self.timeline = timeline
        self.reset()

    def reset(self):
        self.number = 0
        self.eval_number = 0
        self.batch = None  # when the last training batch arrived, if no step has used it yet
        self.begin = None  # of the step that is going on
        self.mark = None  # end of the last thing that was told apart within it
        self.ended = None  # end of the last optimizer step or evaluation
        self.members = []  # ids of the optimizers of the step that has ended, until it is certain that it has
        self.span = None  # begin and end of that step
        self.optimizer_begin = None
        self.eval_depth = 0
        self.eval_begin = None

    def detailed(self):
        return self.number < DETAILED_STEPS or self.number % DETAIL_EVERY == 0

    def close(self):
        """The step is over: nothing can join it any more."""
        if self.span is None:
            return
        begin, end = self.span
        self.span = None
        self.members = []
        self.number += 1
        self.timeline.add(TRAIN, TRAIN, begin, end, f',"step_num":{self.number}')

    def start(self, moment):
        """A backward pass or an optimizer step begins; the first of a step says which batch it is of."""
        if self.begin is not None:
            return
        if self.batch is not None:
            self.begin = self.batch
        else:
            self.begin = moment if self.ended is None else self.ended
        self.mark = self.begin
        self.batch = None

    def backward(self, begin, end):
        self.start(begin)
        if self.detailed():
            step = f',"step_num":{self.number + (1 if self.span is None else 2)}'
            if begin > self.mark:
                self.timeline.add(FORWARD, "before backward", self.mark, begin, step)
            self.timeline.add(BACKWARD, "backward", begin, end, step)
        self.mark = end

    def before_optimizer(self, moment):
        self.start(moment)
        self.optimizer_begin = moment

    def after_optimizer(self, optimizer, kind, moment):
        begin, self.optimizer_begin = self.optimizer_begin, None
        if begin is None or self.begin is None:
            return
        if self.span is not None and (optimizer in self.members or self.begin != self.ended):
            self.close()
        if self.span is None:
            self.span = (self.begin, moment)
        else:
            self.span = (self.span[0], moment)
        self.members.append(optimizer)
        if self.detailed():
            # A closure runs the backward pass within the optimizer's step.
            begin = max(begin, self.mark or begin)
            self.timeline.add(OPTIMIZER, kind.__name__, begin, moment, f',"step_num":{self.number + 1}')
        self.ended = self.mark = moment
        self.begin = None

    def asked(self, moment, gradients):
        """The script is done with the batch it had, and asks for another."""
        if self.eval_begin is not None:
            if self.eval_depth > 0 or not gradients:
                self.end_evaluation(moment)
            self.eval_begin = None
        if self.begin is None:
            self.close()

    def end_evaluation(self, moment):
        self.eval_number += 1
        self.timeline.add(EVAL, EVAL, self.eval_begin, moment, f',"step_num":{self.eval_number}')
        self.eval_begin = None
        self.ended = moment  # a step without a batch begins after it

    def arrived(self, moment, gradients):
        """The script has its batch."""
        if self.eval_depth > 0 or not gradients:
            self.eval_begin = moment
        elif self.begin is None:
            self.batch = moment
        else:  # the next one of a step that accumulates gradients
            self.mark = moment

    def waited(self, loader, begin, end, handed_on, gradients):
        """A data loader took this long for a batch; whether it was the script that waited, not its trainer."""
        if handed_on:
            self.asked(begin, gradients)
        self.timeline.add(LOADER_WAIT, loader.__name__, begin, end)
        if handed_on:
            self.arrived(end, gradients)

    def enter_evaluation(self):
        self.close()
        self.eval_depth += 1

    def leave_evaluation(self, moment):
        if self.eval_begin is not None:
            self.end_evaluation(moment)
        self.eval_depth -= 1


class Shim:
    """Patches modules as the script imports them, and does nothing else."""

    def __init__(self, folder, node, log, nudge):
        self.log = log
        self.main_thread = _thread.get_ident()  # PyTorch is imported by it
        self.timeline = Timeline(folder, node, log)
        self.steps = Steps(self.timeline)
        self.tape = Tape(self.timeline, self.register_exit, nudge)
        self.pauses = Pauses(self.tape, self.timeline)
        self.saving = 0  # functions that save within others that do
        self.memory = MemorySnapshot(os.environ.get("DEBRIEF_RECORD_MEMORY"), node, log)
        self.windows = Windows(log)
        self.patches = {
            "torch.optim.optimizer": self.patch_optimizer,
            "torch.autograd": self.patch_autograd,
            "torch.autograd.profiler": self.windows.patch,
            "torch.utils.data.dataloader": self.patch_loader,
            "torch.utils.data._utils.fetch": self.patch_fetch,
            "torch.profiler.profiler": self.patch_profiler,
            "torch._dynamo.callback": self.pauses.patch_compiler,
            "torch.cuda.graphs": lambda module: watch_captures(module, log),
            "torch.serialization": lambda module: self.patch_saving(module, ("save",)),
            "torch.distributed.checkpoint.state_dict_saver": lambda module: self.patch_saving(
                module, ("save", "async_save", "save_state_dict")
            ),
            "safetensors.torch": lambda module: self.patch_saving(module, ("save_file", "save_model")),
            **patches_of_trainers(self.steps, self.tape),
        }
        os.register_at_fork(after_in_child=self.forked)

    def forked(self):
        self.windows.forked()
        self.timeline.reset()
        self.tape.reset()
        self.steps.reset()
        self.saving = 0
        self.memory.reset()

    def note(self, *entry):
        """For what happens once in a while."""
        self.tape.append(entry)
        if now() > self.tape.due:
            self.tape.tick()

    def register_exit(self):
        import atexit  # built in

        atexit.register(self.finish)
        util = sys.modules.get("multiprocessing.util")
        if util is not None and getattr(sys.modules.get("multiprocessing.process"), "_parent_process", None):
            util.Finalize(None, self.finish, exitpriority=0)  # such children leave without atexit

    def finish(self):
        self.memory.finish()
        try:
            self.tape.append((self.steps.close,))
            self.tape.play()
        except Exception as error:
            self.timeline.fail(error)

    def patch_optimizer(self, module):
        tape, append = self.tape, self.tape.append
        snapshot = None if self.memory.over else self.memory.after_optimizer_step
        before_optimizer, after_optimizer = self.steps.before_optimizer, self.steps.after_optimizer

        def before(optimizer, args, kwargs):
            append((before_optimizer, now()))

        def after(optimizer, args, kwargs):
            moment = now()
            append((after_optimizer, id(optimizer), type(optimizer), moment))
            if snapshot:
                snapshot()
            if moment > tape.due:
                tape.tick()

        for hook in (before, after):
            hook._torchdynamo_disable = True
        if hasattr(module, "register_optimizer_step_pre_hook"):  # PyTorch 2
            module.register_optimizer_step_pre_hook(before)
            module.register_optimizer_step_post_hook(after)
            return

        original = module.Optimizer._hook_for_profile

        def hook_for_profile(optimizer):
            original(optimizer)
            kind = type(optimizer)
            step = kind.step
            if getattr(step, "_debrief", False):
                return

            def marked(self, *args, **kwargs):
                before(self, args, kwargs)
                outcome = step(self, *args, **kwargs)
                after(self, args, kwargs)
                return outcome

            marked.__dict__.update(step.__dict__)
            marked.__name__, marked.__doc__, marked.__wrapped__ = step.__name__, step.__doc__, step
            marked._debrief = True
            kind.step = marked

        module.Optimizer._hook_for_profile = hook_for_profile

    def patch_autograd(self, module):
        tape, append, passed, original = self.tape, self.tape.append, self.steps.backward, module.backward

        def backward(*args, **kwargs):
            begin = now()
            outcome = original(*args, **kwargs)
            end = now()
            append((passed, begin, end))
            if end > tape.overdue:  # neither an optimizer nor a loader has looked
                tape.tick()
            return outcome

        backward.__name__, backward.__doc__, backward.__wrapped__ = "backward", original.__doc__, original
        backward.__module__ = original.__module__
        backward._torchdynamo_disable = True
        module.backward = backward

    def patch_loader(self, module):
        tape, append, timeline, note = self.tape, self.tape.append, self.timeline, self.note
        asked, waited, arrived = self.steps.asked, self.steps.waited, self.steps.arrived
        gradients_wanted = module.torch.is_grad_enabled
        kind = module._BaseDataLoaderIter
        next_batch = kind.__next__
        make_iterator = module.DataLoader.__iter__

        def marked_next(self):
            if tape.depth > 0:
                return next_batch(self)
            tape.depth = 1
            begin = now()
            try:
                batch = next_batch(self)
            except BaseException:  # mostly the end of the data
                if tape.within == 0:
                    note(asked, begin, gradients_wanted())
                raise
            finally:
                tape.depth = 0
            end = now()
            gradients = gradients_wanted()
            append((waited, type(self), begin, end, tape.within == 0, gradients))
            if end > tape.due:
                tape.tick()
                if tape.within == 0:  # the time that it took is no part of the step
                    append((arrived, now(), gradients))
            return batch

        def marked_iter(self):
            begin = now()
            outcome = make_iterator(self)
            end = now()
            try:
                note(timeline.add, LOADER_SETUP, type(outcome).__name__, begin, end, facts_of(self))
            except Exception as error:
                timeline.fail(error)
            return outcome

        def facts_of(loader):
            facts = f',"num_workers":{int(loader.num_workers)},"pin_memory":{"true" if loader.pin_memory else "false"}'
            if isinstance(loader.prefetch_factor, int):
                facts += f',"prefetch_factor":{loader.prefetch_factor}'
            # Accelerate gives its loaders a sampler of batches, which has the size.
            size = loader.batch_size or getattr(loader.batch_sampler, "batch_size", None)
            if isinstance(size, int):
                facts += f',"batch_size":{size}'
            return facts

        kind.__next__ = marked_next
        module.DataLoader.__iter__ = marked_iter

    def patch_fetch(self, module):
        timeline, note = self.timeline, self.note

        def fetched(worker, begin, end):
            if timeline.handle is None and timeline.owner == timeline.pid:
                timeline.owner = sys.modules["multiprocessing.process"].parent_process().pid
            timeline.add(LOADER_WORKER, "fetch", begin, end, f',"worker_id":{int(worker)}')

        def mark(kind):
            original = kind.fetch

            def fetch(self, *args, **kwargs):
                worker = getattr(sys.modules.get("torch.utils.data._utils.worker"), "_worker_info", None)
                if worker is None:
                    return original(self, *args, **kwargs)
                begin = now()
                outcome = original(self, *args, **kwargs)
                note(fetched, worker.id, begin, now())
                return outcome

            kind.fetch = fetch

        mark(module._MapDatasetFetcher)
        mark(module._IterableDatasetFetcher)

    def patch_saving(self, module, names):
        """Time in which the script waits for a checkpoint; what goes on in the background afterward is not."""
        shim, timeline, main = self, self.timeline, self.main_thread

        def mark(name):
            original = getattr(module, name)

            def save(*args, **kwargs):
                if _thread.get_ident() != main:  # nobody waits for what a background thread saves
                    return original(*args, **kwargs)
                shim.saving += 1
                begin = now()
                try:
                    return original(*args, **kwargs)
                finally:
                    shim.saving -= 1
                    if shim.saving == 0:
                        shim.note(timeline.add, CHECKPOINT, name, begin, now())

            save.__name__, save.__doc__, save.__wrapped__ = name, original.__doc__, original
            save.__module__ = original.__module__
            setattr(module, name, save)

        for name in names:
            if hasattr(module, name):
                mark(name)

    def patch_profiler(self, module):
        """One profiler at a time: the recorder asks for no traces where the script makes its own."""
        kind, log = module._KinetoProfile, self.log
        original = kind.__init__

        def marked_init(self, *args, **kwargs):
            log("profiler")
            stay_attached()  # as it would be without the recorder
            original(self, *args, **kwargs)

        marked_init.__doc__, marked_init.__wrapped__ = original.__doc__, original
        kind.__init__ = marked_init
