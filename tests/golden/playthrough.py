"""One readable playthrough and one signature for each game, kept as <game>.txt beside this file.

A change that means to play the same must leave these files alone. One that means to play otherwise
regenerates them, and its author reads the difference:

    python tests/golden/playthrough.py            all games of the table
    python tests/golden/playthrough.py fossil     one of them

The first line of a file says in JSON which game is told, and is kept: edit it and regenerate to
tell another one. The second line holds signatures: hashes over 200 random games, after every
twentieth of them.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from bonebed.envs import table
from bonebed.envs.view import tell as tell_step
from bonebed.kernels import rng

FOLDER = Path(__file__).parent
GAMES = 200
EVERY = 20


def path_of(name):
    """Return the file that holds a game's playthrough and signatures."""
    return FOLDER / f"{name}.txt"


def choose(rules, state):
    """Return the legal actions and the one that random play takes in every driver."""
    legal = rules.legal_actions(state)
    choice = rng.below(state.seed, rng.Driver.PLAY.value, state.ply, len(legal))
    return legal, int(legal[choice])


def signatures(name, games=GAMES):
    """Return a hash over random games, after every twentieth of them.

    Hashed are, for each decision, the player, the legal actions, the action and the gains, and for
    each game the final points and results: what a game is, not how its record is laid out. Every
    game draws its options, the number of players among them.
    """
    rules = table.rules(name)
    digest, found = hashlib.sha256(), []
    for seed in range(games):
        options = {
            option.name: option.choices[rng.below(np.uint64(seed), 0, k, len(option.choices))]
            for k, option in enumerate(rules.options)
            if option.follows is None
        }
        state = rules.new(seed, **options)
        while not state.done:
            legal, action = choose(rules, state)
            rules.step(state, action)
            told = [action, len(legal), *legal, *state.gain, state.to_play, state.done]
            digest.update(np.array(told, np.int32).tobytes())
        outcome = np.zeros(rules.max_players, np.float32)
        rules.outcome(state, outcome)
        digest.update(state.score.astype(np.int32).tobytes() + outcome.tobytes())
        if (seed + 1) % EVERY == 0:
            found.append(digest.hexdigest()[:16])
    return found


def tell(name, header):
    """Tell the game of a header in words, everything open, with the table drawn now and then.

    Parameters
    ----------
    name : str
    header : dict
        `seed`, `options`, and `draw_every`, the number of decisions between two drawings.

    Returns
    -------
    list of str
        Lines.
    """
    rules, face = table.rules(name), table.face(name)
    state = rules.new(header["seed"], **header["options"])
    players = int(state.num_players)
    lines = []
    while not state.done:
        if state.ply % header["draw_every"] == 0:
            lines += ["", *face.draw(state, None).splitlines(), ""]
        legal, action = choose(rules, state)
        before = state.copy()
        rules.step(state, action)
        told = f"{before.ply + 1:3}. player {before.to_play}, {len(legal)} choices: "
        told += tell_step(rules, before, action, state)
        if state.gain.any():
            told += f"; points {_signed(state.gain[:players])} = {state.score[:players].tolist()}"
        lines.append(told)
    outcome = np.zeros(players, np.float32)
    rules.outcome(state, outcome)
    lines += ["", *face.draw(state, None).splitlines(), ""]
    lines.append(f"results {[round(float(result), 4) for result in outcome]}")
    return [line.rstrip() for line in lines]


def _signed(gain):
    return "(" + ", ".join(f"{points:+d}" if points else "0" for points in gain.tolist()) + ")"


def read(name):
    """Return the header of a game's file, its signatures and the told lines.

    Returns
    -------
    tuple of (dict, list of str, list of str)
    """
    first, second, *lines = path_of(name).read_text(encoding="utf-8").splitlines()
    return json.loads(first), json.loads(second), lines


def write(name):
    """Write a game's file anew, keeping its header where there is one."""
    header = {"seed": 0, "options": {}, "draw_every": 10}
    if path_of(name).exists():
        header, _, _ = read(name)
    lines = [json.dumps(header), json.dumps(signatures(name)), *tell(name, header)]
    path_of(name).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for game in sys.argv[1:] or table.GAMES:
        write(game)
