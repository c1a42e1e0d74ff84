"""`debrief record --on`: what findings of a running job call for, against a real process, a real HTTP and a real SMTP server."""

import email
import email.policy
import http.server
import json
import os
import shutil
import socketserver
import subprocess
import threading

import pytest
from conftest import binary
from test_record import PYTHON, description, record
from test_record_gpu import LIBRARY

# A recording of a few samples has too little data for a diagnosis, and that is a finding.
ANY = "insufficient_data"
# Runs until what a test waits for has happened, and a bit longer: it must not happen again.
JOB = ("sh", "-c", "while [ ! -e enough ]; do sleep 0.1; done; sleep 2")


def actions_of(folder) -> list[dict]:
    return description(folder / "job")["Recording"]["Actions"]


class Awaited:
    """Ends the job after so many messages."""

    def __init__(self, folder):
        self.folder = folder
        self.messages = 1

    def one_has_come(self):
        self.messages -= 1
        if self.messages == 0:
            (self.folder / "enough").touch()


@pytest.fixture
def awaited(tmp_path):
    return Awaited(tmp_path)


@pytest.fixture
def web(awaited):
    """Keeps what is posted to it; /refused is answered with 500."""
    posts = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posts.append((self.path, self.headers["Content-Type"], body))
            self.send_response(500 if self.path == "/refused" else 200)
            self.end_headers()
            self.wfile.write(b"ok")
            awaited.one_has_come()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", posts
        server.shutdown()


@pytest.fixture
def mail_server(awaited):
    """As much of RFC 5321 as one mail takes. Gives its address and the mails: (from, to, bytes)."""
    mails = []

    class Handler(socketserver.StreamRequestHandler):
        def say(self, text):
            self.wfile.write(text.encode() + b"\r\n")

        def handle(self):
            self.say("220 test")
            sender, receiver = "", ""
            while line := self.rfile.readline().decode().rstrip("\r\n"):
                verb = line.split(":")[0].split(" ")[0].upper()
                if verb == "MAIL":
                    sender = line.split(":", 1)[1].split(" ")[0]
                if verb == "RCPT":
                    receiver = line.split(":", 1)[1]
                if verb == "DATA":
                    self.say("354 go on")
                    lines = []
                    while (part := self.rfile.readline()) != b".\r\n":
                        lines.append(part)
                    mails.append((sender, receiver, b"".join(lines)))
                    awaited.one_has_come()
                self.say("221 bye" if verb == "QUIT" else "250 ok")
                if verb == "QUIT":
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}", mails
        server.shutdown()


def test_webhook_gets_what_slack_takes(tmp_path, web, debrief):
    address, posts = web
    options = ["--live", "1s", "--name", "train <b>", "--on", f"{ANY}=webhook:{address}/secret-hook"]
    outcome = record(tmp_path, *JOB, interval="1s", options=options)
    assert outcome.returncode == 0, outcome.stderr
    assert len(posts) == 1  # once, however often it holds
    path, kind, body = posts[0]
    assert (path, kind) == ("/secret-hook", "application/json")
    document = json.loads(body)
    assert list(document) == ["text"]
    assert document["text"].startswith("debrief: train &lt;b&gt; on ")
    assert f"Report: {tmp_path}/job/report.html" in document["text"]
    (action,) = actions_of(tmp_path)
    assert (action["Condition"], action["Action"], action["Outcome"]) == (ANY, "webhook", "done")
    (told,) = debrief.result(tmp_path / "job")["job"]["actions"]
    assert (told["condition"], told["action"], told["why"], told["outcome"]) == (
        ANY,
        "webhook",
        action["Why"],
        "done",
    )
    page = (tmp_path / "job/report.html").read_text()
    assert "Actions during the job" in page
    # The address is a secret of Slack's: it is in no file of the job.
    for file in (tmp_path / "job").rglob("*"):
        assert file.is_dir() or b"secret-hook" not in file.read_bytes(), file


def test_webhook_that_fails_is_told(tmp_path, web, awaited):
    address, posts = web
    awaited.messages = 2
    outcome = record(
        tmp_path, *JOB, interval="1s", options=["--live", "1s", "--on", f"{ANY}=webhook:{address}/refused"]
    )
    assert outcome.returncode == 0
    assert len(posts) == 2  # tried twice
    assert actions_of(tmp_path)[0]["Outcome"] == "the server answered 500"
    assert "the action webhook of 'insufficient_data' failed: the server answered 500" in outcome.stderr


def test_mail_arrives(tmp_path, mail_server):
    server, mails = mail_server
    options = ["--live", "1s", "--smtp", server, "--on", f"{ANY}=email:you@example.com", "--name", "träin"]
    outcome = record(tmp_path, *JOB, interval="1s", options=options)
    assert outcome.returncode == 0, outcome.stderr
    ((sender, receiver, text),) = mails
    assert receiver == "<you@example.com>"
    message = email.message_from_bytes(text, policy=email.policy.default)
    assert f"<{message['From'].addresses[0].addr_spec}>" == sender
    assert message["To"] == "you@example.com"
    assert message["Subject"].startswith("debrief: träin on ")
    assert "Because of: insufficient_data" in message.get_content()
    assert actions_of(tmp_path)[0]["Outcome"] == "done"


def test_nothing_is_sent_unless_asked(tmp_path, web):
    _, posts = web
    outcome = record(tmp_path, "sleep", "4", options=["--live", "1s"])
    assert outcome.returncode == 0
    assert posts == []
    assert "Actions" not in description(tmp_path / "job")["Recording"]


