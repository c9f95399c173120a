"""Running a script of a test in a process of its own, in any mode and with any cache."""

import os
import subprocess
import sys
from pathlib import Path

import house

TESTS = house.ROOT / "tests"


def run(script: str, cwd: Path, **environment: str) -> str:
    """Run a script that may import what the tests share; return what it prints.

    Parameters
    ----------
    script : str
    cwd : pathlib.Path
    **environment : str
        Numba's own settings are those given here only. PYTHONPATH, by default these tests, goes
        before the one of this process.
    """
    known = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    paths = [environment.pop("PYTHONPATH", str(TESTS)), *filter(None, [known.get("PYTHONPATH")])]
    known["PYTHONPATH"] = os.pathsep.join(paths)
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=known | environment,
        cwd=cwd,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout
