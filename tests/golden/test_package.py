"""The installed tree can be moved anywhere and has all it needs, licenses included."""

import os
import shutil
import subprocess

from conftest import ROOT, SAMPLE_JOBS, binary


def test_the_installed_tree_is_relocatable(tmp_path):
    subprocess.run(
        ["cmake", "--install", str(binary().parent), "--prefix", str(tmp_path / "first")],
        check=True,
        capture_output=True,
    )
    moved = tmp_path / "moved"
    shutil.move(tmp_path / "first", moved)
    program = moved / "bin" / "debrief"
    environment = {"PATH": os.defpath}
    subprocess.run(
        [program, "report", SAMPLE_JOBS / "ddp-gloo-straggler", "-o", tmp_path / "report.html", "--quiet"],
        check=True,
        env=environment,
    )
    assert (tmp_path / "report.html").read_text().endswith("</html>\n")

    libraries = subprocess.run(["ldd", program], check=True, capture_output=True, text=True, env=environment).stdout
    for line in libraries.splitlines():
        name = line.split()[0]
        if "=>" in line and not name.startswith(("libc.", "libm.", "libdl.", "librt.", "libpthread.")):
            assert str(moved) in line, line

    entries = subprocess.run(["readelf", "--dynamic", program], check=True, capture_output=True, text=True).stdout
    assert "Library rpath: [$ORIGIN/../lib" in entries
    assert ":" not in entries.split("Library rpath: [")[1].split("]")[0], "nothing of the machine that built it"

    licenses = moved / "share/doc/debrief/licenses"
    assert len(list(licenses.iterdir())) >= 8
    assert all(license.stat().st_size > 0 for license in licenses.iterdir())
    assert (licenses / "page-script.txt").exists()
    assert any(license.name.startswith(("apache-arrow", "libarrow")) for license in licenses.iterdir())
    assert (moved / "share/doc/debrief/LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert (moved / "share/man/man1/debrief.1").exists()