def test_program_knows_the_job(tmp_path):
    (tmp_path / "notify.sh").write_text(
        '#!/bin/sh\nenv | grep ^DEBRIEF_ | sort >told; echo "said"; touch enough; exit 3\n'
    )
    (tmp_path / "notify.sh").chmod(0o755)
    outcome = record(
        tmp_path, *JOB, interval="1s", options=["--live", "1s", "--name", "one", "--on", f"{ANY}=run:./notify.sh"]
    )
    assert outcome.returncode == 0
    assert outcome.stdout == ""  # it is the command's
    assert "said\n" in outcome.stderr
    told = dict(line.split("=", 1) for line in (tmp_path / "told").read_text().splitlines())
    assert (told["DEBRIEF_JOB"], told["DEBRIEF_CONDITION"]) == ("one", ANY)
    assert told["DEBRIEF_REPORT"] == f"{tmp_path}/job/report.html"
    assert actions_of(tmp_path)[0]["Outcome"] == "ended with exit code 3"


def test_config_file_asks_for_the_same(tmp_path, web, mail_server, awaited):
    (address, posts), (server, mails) = web, mail_server
    awaited.messages = 2
    settings = {
        "on": [f"{ANY}=webhook:{address}/hook", f"{ANY}=email:you@example.com"],
        "smtp": {"server": server, "from": "me@example.com"},
    }
    (tmp_path / "debrief.json").write_text(json.dumps(settings))
    subprocess.run([str(binary()), "trust", "--yes"], cwd=tmp_path, check=True)
    outcome = record(tmp_path, *JOB, interval="1s", options=["--live", "1s"])
    assert outcome.returncode == 0, outcome.stderr
    assert len(posts) == 1
    assert [mail[0] for mail in mails] == ["<me@example.com>"]
    assert [action["Action"] for action in actions_of(tmp_path)] == ["webhook", "email"]


@pytest.fixture
def idle_gpus(tmp_path):
    """A machine whose two GPUs do nothing once there is a file `ready`: variables under which debrief finds them."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    source = LIBRARY.replace("u->gpu = 40 + index_of(device)", f'u->gpu = access("{tmp_path}/ready", 0) ? 40 : 0')
    assert source != LIBRARY
    (tmp_path / "nvml.c").write_text(f"#include <unistd.h>\n{source}")
    words = ["gcc", "-shared", "-fPIC", "-w", "-DINIT=0", "nvml.c", "-o", "libnvidia-ml.so.1"]
    subprocess.run(words, cwd=tmp_path, check=True)
    return {**os.environ, "LD_LIBRARY_PATH": str(tmp_path)}


def test_idle_gpus_stop_the_job(tmp_path, idle_gpus, debrief):
    """SIGTERM, which the command answers by saving its work."""
    script = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (open('saved', 'w').close(), sys.exit(4)))\n"
        "open('ready', 'w').close()\n"
        "time.sleep(600)"
    )
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--on", "idle_gpus for 2s=stop"], env=idle_gpus)
    assert outcome.returncode == 4
    assert (tmp_path / "saved").exists()
    note = "debrief: note: idle_gpus for 2s: stopping the command, since No GPU has been busy for 2 s."
    assert note in outcome.stderr.splitlines()
    assert description(tmp_path / "job")["TrainingJobStatus"] == "Stopped"
    (action,) = actions_of(tmp_path)
    assert action["Outcome"] == "done"
    page = (tmp_path / "job/report.html").read_text()
    assert "debrief stopped the job at" in page
    assert "No GPU has been busy for" in page
    assert "Stopped by debrief" in page
    result = debrief.result(tmp_path / "job", "--strict")
    assert result["job"]["status"] == "Stopped"
    assert result["job"]["actions"][0]["action"] == "stop"


def test_job_that_ignores_sigterm_is_killed_with_all_it_started(tmp_path, idle_gpus):
    script = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "child = os.fork()\n"
        "if child:\n"
        "    open('child', 'w').write(str(child))\n"
        "    open('ready', 'w').close()\n"
        "time.sleep(600)"
    )
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--on", "idle_gpus for 1s=stop:1s"], env=idle_gpus)
    assert outcome.returncode == 137
    child = (tmp_path / "child").read_text()
    assert not os.path.exists(f"/proc/{child}")
    (action,) = actions_of(tmp_path)
    assert action["Outcome"] == "done; it took SIGKILL, since SIGTERM had not ended it"


def test_what_a_stopped_shell_leaves_behind_is_stopped(tmp_path, idle_gpus):
    """SIGTERM ends the shell alone: its child is an orphan by then."""
    script = "sleep 600 & echo $! >child; touch ready; wait"
    outcome = record(tmp_path, "sh", "-c", script, options=["--on", "idle_gpus for 1s=stop"], env=idle_gpus)
    assert outcome.returncode == 143
    assert not os.path.exists(f"/proc/{(tmp_path / 'child').read_text().strip()}")


REFUSED = {
    "unknown kind": ("divergd=stop", "--on 'divergd=stop': 'divergd' is not a kind of finding"),
    "no action": ("idle", "--on 'idle': has no action"),
    "no address": ("idle=email:x", "--on 'idle=email:x': 'x' is not a mail address"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_triggers_start_nothing(tmp_path, debrief, name):
    trigger, sentence = REFUSED[name]
    assert debrief.refused("record", "--on", trigger, "--", "touch", str(tmp_path / "x")).startswith(sentence)
    assert list(tmp_path.iterdir()) == []


def test_wrong_config_starts_nothing(tmp_path):
    (tmp_path / "debrief.json").write_text('{"on": ["idle=halt"]}')
    words = [str(binary()), "record", "--", "touch", "started"]
    outcome = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert outcome.returncode == 2
    assert "debrief.json, on[0] 'idle=halt': 'halt' is not an action" in outcome.stderr
    assert not (tmp_path / "started").exists()
