"""Folders of BenchAudit's own: the cache, and temporary folders that no kill leaves behind."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

CACHE_VARIABLE = "BENCHAUDIT_CACHE"
_LOCK = ".lock"


def cache() -> Path:
    """The folder for what can be made again: BENCHAUDIT_CACHE, else the user's cache folder."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen).absolute()
    import platformdirs

    return platformdirs.user_cache_path("benchaudit")


@contextmanager
def locked(path: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock file ``path``, which any process has at most once; a kill lets go of it.

    Args:
        path: created with its folder when absent, and left there.
        waiting: called once when somebody else holds the lock.

    Raises:
        OSError: when the file cannot be created.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if waiting is not None:
                waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def temporary(parent: Path) -> Iterator[Path]:
    """A new folder under ``parent``, removed on leaving.

    What killed processes left under ``parent`` is removed on entering: a folder whose lock nobody
    holds has lost its owner.

    Raises:
        OSError: when the folder cannot be created.
    """
    with locked(parent / _LOCK):
        for child in parent.iterdir():
            if child.is_dir() and _is_abandoned(child):
                shutil.rmtree(child, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(dir=parent))
        held = (folder / _LOCK).open("w")
        fcntl.flock(held, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        held.close()


def _is_abandoned(folder: Path) -> bool:
    with suppress(BlockingIOError), (folder / _LOCK).open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False
