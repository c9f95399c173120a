"""Drivers over arrays of games, written once for all games: stepping, random and greedy play."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from . import rules
from .jit import index, kernel
from .records import copy
from .rng import FIRST, Driver, below, below_in, bits, key

# --- kernels ----------------------------------------------------------------------------------


@kernel
def write_mask(actions, n, mask):
    """Turn a list of legal actions into a mask.

    Parameters
    ----------
    actions : int32 array (at least n,)
    n : int
    mask : int8 array (n_actions,), out
        1 for each listed action, 0 for all others.
    """
    if n == len(mask):
        mask[:] = 1
        return
    mask[:] = 0
    for i in range(n):
        mask[index(actions[i])] = 1


@kernel
def clear_observation(obs):
    """Fill an observation with zeros.

    In pieces, as the C library does not write more than 2 KiB with vectors: 103 ns for 6 KB at
    once, 72 ns in pieces.

    Parameters
    ----------
    obs : float32 array (obs_size,), out
    """
    for first in range(0, len(obs), 384):
        obs[first : first + 384] = 0.0


@kernel
def present(state, actions, obs, obs_record, mask):
    """Write observation and mask of the player to move.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out
        Its first n entries become the legal actions.
    obs : float32 array (obs_size,), out
    obs_record : OBS record, out
        The same memory as `obs`.
    mask : int8 array (n_actions,), out

    Returns
    -------
    int
        Number of legal actions.
    """
    n = rules.legal(state, actions)
    write_mask(actions, n, mask)
    clear_observation(obs)
    rules.observe(state, np.int64(state.to_play), obs_record)
    return n


@kernel
def random_action(state, actions, n):
    """Choose one of n legal actions by the state's seed and ply, from a stream that no game uses.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (at least n,)
    n : int

    Returns
    -------
    int64
    """
    return np.int64(actions[below(state.seed, Driver.PLAY.value, np.int64(state.ply), n)])


@kernel
def deal(states, i, options, seed, episode):
    """Start game `episode` in place `i`.

    Parameters
    ----------
    states : STATE array (num_envs,), in and out
    i : int
    options : OPTIONS record
    seed : uint64
        Of the batch.
    episode : int
        Number of the game, unique within the batch.
    """
    rules.reset(states[i], options, bits(seed, Driver.EPISODE.value, episode))


@kernel
def reset_batch(
    states, options, seed, episode, actions, obs, obs_records, mask, to_play, low, high
):
    """Start the first game of every place in [low, high).

    Parameters
    ----------
    states : STATE array (num_envs,), out
    options : OPTIONS record
    seed : uint64
    episode : int64 array (num_envs,), out
        Number of the game under way: place + k * num_envs for the place's k-th game.
    actions : int32 array (n_actions,), scratch
    obs : float32 array (num_envs, obs_size), out
    obs_records : OBS array (num_envs,), out
        The same memory as `obs`.
    mask : int8 array (num_envs, n_actions), out
    to_play : int64 array (num_envs,), out
    low, high : int
    """
    for i in range(low, high):
        episode[i] = i
        deal(states, i, options, seed, episode[i])
        present(states[i], actions, obs[i], obs_records[i], mask[i])
        to_play[i] = states[i].to_play


@kernel
def first_illegal(mask, choices):
    """Find an illegal choice.

    Parameters
    ----------
    mask : int8 array (num_envs, n_actions)
    choices : int64 array (num_envs,)

    Returns
    -------
    int
        The first place whose choice is illegal, or -1.
    """
    for i in range(len(choices)):
        action = choices[i]
        if action < 0 or action >= mask.shape[1] or mask[i, action] == 0:
            return i
    return -1


@kernel
def step_batch(
    states, options, seed, episode, choices, choose, actions, obs, obs_records, mask, to_play, gain,
    done, final_score, final_outcome, low, high,
):  # fmt: skip
    """Step every place in [low, high); a finished game is followed at once by the next one.

    Parameters
    ----------
    states : STATE array (num_envs,), in and out
    options : OPTIONS record
    seed : uint64
    episode : int64 array (num_envs,), in and out
    choices : int64 array (num_envs,), in and out
        Legal actions.
    choose : bool
        Make `choices` those of `choose_random` for the next step: the legal actions are listed
        anyway.
    actions : int32 array (n_actions,), scratch
    obs : float32 array (num_envs, obs_size), out
    obs_records : OBS array (num_envs,), out
        The same memory as `obs`.
    mask : int8 array (num_envs, n_actions), out
    to_play : int64 array (num_envs,), out
    gain : int32 array (num_envs, num_players), out
    done : bool array (num_envs,), out
    final_score : int32 array (num_envs, num_players), out
        Written where a game ended.
    final_outcome : float32 array (num_envs, num_players), out
        Written where a game ended.
    low, high : int
    """
    num_envs = len(states)
    for i in range(low, high):
        state = states[i]
        rules.step(state, choices[i])
        for player in range(gain.shape[1]):
            gain[i, player] = state.gain[player]
        done[i] = state.done != 0
        if done[i]:
            for player in range(gain.shape[1]):
                final_score[i, player] = state.score[player]
            rules.outcome(state, final_outcome[i])
            episode[i] += num_envs
            deal(states, i, options, seed, episode[i])
        n = present(state, actions, obs[i], obs_records[i], mask[i])
        if choose:
            choices[i] = random_action(state, actions, n)
        to_play[i] = state.to_play


@kernel
def choose_random(states, actions, choices, low, high):
    """Choose a random legal action for every place in [low, high), as `play_games` does.

    Parameters
    ----------
    states : STATE array (num_envs,)
    actions : int32 array (n_actions,), scratch
    choices : int64 array (num_envs,), out
    low, high : int
    """
    for i in range(low, high):
        choices[i] = random_action(states[i], actions, rules.legal(states[i], actions))


@kernel
def play_batch(
    states, options, seed, episode, choices, actions, obs, obs_records, mask, to_play, gain, done,
    final_score, final_outcome, steps, low, high,
):  # fmt: skip
    """Step every place in [low, high) with random legal actions, a number of times.

    Parameters
    ----------
    states, options, seed, episode, choices, actions, obs, obs_records, mask, to_play, gain, done
        As for `step_batch`; `choices` are overwritten.
    final_score, final_outcome
        As for `step_batch`.
    steps : int
    low, high : int

    Returns
    -------
    int
        Number of games that ended.
    """
    choose_random(states, actions, choices, low, high)
    finished = 0
    for _ in range(steps):
        step_batch(
            states, options, seed, episode, choices, True, actions, obs, obs_records, mask,
            to_play, gain, done, final_score, final_outcome, low, high,
        )  # fmt: skip
        for i in range(low, high):
            finished += done[i]
    return finished


@kernel
def play_games(scratch, options, seed, actions, score, outcome, decisions):
    """Play whole games with random legal actions.

    Parameters
    ----------
    scratch : STATE array (1,), scratch
    options : OPTIONS record
    seed : uint64
    actions : int32 array (n_actions,), scratch
    score : int32 array (games, num_players), out
    outcome : float32 array (games, num_players), out
    decisions : int32 array (games,), out
        Decisions taken in each game.
    """
    state = scratch[0]
    for game in range(len(decisions)):
        deal(scratch, np.int64(0), options, seed, game)
        stream = key(state.seed, Driver.PLAY.value)
        while not state.done:
            n = rules.legal(state, actions)
            rules.step(state, np.int64(actions[below_in(stream, np.int64(state.ply), n)]))
        decisions[game] = state.ply
        for player in range(score.shape[1]):
            score[game, player] = state.score[player]
        rules.outcome(state, outcome[game])


@kernel
def play_observed(scratch, options, seed, actions, obs, obs_records, mask, decisions):
    """Play whole games as `play_games` does, writing observation and mask at every decision.

    Parameters
    ----------
    scratch : STATE array (1,), scratch
    options : OPTIONS record
    seed : uint64
    actions : int32 array (n_actions,), scratch
    obs : float32 array (1, obs_size), out
    obs_records : OBS array (1,), out
        The same memory as `obs`.
    mask : int8 array (1, n_actions), out
    decisions : int32 array (games,), out
    """
    state = scratch[0]
    for game in range(len(decisions)):
        deal(scratch, np.int64(0), options, seed, game)
        stream = key(state.seed, Driver.PLAY.value)
        while not state.done:
            n = present(state, actions, obs[0], obs_records[0], mask[0])
            rules.step(state, np.int64(actions[below_in(stream, np.int64(state.ply), n)]))
        decisions[game] = state.ply


@kernel
def observe_seats(states, obs, obs_records):
    """Write the observation of every seat of every game.

    Parameters
    ----------
    states : STATE array (num_envs,)
    obs : float32 array (num_envs, num_players, obs_size), out
    obs_records : OBS array (num_envs, num_players), out
        The same memory as `obs`.
    """
    obs[:] = 0.0
    for i in range(obs.shape[0]):
        for player in range(obs.shape[1]):
            rules.observe(states[i], player, obs_records[i, player])


@kernel
def prepare_views(states, seeds, actions, views, obs, obs_records, mask):
    """Copy games as their player to move may know them, and write observation and mask.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)
        Luck of each decision; decides how the unknown is dealt.
    actions : int32 array (n_actions,), scratch
    views : STATE array (n,), out
        Resampled copies.
    obs : float32 array (n, obs_size), out
    obs_records : OBS array (n,), out
        The same memory as `obs`.
    mask : int8 array (n, n_actions), out
    """
    for i in range(len(states)):
        copy(views[i], states[i])
        player = np.int64(states[i].to_play)
        rules.resample(views[i], player, bits(seeds[i], Driver.RESAMPLE.value, FIRST))
        present(states[i], actions, obs[i], obs_records[i], mask[i])


@kernel
def imagine(states, player, seed):
    """Deal anew, in every state, what a seat cannot know.

    Parameters
    ----------
    states : STATE array (n,), in and out
    player : int
    seed : uint64
        State i gets draw i of the RESAMPLE stream.
    """
    for i in range(len(states)):
        rules.resample(states[i], player, bits(seed, Driver.RESAMPLE.value, i))


@kernel
def random_actions(states, seeds, actions, choices):
    """Choose uniformly among the legal actions of each state.

    Parameters
    ----------
    states : STATE array (n,)
    seeds : uint64 array (n,)
    actions : int32 array (n_actions,), scratch
    choices : int64 array (n,), out
    """
    for i in range(len(states)):
        n = rules.legal(states[i], actions)
        choices[i] = actions[below(seeds[i], Driver.AGENT.value, FIRST, n)]


@kernel(allocates=True)
def greedy_action(state, seed, samples, actions, scratch):
    """Choose the action after which `value` is largest for its player, ties at random.

    Parameters
    ----------
    state : STATE record
        As the player may know it.
    seed : uint64
    samples : int
        Number of determinizations that each action is tried on, the same for all actions.
    actions : int32 array (n_actions,), scratch
    scratch : STATE array (2,), scratch

    Returns
    -------
    int64
    """
    n = rules.legal(state, actions)
    player = np.int64(state.to_play)
    total = np.zeros(n)
    for sample in range(samples):
        copy(scratch[1], state)
        rules.resample(scratch[1], player, bits(seed, Driver.RESAMPLE.value, sample))
        for i in range(n):
            copy(scratch[0], scratch[1])
            rules.step(scratch[0], np.int64(actions[i]))
            total[i] += rules.value(scratch[0], player)
    choice = 0
    ties = 1
    for i in range(1, n):
        if total[i] > total[choice]:
            choice = i
            ties = 1
        elif total[i] == total[choice]:
            ties += 1
            if below(seed, Driver.AGENT.value, i, ties) == 0:
                choice = i
    return np.int64(actions[choice])


@kernel
def greedy_actions(states, seeds, samples, actions, scratch, choices):
    """Choose by `greedy_action` in each state.

    Parameters
    ----------
    states : STATE array (n,)
        As the players may know them.
    seeds : uint64 array (n,)
    samples : int
    actions : int32 array (n_actions,), scratch
    scratch : STATE array (2,), scratch
    choices : int64 array (n,), out
    """
    for i in range(len(states)):
        choices[i] = greedy_action(states[i], seeds[i], samples, actions, scratch)


# --- Python face ------------------------------------------------------------------------------


def checked_seed(seed):
    """Return a seed as uint64.

    Parameters
    ----------
    seed : int

    Returns
    -------
    numpy.uint64

    Raises
    ------
    ValueError
        If it is not a whole number in [0, 2**64).
    """
    if (
        not isinstance(seed, int | np.integer)
        or isinstance(seed, bool)
        or not 0 <= int(seed) < 2**64
    ):
        raise ValueError(f"seed is {seed!r}; allowed: a whole number from 0 to 2**64 - 1")
    return np.uint64(seed)


def checked_count(name, count, least=1):
    """Return a count as int.

    Parameters
    ----------
    name : str
        For the message.
    count : int
    least : int

    Returns
    -------
    int

    Raises
    ------
    ValueError
        If it is not a whole number of `least` or more.
    """
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < least:
        raise ValueError(f"{name} is {count!r}; allowed: a whole number of {least} or more")
    return int(count)


class Batch:
    """Many games of one kind, stepped together; every array is allocated once and written in place.

    Parameters
    ----------
    game : Rules
    options : OPTIONS record
        From `game.make_options`.
    num_envs : int
        Number of games B.
    seed : int
        In [0, 2**64). The k-th game of place i has the seed `bits(seed, EPISODE, i + k * B)`.
    threads : int
        Number of chunks that are worked on in parallel; results do not depend on it.

    Attributes
    ----------
    obs : float32 array (B, obs_size)
        Observation of the player to move.
    mask : int8 array (B, n_actions)
        1 for each legal action.
    to_play : int64 array (B,)
    gain : int32 array (B, P)
        Points that each seat won or lost in the last step.
    done : bool array (B,)
        The last step ended the game; `obs`, `mask` and `to_play` are already those of the next one.
    final_score : int32 array (B, P)
    final_outcome : float32 array (B, P)
        Of the place's last finished game; zero before the first.
    states : STATE array (B,)
    episode : int64 array (B,)
        Number of the game under way.
    """

    def __init__(self, game, options, num_envs, seed=0, threads=1):
        self.rules = game
        self.options = options
        self.num_envs = checked_count("num_envs", num_envs)
        self.num_players = int(options.num_players)
        shape = (self.num_envs, self.num_players)
        self.states = np.zeros(self.num_envs, game.STATE)
        self.obs = np.zeros((self.num_envs, game.obs_size), np.float32)
        self.mask = np.zeros((self.num_envs, game.n_actions), np.int8)
        self.to_play = np.zeros(self.num_envs, np.int64)
        self.gain = np.zeros(shape, np.int32)
        self.done = np.zeros(self.num_envs, np.bool_)
        self.final_score = np.zeros(shape, np.int32)
        self.final_outcome = np.zeros(shape, np.float32)
        self.episode = np.zeros(self.num_envs, np.int64)
        self._choices = np.zeros(self.num_envs, np.int64)
        n_chunks = min(checked_count("threads", threads), self.num_envs)
        edges = np.linspace(0, self.num_envs, n_chunks + 1).astype(int).tolist()
        self._chunks = [
            (np.empty(game.n_actions, np.int32), low, high) for low, high in pairwise(edges)
        ]
        self._bind()
        self.reset(seed)

    def _bind(self):
        """Make what refers to memory of this batch, and its threads."""
        self.obs_records = self.obs.view(self.rules.OBS)[:, 0]
        n_chunks = len(self._chunks)
        self._pool = ThreadPoolExecutor(n_chunks) if n_chunks > 1 else None

    def __getstate__(self):
        """Copy and pickle all but the threads and what refers to memory."""
        return {k: v for k, v in vars(self).items() if k not in ("obs_records", "_pool")}

    def __setstate__(self, state):
        """Go on as the original does, sharing nothing with it."""
        vars(self).update(state)
        self._bind()

    def reset(self, seed=None):
        """Start the first game of every place.

        Parameters
        ----------
        seed : int, optional
            Default: the seed in use.
        """
        if seed is not None:
            self.seed = checked_seed(seed)
        for array in (self.gain, self.done, self.final_score, self.final_outcome):
            array[:] = 0
        self._each_chunk(
            lambda actions, low, high: reset_batch(
                self.states,
                self.options,
                self.seed,
                self.episode,
                actions,
                self.obs,
                self.obs_records,
                self.mask,
                self.to_play,
                low,
                high,
            )
        )

    def step(self, actions):
        """Take one decision in every game.

        Parameters
        ----------
        actions : int array (B,)
            A legal action for each game.

        Raises
        ------
        ValueError
            For a wrong shape or an illegal action; nothing has changed then.
        """
        choices = np.asarray(actions)
        if choices.shape != (self.num_envs,) or choices.dtype.kind not in "iu":
            raise ValueError(
                f"actions: expected {self.num_envs} whole numbers, "
                f"got shape {choices.shape} of {choices.dtype}"
            )
        self._choices[:] = choices
        wrong = first_illegal(self.mask, self._choices)
        if wrong >= 0:
            allowed = np.flatnonzero(self.mask[wrong]).tolist()
            raise ValueError(f"actions[{wrong}] is {choices[wrong]}; legal there: {allowed}")
        self._step()

    def play_random(self, steps):
        """Take random legal decisions in every game, without leaving compiled code.

        Parameters
        ----------
        steps : int
            Decisions in each game.

        Returns
        -------
        int
            Number of games that ended.
        """
        steps = checked_count("steps", steps)
        return sum(
            self._each_chunk(
                lambda actions, low, high: play_batch(
                    self.states,
                    self.options,
                    self.seed,
                    self.episode,
                    self._choices,
                    actions,
                    self.obs,
                    self.obs_records,
                    self.mask,
                    self.to_play,
                    self.gain,
                    self.done,
                    self.final_score,
                    self.final_outcome,
                    steps,
                    low,
                    high,
                )
            )
        )

    def observe_all(self):
        """Return the observation of every seat of every game.

        Returns
        -------
        float32 array (B, P, obs_size)
        """
        obs = np.empty((self.num_envs, self.num_players, self.rules.obs_size), np.float32)
        observe_seats(self.states, obs, obs.view(self.rules.OBS)[:, :, 0])
        return obs

    def save(self):
        """Return all that is needed to go on later.

        Returns
        -------
        dict of str to numpy array
            Plain numeric arrays.
        """
        return {
            "seed": np.array([self.seed]),
            "states": self.states.view(np.uint8).reshape(self.num_envs, -1).copy(),
            "episode": self.episode.copy(),
            "final_score": self.final_score.copy(),
            "final_outcome": self.final_outcome.copy(),
        }

    def load(self, saved):
        """Go on from what `save` returned, with the same game, options and number of games.

        Parameters
        ----------
        saved : dict of str to numpy array

        Raises
        ------
        ValueError
            If an array is missing or has another shape or dtype, if the games have other options,
            or if a game is over or in a state that it cannot be in. Nothing has changed then.
        """
        for name, here in self.save().items():
            found = saved.get(name)
            kind = None if found is None else (np.shape(found), getattr(found, "dtype", None))
            if kind != (here.shape, here.dtype):
                told = "is missing" if kind is None else f"has shape {kind[0]} of {kind[1]}"
                raise ValueError(
                    f"saved batch: {name} {told}, expected {here.shape} of {here.dtype}"
                )
        states = np.ascontiguousarray(saved["states"]).view(self.rules.STATE)[:, 0]
        rules.check_states(states, self.options)
        rules.check_range("done", states["done"], 0, 0)
        self.seed = np.uint64(saved["seed"][0])
        self.states[:] = states
        for name in ("episode", "final_score", "final_outcome"):
            getattr(self, name)[:] = saved[name]
        self.gain[:] = 0
        self.done[:] = False
        actions = self._chunks[0][0]
        for i in range(self.num_envs):
            present(self.states[i], actions, self.obs[i], self.obs_records[i], self.mask[i])
        self.to_play[:] = self.states["to_play"]

    def _step(self):
        """Apply the checked choices."""
        self._each_chunk(
            lambda actions, low, high: step_batch(
                self.states,
                self.options,
                self.seed,
                self.episode,
                self._choices,
                False,
                actions,
                self.obs,
                self.obs_records,
                self.mask,
                self.to_play,
                self.gain,
                self.done,
                self.final_score,
                self.final_outcome,
                low,
                high,
            )
        )

    def _each_chunk(self, work):
        """Call `work(scratch, low, high)` for each chunk, in threads where there are several."""
        if self._pool is None:
            return [work(*self._chunks[0])]
        futures = [self._pool.submit(work, *chunk) for chunk in self._chunks]
        return [future.result() for future in futures]


@dataclass(frozen=True)
class Games:
    """Results of whole games.

    Attributes
    ----------
    score : int32 array (games, num_players)
        Final points.
    outcome : float32 array (games, num_players)
        Final results in [-1, 1].
    decisions : int32 array (games,)
    """

    score: np.ndarray
    outcome: np.ndarray
    decisions: np.ndarray


def random_games(game, options, games, seed=0):
    """Play whole games with uniformly random legal actions, inside compiled code.

    Parameters
    ----------
    game : Rules
    options : OPTIONS record
    games : int
        Game g has the seed `bits(seed, EPISODE, g)`.
    seed : int
        In [0, 2**64).

    Returns
    -------
    Games
    """
    games = checked_count("games", games)
    shape = (games, int(options.num_players))
    result = Games(
        np.zeros(shape, np.int32), np.zeros(shape, np.float32), np.zeros(games, np.int32)
    )
    play_games(
        np.zeros(1, game.STATE), options, checked_seed(seed), np.empty(game.n_actions, np.int32),
        result.score, result.outcome, result.decisions,
    )  # fmt: skip
    return result
