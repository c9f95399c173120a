"""Run in a process of its own by test_sheet.py, because a sheet is read once, at import.

    python tests/sheet_probe.py errors MODULE FOLDER...    what each folder's sheet is refused with
    python tests/sheet_probe.py start GAME                 a fresh game and the hashes
    python tests/sheet_probe.py twin GAME GAMES            kernel and reference in lockstep

Answers in JSON on the standard output.
"""

import importlib
import json
import os
import sys
import tempfile
from collections import Counter

import numba  # noqa: F401  before `errors` turns to another folder for compiled modules
import numpy as np


def errors(module, *folders):
    """Return, for each folder, type and text of the error that its sheet is refused with."""
    found = {}
    with tempfile.TemporaryDirectory() as compiled:
        # Each module is compiled once, not for every sheet, also where Python keeps no such files.
        sys.pycache_prefix, sys.dont_write_bytecode = compiled, False
        for folder in folders:
            os.environ["BONEBED_COMPONENTS"] = folder
            try:
                _ = importlib.import_module(module).RULES  # some load it when they are asked
                found[folder] = ["none", "accepted"]
            except Exception as error:
                found[folder] = [type(error).__name__, str(error)]
            sys.modules.pop(module, None)
    return found


def start(name):
    """Return what can be seen of a sheet without playing."""
    from bonebed.envs import table

    rules = table.rules(name)
    return {
        "points": rules.new().score[: rules.min_players].tolist(),
        "sheet": str(rules.sheet.path),
        "hashes": [rules.sheet.hash, rules.rules_hash],
        "max_decisions": rules.max_decisions,
        "players": [rules.min_players, rules.max_players],
    }


def twin(name, games):
    """Play in lockstep, whole games and late positions, and observe one game within bounds.

    Returns
    -------
    dict
        The number of games and the events that the reference noted.
    """
    from bonebed.envs import table
    from lockstep import naive_of, play_positions, play_seeds

    rules, naive = table.rules(name), naive_of(name)
    events, played = Counter(), 0
    for players in range(rules.min_players, rules.max_players + 1):
        for policy in naive.POLICIES:
            seeds = range(int(games))
            events += play_seeds(rules, naive, seeds, policy, num_players=players)
            if hasattr(naive, "late_position"):
                events += play_positions(rules, naive, seeds, policy, num_players=players)
            played += len(seeds)
        state, obs = rules.new(1, num_players=players), np.zeros(1, rules.OBS)
        while not state.done:
            rules.step(state, rules.legal_actions(state)[-1])
            obs.view(np.float32)[:] = 0
            rules.observe(state, int(state.to_play), obs[0])
            assert abs(obs.view(np.float32)).max() <= 1, "an observation is out of bounds"
    return {"games": played, "events": events}


if __name__ == "__main__":
    task, *arguments = sys.argv[1:]
    print(json.dumps({"errors": errors, "start": start, "twin": twin}[task](*arguments)))
