"""Takes the C++ part of a pyarrow wheel: unpack_arrow.py WHEEL FOLDER.

libparquet needs libarrow, and neither needs another library of the wheel. A wheel holds no links,
so the names that the linker looks for are made here.
"""

import pathlib
import sys
import zipfile


def placed(name: str) -> str | None:
    """Where a file of the wheel goes, if it is wanted."""
    path = pathlib.PurePosixPath(name)
    if name.startswith("pyarrow/include/"):
        return str(path.relative_to("pyarrow"))
    if path.parent.name == "pyarrow" and path.name.startswith(("libarrow.so.", "libparquet.so.")):
        return f"lib/{path.name}"
    if path.parent.name == "licenses":
        return f"licenses/{path.name}"
    return None


def main(wheel: str, folder: str) -> None:
    root = pathlib.Path(folder)
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.infolist():
            place = None if entry.is_dir() else placed(entry.filename)
            if place:
                (root / place).parent.mkdir(parents=True, exist_ok=True)
                (root / place).write_bytes(archive.read(entry))
    for library in ("libarrow", "libparquet"):
        (versioned,) = (root / "lib").glob(f"{library}.so.*")
        (root / "lib" / f"{library}.so").symlink_to(versioned.name)


if __name__ == "__main__":
    main(*sys.argv[1:])
