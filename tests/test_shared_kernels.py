"""Kernels that two games share: code for two types of records, in memory and in the cache."""

import itertools
import pickle

import numpy as np
import pytest
from numba.core.errors import TypingError

import toy
from bonebed.kernels import jit, records
from bonebed.kernels.jit import kernel
from conftest import NO_JIT
from process import run

# Two records whose fields lie in different places. `_walk` is too large to be copied into `answer`.
SHARED = """
import sys

import numpy as np

from bonebed.kernels import records, rules
from bonebed.kernels.jit import kernel

FIELDS = {
    "wide": [("bone", "i8", (5,)), ("weight", "i8"), ("deck", "i8"), ("total", "i8")],
    "slim": [("bone", "i8", (3,)), ("total", "i8")],
}
DTYPES = {name: rules.record(fields) for name, fields in FIELDS.items()}


@kernel(apart=True)
def _sum(state, factor):
    total = state.total
    for i in range(len(state.bone)):
        total += state.bone[i] * factor
    return total


@kernel
def _walk(state, n):
    total = 0
WALK
    return total


@kernel(apart=True)
def _draw(state, n):
    state.deck -= n


@records.if_has("deck")
def draw(state, n):
    _draw(state, n)


@records.if_has("weight", otherwise=-1)
@kernel(apart=True)
def _weigh(state, n):
    return state.weight * n


@kernel
def answer(state, n):
    draw(state, n)
    return _walk(state, n) + _walk(state, n + 1) + _sum(state, n) + 100 * _weigh(state, n)
""".replace(
    "WALK",
    "\n".join(
        f"    total += state.bone[(n + {i}) % 3] + _sum(state, {i})\n"
        f"    if total % {i + 5} == 1:\n"
        f"        state.bone[{i % 3}] += {i}"
        for i in range(30)
    ),
)
OTHER = """
import shared
from shared import draw
from bonebed.kernels.jit import kernel


@kernel
def again(state, n):
    draw(state, n)
    return shared.answer(state, n) + shared._weigh(state, 2)
"""
ASK = """
import sys

import numpy as np

import other
import shared

for name in {names}:
    state = np.zeros(1, shared.DTYPES[name])[0]
    state.bone[:] = np.arange(len(state.bone)) + 1
    state.total = 50
    if name == "wide":
        state.weight, state.deck = 7, 40
    print(name, other.again(state, 3), shared.draw(state, 2), *state)
kernels = [other.again, shared.answer, shared._walk, shared._sum, shared._draw]
kernels += [shared.draw.__wrapped__, shared._weigh.__wrapped__]
if hasattr(shared.answer, "stats"):
    compiled = sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels)
    print("compiled", compiled, file=sys.stderr if compiled == 0 else sys.stdout)
"""
EACH = {"wide": 7, "slim": 4}  # kernels that a record needs; slim lacks what draw and weigh need


@pytest.fixture
def ask(tmp_path):
    """Ask about some records in a process; return what it says and how much it compiled."""
    (tmp_path / "shared.py").write_text(SHARED, "utf-8")
    (tmp_path / "other.py").write_text(OTHER, "utf-8")

    def answers(*names, **settings):
        settings = {"BONEBED_CACHE": str(tmp_path / "cache")} | settings
        printed = run(ASK.format(names=names), tmp_path, PYTHONPATH=str(tmp_path), **settings)
        lines = printed.splitlines()
        compiled = [int(line.split()[1]) for line in lines if line.startswith("compiled")]
        return [line for line in lines if not line.startswith("compiled")], sum(compiled)

    return answers


def test_code_for_two_games_compiled_apart_is_used_together(ask):
    # In a process of its own each gets the same numbers for its types: names with those numbers in
    # them were equal, and the game that was loaded second was played with the code of the first.
    plain = {name: ask(name, NUMBA_DISABLE_JIT="1")[0] for name in EACH}
    for name, kernels in EACH.items():
        assert ask(name) == (plain[name], kernels)
    for order in itertools.permutations(EACH):
        assert ask(*order) == ([line for name in order for line in plain[name]], 0)


