"""Opening a job runs nothing of it: programs, actions and the mail server of a debrief.json that nobody named take consent to
that very file. And no config that came with a job softens the check of it."""

import grp
import json
import os
import pty
import pwd
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import binary
from small_job import write_small_job

RULE = {"name": "Program", "program": ["sh", "rule.sh"]}
ASK = "debrief.json is not trusted"


class Place:
    """A job in `job`, a debrief.json with a program in `config`; the program leaves `ran`."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.ran = folder / "ran"
        self.job = write_small_job(folder / "job", steps=60)
        self.other = write_small_job(folder / "other", steps=60, seed=2)
        self.config = folder / "config"
        self.config.mkdir()
        self.write(self.config)

    def write(self, where: Path, **settings) -> None:
        (where / "debrief.json").write_text(json.dumps({"rules": {"custom": [RULE]}, **settings}))
        (where / "rule.sh").write_text(f"""touch {self.ran}; printf '{{"triggered": false}}'""")

    def run(self, *arguments, at: Path | None = None, **options) -> subprocess.CompletedProcess:
        return subprocess.run(
            [binary(), *map(str, arguments)],
            cwd=at or self.config,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
            **options,
        )

    def trust(self, *options, at: Path | None = None) -> None:
        outcome = self.run("trust", "--yes", *options, at=at)
        assert outcome.returncode == 0, outcome.stderr

    def reason(self, at: Path | None = None) -> str:
        """What a report says of the rule."""
        outcome = self.run("report", self.job, "-o", self.folder / "r.html", "--json", self.folder / "r.json", at=at)
        assert outcome.returncode == 0, outcome.stderr
        (row,) = [row for row in json.loads((self.folder / "r.json").read_text())["rules"] if row["rule"] == "Program"]
        ran = self.ran.exists()
        self.ran.unlink(missing_ok=True)
        assert ran == (row["status"] == "no_issue")
        assert ran == ("left out 1 program" not in outcome.stderr)
        if not ran:
            assert row["status"] == "not_evaluated" and row["reason"].startswith("not run: debrief.json is not trusted")
            assert "--config debrief.json" in row["reason"]
            assert "Not run: debrief.json is not trusted" in (self.folder / "r.html").read_text()
        return "ran" if ran else row["reason"]


@pytest.fixture
def place(tmp_path) -> Place:
    return Place(tmp_path)


# Ways into a job that has a config. Each gives the folder in which it is tried and the words.


def inside(place: Place, *words) -> tuple[Path, tuple]:
    place.write(place.job)
    return place.job, words


def behind_a_link(place: Place, *words) -> tuple[Path, tuple]:
    (place.job / "debrief.json").symlink_to("../config/debrief.json")
    shutil.copy(place.config / "rule.sh", place.job)
    return place.job, words


def from_a_link(place: Place, *words) -> tuple[Path, tuple]:
    place.write(place.job)
    (place.folder / "link").symlink_to("job")
    return place.folder / "link", words


def deeper(place: Place, *words) -> tuple[Path, tuple]:
    (place.job / "deeper").mkdir()
    place.write(place.job / "deeper")
    return place.job / "deeper", words


def beside(place: Place, *words) -> tuple[Path, tuple]:
    return place.config, words


WAYS = {
    "report of the folder": (inside, "report", "."),
    "report of a part": (inside, "report", "profiler-output"),
    "report behind a link": (behind_a_link, "report", "."),
    "report from a linked folder": (from_a_link, "report", "."),
    "report from a folder in it": (deeper, "report", ".."),
    "report of a neighbor": (beside, "report", "../job"),
    "report of a file": (inside, "report", "profiler-output/system/incremental/2026111423/1794700000.algo-1.json"),
    "report of each": (beside, "report", "--each", "../job", "../other", "--out-dir", "../out"),
    "check": (inside, "check", "."),
    "check of a part": (inside, "check", "profiler-output"),
    "check of a neighbor": (beside, "check", "../job"),
    "check with the baseline": (inside, "check", "../other", "--baseline", "."),
    "diff": (inside, "diff", ".", "../other", "-o", "../d.html"),
    "diff, the second": (inside, "diff", "../other", "profiler-output", "-o", "../d.html"),
    "watch": (inside, "watch", ".", "-o", "../w.html"),
    "watch once": (beside, "watch", "../job", "--once", "-o", "../w.html"),
    "record": (beside, "record", "-o", "../recorded", "--", "true"),
    "record into the folder": (beside, "record", "-o", ".", "--", "true"),
    "record and look": (beside, "record", "-o", "../recorded", "--live", "1s", "--", "sleep", "3"),
    "rules": (inside, "rules"),
    "export": (inside, "export", ".", "--to", "../events.csv"),
}


@pytest.mark.parametrize("name", WAYS)
def test_no_way_in_runs_a_program(place, name):
    way, *words = WAYS[name]
    folder, words = way(place, *words)
    outcome = place.run(*words, at=folder)
    assert not place.ran.exists()
    assert outcome.returncode == (2 if words[0] == "check" else 0), outcome.stderr
    if words[0] in ("report", "diff", "watch", "record"):
        assert f"{ASK}; read it and run 'debrief trust', or give --config debrief.json" in outcome.stderr
    if words[0] == "check":
        assert "--config debrief.json" in outcome.stderr


def test_a_named_config_runs_its_program(place):
    """The tests above can fail."""
    outcome = place.run("check", place.job, "--config", "debrief.json", "--fail-on", "Program")
    assert outcome.returncode == 0, outcome.stderr
    assert place.ran.exists()


def test_export_does_not_read_the_config(place):
    (place.config / "debrief.json").write_text("{no JSON")
    outcome = place.run("export", place.job, "--to", place.folder / "events.csv")
    assert outcome.returncode == 0 and "debrief.json" not in outcome.stderr
    assert place.run("report", place.job).returncode == 2


# Consent


def test_a_trusted_config_runs(place):
    assert ASK in place.reason()
    place.trust()
    assert place.reason() == "ran"
    outcome = place.run("check", place.job, "--fail-on", "Program")
    assert outcome.returncode == 0, outcome.stderr
    place.ran.unlink()
    assert place.run("trust", "--list").stdout == f"{place.config}/debrief.json: trusted\n"
    assert place.run("trust", "--revoke").returncode == 0
    assert ASK in place.reason()
    assert place.run("trust", "--list").stdout == ""
    assert place.run("trust", "--revoke").returncode == 2


def test_a_trusted_config_runs_in_the_jobs_own_folder(place):
    place.write(place.job)
    place.trust(at=place.job)
    assert place.run("report", ".", "-o", place.folder / "r.html", at=place.job).returncode == 0
    assert place.ran.exists()


def change_config(place):
    place.write(place.config, price=2)


def change_program(place):
    (place.config / "rule.sh").write_text(f"touch {place.ran}")


def link_program(place):
    (place.folder / "elsewhere.sh").write_text(f"touch {place.ran}")
    (place.config / "rule.sh").unlink()
    (place.config / "rule.sh").symlink_to("../elsewhere.sh")


def move_folder(place):
    place.config = place.config.rename(place.folder / "moved")


def add_program_of_the_folder(place):
    """PATH may have the current folder in it."""
    (place.config / "sh").write_text("")


def open_config(place):
    (place.config / "debrief.json").chmod(0o666)


def open_program(place):
    (place.config / "rule.sh").chmod(0o666)


def open_folder(place):
    place.config.chmod(0o777)


def open_folder_above(place):
    place.folder.chmod(0o777)


def open_sticky_folder(place):
    """Others cannot replace the files, but add one that a program loads."""
    place.config.chmod(0o1777)


def open_to_a_group(place):
    os.chown(place.config, -1, 4711)
    place.config.chmod(0o775)


def give_config_away(place):
    os.chown(place.config / "debrief.json", 4711, -1)


def give_program_away(place):
    os.chown(place.config / "rule.sh", 4711, -1)


def give_folder_away(place):
    os.chown(place.config, 4711, -1)


def link_into_an_open_folder(place):
    (place.folder / "open").mkdir()
    (place.config / "debrief.json").rename(place.folder / "open/debrief.json")
    (place.config / "debrief.json").symlink_to("../open/debrief.json")
    (place.folder / "open").chmod(0o777)


def open_the_store(place):
    Path(os.environ["XDG_CONFIG_HOME"], "debrief/trust").chmod(0o777)


def damage_the_store(place):
    for file in Path(os.environ["XDG_CONFIG_HOME"], "debrief/trust").iterdir():
        file.write_text("{")


ENDS = {
    change_config: "since it has changed",
    change_program: "since rule.sh has changed",
    link_program: "since rule.sh has changed",
    move_folder: "read it and run 'debrief trust'",
    add_program_of_the_folder: "since sh is new",
    open_config: "debrief.json can be changed by other users (mode 0666)",
    open_program: "rule.sh can be changed by other users (mode 0666)",
    open_folder: "config can be changed by other users (mode 0777)",
    open_folder_above: "can be changed by other users (mode 0777)",
    open_sticky_folder: "config can be changed by other users (mode 1777)",
    open_to_a_group: "config can be changed by other users (mode 0775)",
    give_config_away: "debrief.json belongs to another user (uid 4711)",
    give_program_away: "rule.sh belongs to another user (uid 4711)",
    give_folder_away: "config belongs to another user (uid 4711)",
    link_into_an_open_folder: "open can be changed by other users (mode 0777)",
    open_the_store: "trust can be changed by other users (mode 0777)",
    damage_the_store: "is damaged",
}


@pytest.mark.parametrize("change", ENDS, ids=lambda change: change.__name__)
def test_trust_ends(place, change):
    if os.geteuid() != 0 and change.__name__.startswith(("give_", "open_to_a_group")):
        pytest.skip("only root gives files away")
    place.trust()
    assert place.reason() == "ran"
    change(place)
    assert ENDS[change] in place.reason()
    if ENDS[change].endswith((")", "0777)")) and change is not open_the_store:
        assert place.run("trust", "--yes").returncode == 2  # nor can it be trusted again
        assert ENDS[change] in place.run("trust", "--yes").stderr


def test_a_private_group_may_write(place):
    """As under umask 002, the default of many distributions."""
    user = pwd.getpwuid(os.geteuid())
    try:
        private = grp.getgrgid(user.pw_gid)
    except KeyError:
        pytest.skip("this user's group has no name")
    if private.gr_name != user.pw_name or set(private.gr_mem) - {user.pw_name}:
        pytest.skip("this user has no private group")
    place.config.chmod(0o775)
    (place.config / "debrief.json").chmod(0o664)
    (place.config / "rule.sh").chmod(0o664)
    place.trust()
    assert place.reason() == "ran"


def test_a_store_in_the_job_does_not_count(place, monkeypatch):
    """XDG_CONFIG_HOME counts where it is absolute: a relative one leads into the folder that is looked at."""
    store = Path(os.environ["XDG_CONFIG_HOME"])
    place.trust()
    shutil.copytree(store, place.config / "store")
    monkeypatch.setenv("HOME", str(place.folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place.config / "store"))
    assert place.reason() == "ran"  # the copy is as good as the store
    monkeypatch.setenv("XDG_CONFIG_HOME", "store")
    assert ASK in place.reason()


def test_the_store_is_this_users_alone(place):
    place.trust()
    store = Path(os.environ["XDG_CONFIG_HOME"], "debrief")
    (file,) = (store / "trust").iterdir()
    assert [path.stat().st_mode & 0o777 for path in (store, store / "trust", file)] == [0o700, 0o700, 0o600]


def test_trusting_takes_a_person(place):
    outcome = place.run("trust")
    assert outcome.returncode == 2 and "terminal" in outcome.stderr and "--yes" in outcome.stderr
    assert ASK in place.reason()
    for answer, code in ((b"n\n", 2), (b"y\n", 0)):
        main, terminal = pty.openpty()
        process = subprocess.Popen(
            [binary(), "trust"], cwd=place.config, stdin=terminal, stdout=terminal, stderr=subprocess.PIPE
        )
        os.write(main, answer)
        process.communicate(timeout=60)
        said = os.read(main, 65536).decode()
        os.close(main)
        os.close(terminal)
        assert process.returncode == code
        assert "rule Program: sh rule.sh" in said and "with rule.sh as it is now" in said
    assert place.reason() == "ran"


def test_what_needs_no_trust_is_said(place):
    (place.config / "debrief.json").write_text('{"price": 2}')
    assert "needs no trust" in place.run("trust").stdout
    (place.config / "named.json").write_text("{}")
    assert "--config" in place.run("trust", "named.json").stderr


# Recording


def test_recording_leaves_actions_out(place, monkeypatch):
    """Whatever runs or reaches out; and what a person writes on the command line stays."""
    monkeypatch.setenv("DEBRIEF_SMTP_PASSWORD", "secret")
    on = "insufficient_data"
    (place.config / "notify.sh").write_text(f"touch {place.ran}")
    place.write(
        place.config,
        on=[f"{on}=run:sh notify.sh", f"{on}=webhook:http://localhost:9/", f"{on}=stop"],
        smtp={"server": "smtp://stranger.example", "user": "me"},
    )
    words = ("record", "--live", "1s", "--on", f"{on}=run:touch {place.folder}/mine", "--name", "x", "-o")
    command = (
        "sh",
        "-c",
        f"for i in $(seq 60); do test -e {place.folder}/mine || sleep 1; done; sleep 1; exit 3",
    )
    outcome = place.run(*words, place.folder / "a", "--", *command)
    assert outcome.returncode == 3  # not stopped
    assert (place.folder / "mine").exists() and not place.ran.exists()
    note = "left out 1 program, 3 actions and the mail server: debrief.json is not trusted"
    assert outcome.stderr.splitlines()[0].startswith(f"debrief: note: {note}; read it and run 'debrief trust'")
    assert outcome.stderr.count(note) == 1
    recording = json.loads((place.folder / "a/job.json").read_text())["Recording"]
    assert recording["Notes"][0].startswith(note)
    assert [action["Action"] for action in recording["Actions"]] == ["run"]
    assert note in (place.folder / "a/report.html").read_text()


def test_recording_acts_where_the_config_is_trusted(place):
    (place.config / "notify.sh").write_text(f"touch {place.ran}")
    place.write(place.config, on=["insufficient_data=run:sh ./notify.sh"])
    place.trust()
    command = ("sh", "-c", f"for i in $(seq 60); do test -e {place.ran} || sleep 1; done; sleep 1")
    outcome = place.run("record", "--live", "1s", "-o", place.folder / "a", "--", *command)
    assert outcome.returncode == 0 and place.ran.exists()
    assert "left out" not in outcome.stderr


def test_an_action_that_changed_meanwhile_does_not_run(place):
    (place.config / "notify.sh").write_text(f"touch {place.ran}")
    (place.config / "debrief.json").write_text('{"on": ["insufficient_data=run:sh ./notify.sh"]}')
    place.trust()
    acted = f"grep -q Outcom[e] {place.folder}/a/job.json"
    command = ("sh", "-c", f"echo >>notify.sh; for i in $(seq 60); do {acted} && break; sleep 1; done; sleep 1")
    place.run("record", "--live", "1s", "-o", place.folder / "a", "--", *command)
    assert not place.ran.exists()
    (action,) = json.loads((place.folder / "a/job.json").read_text())["Recording"]["Actions"]
    assert action["Outcome"].startswith("not run: debrief.json is not trusted, since notify.sh has changed")


# No config softens the check of what it came with.

LIES = "which must not set its own limits; add --config debrief.json if the file is yours, else --no-config"


@pytest.fixture
def soft(place) -> Place:
    """A job whose folder has a config without programs."""
    (place.job / "debrief.json").write_text('{"require": ["gpu.p50 >= 0"]}')
    (place.config / "debrief.json").write_text('{"require": ["gpu.p50 >= 0"]}')
    return place


def refused(place: Place, *words, at: Path) -> None:
    outcome = place.run("check", *words, at=at)
    assert outcome.returncode == 2
    assert LIES in outcome.stderr, outcome.stderr
    assert place.run("check", *words, "--config", "debrief.json", at=at).returncode == 0
    assert place.run("check", *words, "--no-config", "--require", "gpu.p50 >= 0", at=at).returncode == 0


def test_a_check_takes_no_config_of_the_job(soft):
    assert soft.run("check", soft.job).returncode == 0  # beside it, it is this user's
    refused(soft, ".", at=soft.job)
    refused(soft, soft.job, at=soft.job)
    refused(soft, "profiler-output", at=soft.job)
    refused(soft, "profiler-output/system", at=soft.job)
    refused(soft, "../job/profiler-output", at=soft.job)
    refused(soft, soft.other, "--baseline", ".", at=soft.job)
    refused(soft, soft.other, "--baseline", "profiler-output", at=soft.job)


def test_a_check_takes_no_config_of_a_repository_that_is_judged(soft):
    soft.job.rename(soft.config / "run")
    assert soft.run("check", "run", at=soft.config).returncode == 0
    refused(soft, ".", at=soft.config)
    refused(soft, "../config", at=soft.config)


def test_links_lead_to_the_same(soft):
    (soft.folder / "link").symlink_to("job")
    refused(soft, ".", at=soft.folder / "link")
    refused(soft, "../link", at=soft.job)
    refused(soft, "../link/profiler-output", at=soft.job)
    # The config is a link into the job.
    (soft.config / "debrief.json").unlink()
    (soft.config / "debrief.json").symlink_to("../job/debrief.json")
    refused(soft, "../job", at=soft.config)
    # The config in the job is a link out of it.
    (soft.job / "debrief.json").rename(soft.folder / "soft.json")
    (soft.job / "debrief.json").symlink_to("../soft.json")
    refused(soft, ".", at=soft.job)
    # By way of the job, from one place outside it to another.
    refused(soft, "../job", at=soft.config)


def test_parts_behind_links_are_the_jobs(soft):
    made = soft.folder / "made"
    made.mkdir()
    (made / "profiler-output").symlink_to("../job/profiler-output")
    refused(soft, "../made", "--follow-links", at=soft.job)


def test_a_saved_baseline_beside_the_config_is_no_job(soft):
    assert soft.run("report", soft.job, "-q", "-o", "r.html", "--json", "main.json").returncode == 0
    (soft.config / "debrief.json").write_text('{"baseline": "main.json", "tolerance": {"default": "5%"}}')
    assert soft.run("check", "../job").returncode == 0
