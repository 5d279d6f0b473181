"""Cutting a process off from the network and from files that are not its own, without privileges.

Network: a new user and network namespace, whose only interface is its own loopback. Where the
system forbids that, Landlock refuses TCP. Files: Landlock, by an allow list. Both hold for every
process that is started afterwards, and cannot be undone.

Landlock constants: Linux ``include/uapi/linux/landlock.h``. The system call numbers are the same
on every architecture. Standard library only: this module runs inside benchmark environments.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 1, 36, 38

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG, _RULE_PATH_BENEATH = 1, 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR, _TRUNCATE = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_ON_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE
_TCP = 0b11
_SIGNALS_AND_ABSTRACT_SOCKETS = 0b11

_SYSTEM = (
    *("/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/nix/store"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/passwd", "/etc/group", "/etc/nsswitch.conf"),
    *("/etc/hosts", "/etc/mime.types", "/etc/ssl/certs", "/etc/ssl/openssl.cnf"),
    *("/proc", "/sys/devices/system", "/dev/urandom", "/dev/random", "/dev/zero"),
)
"""What a process of any program reads: libraries, and facts about the machine."""

_DEVICES = ("/dev/null", "/dev/full")


class _RefusedError(Exception):
    """The system does not allow it; the message says what it answered."""


def isolate(reads: Iterable[str], writes: Iterable[str]) -> dict[str, str]:
    """Cut this process off; it must have one thread.

    Args:
        reads: files and folders that may be read and executed, beside the system's own.
        writes: folders in which anything may be done.

    Returns:
        For ``network`` and ``files``, ``isolated`` or why it is not.
    """
    network = _attempt(_leave_network)
    tcp = _TCP if network != "isolated" else 0
    files = _attempt(lambda: _restrict(reads, writes, tcp))
    if tcp and files == "isolated" and _abi() >= 4:
        network = "TCP isolated; other protocols not: " + network.partition(": ")[2]
    return {"network": network, "files": files}


def die_with_parent(parent: int) -> None:
    """Have the system kill this process when its parent is gone; Linux only, else nothing."""
    if sys.platform == "linux":
        with suppress(_RefusedError):
            _call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of descendants that lose theirs; Linux only, else nothing."""
    if sys.platform == "linux":
        with suppress(_RefusedError):
            _call("prctl", _PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _attempt(step: Callable[[], None]) -> str:
    if sys.platform != "linux":
        return f"not isolated: {sys.platform} has no way without privileges"
    try:
        step()
    except (_RefusedError, OSError) as error:
        return f"not isolated: {error}"
    return "isolated"


def _call(name: str, *args: object) -> int:
    """Call a function of the C library.

    Raises:
        _RefusedError: with the system's answer, or when this Python has no ctypes.
    """
    ctypes, library = _c_library()
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    result = int(getattr(library, name)(*wide))
    if result < 0:
        raise _RefusedError(f"{name}: {os.strerror(ctypes.get_errno())}")
    return result


@lru_cache(maxsize=1)
def _c_library() -> tuple[Any, Any]:
    try:
        import ctypes
    except ImportError:
        raise _RefusedError("this Python has no ctypes") from None
    return ctypes, ctypes.CDLL(None, use_errno=True)


# -- network -------------------------------------------------------------------------------------


def _leave_network() -> None:
    uid, gid = os.getuid(), os.getgid()
    _call("unshare", _CLONE_NEWUSER | _CLONE_NEWNET)
    # Without a mapping the process keeps working, as nobody.
    with suppress(OSError):
        _put("/proc/self/setgroups", "deny")
        _put("/proc/self/uid_map", f"{uid} {uid} 1")
        _put("/proc/self/gid_map", f"{gid} {gid} 1")
    with suppress(OSError):
        _raise_loopback()


def _put(path: str, text: str) -> None:
    with open(path, "w") as file:  # noqa: PTH123 - written in one piece, as the kernel asks
        file.write(text)


def _raise_loopback() -> None:
    """Benchmarks talk to servers of their own on localhost: that stays possible."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sh14x", b"lo", 0)
        _, flags = struct.unpack("16sh14x", fcntl.ioctl(probe, _SIOCGIFFLAGS, request))
        fcntl.ioctl(probe, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | _IFF_UP))


# -- files ---------------------------------------------------------------------------------------


def _abi() -> int:
    """The kernel's Landlock version, 1 or more.

    Raises:
        _RefusedError: when it has none.
    """
    return _call("syscall", _CREATE_RULESET, None, 0, _VERSION_FLAG)


def _restrict(reads: Iterable[str], writes: Iterable[str], network: int) -> None:
    abi = _abi()
    every = (1 << {1: 13, 2: 14, 3: 15, 4: 15}.get(abi, 16)) - 1
    attributes = [every, network, _SIGNALS_AND_ABSTRACT_SOCKETS]
    known = attributes[: 1 if abi < 4 else 2 if abi < 6 else 3]
    packed = struct.pack(f"={len(known)}Q", *known)
    ruleset = _call("syscall", _CREATE_RULESET, packed, len(packed), 0)
    try:
        _allow(ruleset, [*_SYSTEM, *reads], _READ & every)
        _allow(ruleset, _DEVICES, (_READ_FILE | _WRITE_FILE | _TRUNCATE) & every)
        _allow(ruleset, list(writes), every)
        _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        _call("syscall", _RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, paths: Sequence[str], access: int) -> None:
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue  # what is not there need not be allowed
        try:
            allowed = access if os.path.isdir(path) else access & _ON_FILES  # noqa: PTH112
            rule = struct.pack("=Qi", allowed, place)
            _call("syscall", _ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0)
        finally:
            os.close(place)
