"""Tells `debrief record` of the exception that ends this Python process: its type, its message and the last calls.

sitecustomize.py loads this at the exit of a process that an exception ends, and never else. No hook is replaced: where the
interpreter has printed the exception, sys has it, and a child of multiprocessing passes by here while it unwinds. What is
told goes to a private file of the recorder, which takes secrets out before anything of it reaches the job's folder.
Works with Python 3.7 or newer.
"""

import os
import time

from debrief_places import OWN, is_recorder, place_of

MOST_TEXT = 2000  # characters of a message, before the recorder has looked at it
MOST_FRAMES = 20
MOST_CHILDREN = 64  # processes that a launcher names
MOST_WRITTEN = 4 << 20  # bytes that all processes together write


def quoted(text, most=MOST_TEXT):
    """A JSON string of anything."""
    out = []
    for character in str(text)[:most]:
        if character in '"\\':
            out.append("\\" + character)
        elif character < " " or "\ud800" <= character <= "\udfff":
            out.append("\\u%04x" % ord(character))  # noqa: UP031
        else:
            out.append(character)
    return '"' + "".join(out) + '"'


def last_frames(frames):
    """The last of them, and the job's own last one where that lies further up."""
    kept = frames[-MOST_FRAMES:]
    if all(frame[3] for frame in kept):
        own = [frame for frame in frames[:-MOST_FRAMES] if not frame[3]]
        kept = own[-1:] + kept[len(own[-1:]) :]
    return kept


def frames_of(traceback, folder):
    frames = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if not is_recorder(code.co_filename):
            path, origin = place_of(code.co_filename, folder)
            frames.append((path, traceback.tb_lineno or 0, code.co_name, origin != OWN))
        traceback = traceback.tb_next
        if len(frames) > 50 * MOST_FRAMES:  # a recursion without end
            del frames[: 25 * MOST_FRAMES]
    return last_frames(frames)


def frames_in(text, folder):
    """Of a traceback as text, as other processes hand theirs on; and the line after it, which has type and message."""
    frames, last, open_file = [], "", False
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith('File "') and '", line ' in stripped:
            path, _, rest = stripped[6:].partition('", line ')
            open_file = True
            if not is_recorder(path):
                number, _, function = rest.partition(", in ")
                place, origin = place_of(path, folder)
                frames.append((place, int(number) if number.isdigit() else 0, function.strip(), origin != OWN))
        elif open_file and stripped and not line.startswith(" "):
            last, open_file = stripped, False
    return last_frames(frames), last


def first_line(text):
    """The first that says something; torchrun's begins with a ruler."""
    for line in text.splitlines():
        if any(character.isalnum() for character in line):
            return line.strip()
    return ""


def name_of(kind):
    module = kind.__module__
    return kind.__qualname__ if module in ("builtins", "__main__") else f"{module}.{kind.__qualname__}"


def number_in(names):
    for name in names:
        value = os.environ.get(name, "")
        if value.isdigit():
            return value
    return None


def line_of(facts, frames=()):
    """One line of JSON; facts that are not known are left out."""
    told = [f'"{name}":{value}' for name, value in facts if value is not None]
    calls = ",".join(
        f"[{quoted(path, 500)},{int(line)},{quoted(function, 200)},{1 if library else 0}]"
        for path, line, function, library in frames
    )
    return "{" + ",".join(told) + f',"frames":[{calls}]}}\n'


def told_by_worker(error, folder):
    """Message and frames of an exception that another process raised and handed on; None where this process raised it."""
    text = str(error)
    if text.startswith("Caught ") and "\nOriginal Traceback" in text:  # of a DataLoader's worker, or a replica
        frames, last = frames_in(text, folder)
        return last.partition(": ")[2], frames
    cause = error.__cause__
    if cause is not None and type(cause).__name__ in ("RemoteTraceback", "_RemoteTraceback"):
        return first_line(text), frames_in(str(cause), folder)[0]
    return None


def ended(exit_code):
    """How a child ended, of what the launcher says: a negative code is a signal's."""
    if not isinstance(exit_code, int) or exit_code == 0:
        return []
    return [("exit", exit_code)] if exit_code > 0 else [("signal", -exit_code)]


def lines_of_children(error, folder):
    """What a launcher's exception says of the processes that it started: torchrun's, torch.multiprocessing's."""
    lines = []
    failures = getattr(error, "failures", None)
    if type(error).__name__ == "ChildFailedError" and isinstance(failures, dict):
        for rank, failure in list(failures.items())[:MOST_CHILDREN]:
            facts = [("pid", int(failure.pid)), ("parent", os.getpid()), ("rank", int(rank))]
            facts += [("time", int(failure.timestamp) * 1_000_000), *ended(failure.exitcode)]
            data = failure.error_file_data.get("message")
            if isinstance(data, dict):  # of the file that @record writes
                frames, last = frames_in(str(data.get("extraInfo", {}).get("py_callstack", "")), folder)
                kind, _, message = (last or first_line(str(data.get("message", "")))).partition(": ")
                facts += [("type", quoted(kind, 200)), ("message", quoted(message))]
                lines.append(line_of(facts, frames))
            else:
                lines.append(line_of(facts))
    elif type(error).__name__ == "ProcessExitedException" and isinstance(error.pid, int):
        facts = [("pid", error.pid), ("parent", os.getpid())]
        facts += [("time", time.time_ns() // 1000), *ended(getattr(error, "exit_code", None))]
        lines.append(line_of(facts))
    return lines


def tell(error, traceback, folder, step, path):
    """Appends what is known of the exception to the recorder's file, in one write."""
    try:
        message = first_line(str(error))
    except Exception:  # a text that cannot be made
        message = ""
    frames = frames_of(traceback, folder)
    try:
        handed_on = told_by_worker(error, folder)
        if handed_on is not None:
            message, frames = handed_on[0] or message, last_frames(frames + handed_on[1])
    except Exception:
        pass
    facts = [
        ("pid", os.getpid()),
        ("parent", os.getppid()),
        ("rank", number_in(("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"))),
        ("attempt", number_in(("TORCHELASTIC_RESTART_COUNT",))),
        ("time", time.time_ns() // 1000),
        ("step", step),
        ("type", quoted(name_of(type(error)), 200)),
        ("message", quoted(message)),
    ]
    try:
        lines = lines_of_children(error, folder)
    except Exception:
        lines = []
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        if os.fstat(handle).st_size < MOST_WRITTEN:
            os.write(handle, "".join([*lines, line_of(facts, frames)]).encode("utf-8", "replace"))
    finally:
        os.close(handle)