def test_code_for_two_games_compiled_together_is_used_by_either(ask):
    lines, compiled = ask("slim", "wide")
    assert compiled == sum(EACH.values())
    assert ask("wide") == (lines[1:], 0)
    assert ask("slim") == (lines[:1], 0)


def test_without_a_cache_two_games_share_kernels_too(ask):
    lines, compiled = ask("slim", "wide", BONEBED_CACHE="0")
    assert compiled == sum(EACH.values())
    assert lines == ask("slim", "wide", NUMBA_DISABLE_JIT="1")[0]


def test_processes_that_compile_for_two_games_at_a_time_do_not_overwrite_each_other(tmp_path):
    # Both open the cache before either has written to it.
    first, second = (jit._CacheFile(str(tmp_path), "step", "stamp") for _ in range(2))
    kinds = [jit.numba.from_dtype(game.STATE) for game in (toy.NIM, toy.CAMP)]
    for file, kind in zip((first, second), kinds, strict=True):
        file.save((kind, "machine"), kind.name)
    for file, kind in itertools.product((first, second), kinds):
        assert file.load((kind, "machine")) == kind.name
    assert first.load((kinds[0], "another machine")) is None
    edited = jit._CacheFile(str(tmp_path), "step", "a later stamp")
    assert edited.load((kinds[0], "machine")) is None
    edited.save((kinds[0], "machine"), "edited")
    assert edited.load((kinds[0], "machine")) == "edited"
    assert len(list(tmp_path.iterdir())) == 2


def test_the_name_of_a_record_is_the_same_in_every_process():
    kind = jit.numba.from_dtype(toy.NIM.STATE)
    again = pickle.loads(pickle.dumps(kind))
    assert kind.mangling_args == again.mangling_args
    assert kind.mangling_args != jit.numba.from_dtype(toy.CAMP.STATE).mangling_args


# --- a function for the records that have a field -------------------------------------------------


@records.if_has("heap")
def lay(state, n):
    """Lay stones on the first heap."""
    state.heap[0] += n


@records.if_has("heap", otherwise=0)
def stones(state):
    """Count the stones."""
    return np.int64(state.heap[0]) + state.heap[1] + state.heap[2]


@kernel
def laid(state, n):
    """Lay some, and tell how many there are then."""
    lay(state, n)
    return stones(state)


@pytest.mark.rules
@pytest.mark.parametrize("ask_stones", [laid, lambda state, n: lay(state, n) or stones(state)])
def test_a_record_without_the_field_is_left_alone(ask_stones):
    nim, camp = toy.NIM.new(3), toy.CAMP.new(3)
    before, left = nim.heap.sum(), camp.tobytes()
    assert ask_stones(nim, np.int64(2)) == before + 2 == nim.heap.sum()
    assert ask_stones(camp, np.int64(2)) == 0
    assert camp.tobytes() == left
    assert lay(camp, np.int64(2)) is None


@pytest.mark.rules
def test_its_words_stay_with_it():
    assert (lay.__name__, lay.__doc__) == ("lay", "Lay stones on the first heap.")


@pytest.mark.skipif(NO_JIT, reason="about compiled code")
def test_it_is_compiled_for_those_that_have_the_field_only():
    test_a_record_without_the_field_is_left_alone(laid)
    (signature,) = stones.__wrapped__.signatures
    assert signature == (jit.numba.from_dtype(toy.NIM.STATE),)


@pytest.mark.skipif(NO_JIT, reason="about compiled code")
def test_a_call_without_a_record_is_refused():
    @kernel
    def wrong(n):
        """Give it a number."""
        return stones(n)

    with pytest.raises(TypingError, match="stones: wanted a record and more by position"):
        wrong(np.int64(1))
