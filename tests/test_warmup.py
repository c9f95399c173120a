"""Compiling ahead of time: what it reports, and the process that helps from the other end."""

import os
import subprocess
import sys

import pytest

from bonebed.agents import warmup


def test_it_names_every_part_and_ends_the_helper(monkeypatch):
    started, told = [], []
    popen = subprocess.Popen
    monkeypatch.setattr(
        subprocess, "Popen", lambda *args, **how: started.append(popen(*args, **how)) or started[-1]
    )
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    warmup.warm("fossil", lambda *step: told.append(step))
    assert [(done, total) for done, total, _ in told] == [(n, 10) for n in range(11)]
    assert (told[0][2], told[-1][2]) == ("random games", "compiled")
    (helper,) = started
    assert helper.returncode is not None


def test_one_core_is_not_shared(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a second process"))
    warmup.warm("fossil")


def test_the_helper_does_all_of_it():
    helping = "from bonebed.agents import warmup; warmup.help_backwards('fossil')"
    run = subprocess.run([sys.executable, "-c", helping], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


ORDER = """
from bonebed.envs import table
from bonebed.kernels import jit, rules
compiled = []
compile_one = jit._Kernel.compile
jit._Kernel.compile = lambda self, sig: compiled.append(self.__name__) or compile_one(self, sig)
with rules.backwards():
    table.rules("fossil")
print(*(name for name in dict.fromkeys(compiled) if callable(getattr(rules, name, None))))
"""


def test_the_helper_begins_with_the_last_answer():
    run = subprocess.run([sys.executable, "-c", ORDER], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [
        "value", "outcome", "resample", "observe", "legal", "step", "reset",
    ]  # fmt: skip
