"""On what a measurement was made."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .. import __version__
from . import native

PACKAGES = (
    "numpy", "numba", "llvmlite", "gymnasium", "pettingzoo", "torch", "stable-baselines3",
    "sb3-contrib",
)  # fmt: skip


def load() -> list[float] | None:
    """Return the processes that want to run, averaged over 1, 5 and 15 minutes, where known."""
    return [round(each, 2) for each in os.getloadavg()] if hasattr(os, "getloadavg") else None


def described() -> dict[str, Any]:
    """Describe machine, versions and code.

    Returns
    -------
    dict
        Plain data.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        c_compiler = native.compiler_version()
    except native.NoProgramError as error:
        c_compiler = str(error)
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": allowed,
        "python": platform.python_version(),
        "bonebed": __version__,
        "revision": _revision(),
        "packages": {name: _version(name) for name in PACKAGES},
        "c": {"compiler": c_compiler, "flags": list(native.FLAGS)},
    }


def _processor() -> str:
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                return value.strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    """Return the installed version of a package, None if there is none."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _revision() -> str | None:
    """Return the commit of the checkout, with a plus where files were changed; None outside one."""
    command = ["git", "-C", str(Path(__file__).parents[1])]
    try:
        commit = subprocess.run(
            [*command, "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True
        )
        changed = subprocess.run(
            [*command, "status", "--porcelain"], capture_output=True, text=True
        )
    except OSError:
        return None
    if commit.returncode != 0:
        return None
    return commit.stdout.strip() + ("+" if changed.stdout.strip() else "")
