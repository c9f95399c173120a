"""Play a game with the kernel and its slow reference side by side, comparing after every step."""

from __future__ import annotations

import functools
import importlib
import random
from collections import Counter

import numpy as np


def naive_of(name):
    """Return the slow reference of a game, tests/naive/<name>.py."""
    return importlib.import_module(f"naive.{name}")


@functools.cache
def encode(rules, naive, choice):
    """Return the action that the kernel's table gives to a choice of the reference."""
    names = naive.FIELDS_OF_CHOICE[choice[0]]
    return rules.actions.encode(choice[0], **dict(zip(names, choice[1:], strict=True)))


def record_of(rules, naive, game, options):
    """Return the kernel's record of a position that the reference is in."""
    state = rules.new(**options)
    for field, value in naive.fields(game).items():
        state[field] = value
    return state


@functools.cache
def layout(rules):
    """Return where each field of a record lies: its slice of the bytes, its dtype and its shape."""
    fields = {}
    for name, (kind, offset) in rules.STATE.fields.items():
        fields[name] = slice(offset, offset + kind.itemsize), kind.base, kind.shape
    return fields


class Reader:
    """Reads a record's fields as plain Python values, anew only those whose bytes have changed."""

    def __init__(self, rules, state):
        self.layout = layout(rules)
        self.state = state
        self.pieces: dict[str, bytes] = {}
        self.values: dict = {}

    def read(self):
        """Return the values of all fields as they are now."""
        memory = self.state.tobytes()
        for field, (place, kind, shape) in self.layout.items():
            piece = memory[place]
            if piece != self.pieces.get(field):
                self.pieces[field] = piece
                self.values[field] = np.frombuffer(piece, kind).reshape(shape).tolist()
        return self.values


def compare(rules, naive, state, game, fixed):
    """Assert that a record agrees with the reference in everything; no field may be left out."""
    assert set(naive.fields(game)) | set(fixed) == set(rules.STATE.names)
    agree_on_fields(naive, Reader(rules, state), game, fixed)
    agree_on_choices(rules, naive, state, game)


def agree_on_fields(naive, reader, game, fixed):
    """Assert that a record holds what the reference says.

    Parameters
    ----------
    reader : Reader of the record
    fixed : dict
        What the record held, at the start, in the fields that no step may change.
    """
    found = reader.read()
    for field, value in naive.fields(game).items():
        if found[field] != value:
            raise AssertionError(f"{field}: kernel {found[field]}, reference {value}")
    for field, value in fixed.items():
        if found[field] != value:
            raise AssertionError(f"{field} changed during the game")


def free_options(rules):
    """Return the options that can be anything, whatever the number of players is."""
    leader = rules.option("num_players").follows
    return [
        option
        for option in rules.options
        if option.follows is None and option.name not in ("num_players", leader)
    ]


def agree_on_choices(rules, naive, state, game):
    """Assert that kernel and reference have the same legal actions, and in the end one result."""
    wanted = [encode(rules, naive, choice) for choice in game.choices]
    legal = rules.legal_actions(state).tolist()
    assert legal == wanted, f"legal: kernel {legal}, reference {wanted}"
    if game.over:
        outcome = np.zeros(game.num_players, np.float32)
        rules.outcome(state, outcome)
        np.testing.assert_allclose(outcome, game.outcome(), atol=1e-6)


def play(rules, naive, state, game, policy, luck, told, every=1):
    """Play one game to its end, comparing before the first step and after every step.

    Parameters
    ----------
    rules : Rules of the kernel
    naive : module of the reference
    state : STATE record, played in place
    game : the reference's game, at the same position
    policy : callable of (game, luck), which returns a choice
    luck : random.Random for the policy
    told : str
        What a failure prints besides the actions, enough to repeat the game.
    every : int
        Steps from one comparison of all fields to the next; the legal actions and the result are
        compared after every step. A difference in a field stays there or soon shows in another, so
        a few steps later it is found as well, and the comparison is most of the time.

    Returns
    -------
    Counter of the events that the reference noted
    """
    actions: list[int] = []
    reader = Reader(rules, state)
    at_start = reader.read()
    fixed = {f: at_start[f] for f in naive.FIXED_FIELDS if f in at_start}
    at = int(state.seed)  # not in the same places in every game
    try:
        compare(rules, naive, state, game, fixed)
        while not game.over:
            assert len(actions) < rules.max_decisions, "the game does not end"
            choice = policy(game, luck)
            actions.append(encode(rules, naive, choice))
            game.choose(choice)
            rules.step(state, actions[-1])
            if game.over or (at + len(actions)) % every == 0:
                agree_on_fields(naive, reader, game, fixed)
            agree_on_choices(rules, naive, state, game)
    except Exception as error:
        raise AssertionError(f"{rules.name}: {told}, actions {actions}: {error}") from error
    return game.events


def play_seeds(rules, naive, seeds, policy, every=1, **options):
    """Play whole games, one for each seed, and return the events of all of them."""
    events: Counter[str] = Counter()
    for seed in seeds:
        state = rules.new(seed, **options)
        game = naive.start(state, rules.options_dict(state))
        told = f"seed {seed}, options {options}, policy {policy}"
        luck = random.Random(seed)
        events += play(rules, naive, state, game, naive.POLICIES[policy], luck, told, every)
    return events


def play_positions(rules, naive, seeds, policy, every=1, **options):
    """Play on from positions near the end of a game, one for each seed, and return the events."""
    events: Counter[str] = Counter()
    for seed in seeds:
        luck = random.Random(seed)
        game = naive.late_position(luck, rules.options_dict(rules.make_options(**options)))
        state = record_of(rules, naive, game, options)
        told = f"late position {seed}, options {options}, policy {policy}"
        events += play(rules, naive, state, game, naive.POLICIES[policy], luck, told, every)
    return events
