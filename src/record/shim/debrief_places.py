"""What is told of where a piece of code is from: never a whole path."""

import os

OWN, PACKAGE, PYTHON = "own", "package", "python"

STANDARD_LIBRARY = os.path.dirname(os.__file__) + os.sep


def place_of(path, folder):
    """The path relative to the installed packages, the standard library or the working folder, else its name alone; and whose it is."""
    for packages in ("/site-packages/", "/dist-packages/"):
        at = path.rfind(packages)
        if at >= 0:
            return path[at + len(packages) :], PACKAGE
    if path.startswith("<"):
        return path, PYTHON if path.startswith("<frozen") else OWN
    if not os.path.isabs(path):
        path = os.path.join(folder, path)
    path = os.path.normpath(path)
    if path.startswith(STANDARD_LIBRARY):
        return path[len(STANDARD_LIBRARY) :], PYTHON
    if folder != os.sep and path.startswith(folder + os.sep):
        return path[len(folder) + 1 :], OWN
    return os.path.basename(path), OWN


def is_recorder(path):
    """Whether a call is of this folder's patches, which the job's own stacks would not have."""
    return os.path.dirname(path) == HERE


HERE = os.path.dirname(os.path.abspath(__file__))
