"""The learner's seat: one implementation behind the Gymnasium, vector and SB3 environments.

`Seats` holds a number of games. In each of them one seat is the learner's and opponents sit on the
others; a step takes one action for each game and goes on to the learner's next decision. Opponents
given as `Compiled` are played inside one native call; any other is asked through its `act_many`,
for all games that wait for it at once.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import ArrayLike, NDArray

from ..kernels import rules as contract
from ..kernels import seats as kernel
from ..kernels.batch import checked_count, checked_seed
from ..kernels.seats import Autoreset, Policy, Status
from . import table
from .illegal import IllegalActionError, OutOfBoundsError, refusal
from .settings import ILLEGAL, REWARDS, check, finite
from .view import View, Views

if TYPE_CHECKING:
    from ..kernels.rules import Rules


class Decider(Protocol):
    """Anything that decides for the seats of several games at once."""

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose one action for each view."""
        ...


@dataclass(frozen=True)
class Compiled:
    """An opponent that is played inside compiled code.

    Attributes
    ----------
    policy : Policy
        RANDOM or GREEDY.
    samples : int
        Positions that GREEDY averages over, where something is hidden.
    """

    policy: Policy
    samples: int = 1


class Seats:
    """Games of which one seat each is the learner's.

    Parameters
    ----------
    rules : Rules
    num_envs : int
        Number of games B.
    opponents : sequence of (Compiled or Decider)
        One for each other seat, in turn order after the learner.
    seat : int or None
        The learner's seat; None draws a new one for every game from the game's seed.
    reward : str
        `outcome`: the final result in [-1, 1] at the end of a game, before that 0. `points`: the
        points that the learner gained since its last decision. `margin`: those less the mean of
        what the others gained, if there are others.
    autoreset : Autoreset
        When the next game of a sequence is dealt.
    illegal : str
        What an illegal action of the learner does. `error`: it is refused, IllegalActionError.
        `terminate`: it ends the game, and the learner is the last of all.
    illegal_reward : float
        The learner's reward for ending a game in that way.
    buffers : int
        1, or 2: then successive steps write `obs` and `mask` to alternating memory, and those of
        the step before stay intact.
    **options : object
        Options of the game, `num_players` among them.

    Attributes
    ----------
    obs : float32 array (B, obs_size)
    mask : int8 array (B, n_actions)
        1 = legal; all 0 where a game is over.
    seat : int8 array (B,)
        The learner's.
    reward : float64 array (B,)
        Of the last step.
    done : bool array (B,)
        The last step ended a game.
    final_obs : float32 array (B, obs_size)
        Last observations of the games that the last step ended, under `Autoreset.SAME_STEP`.
    final_seat : int8 array (B,)
        The learner's seat in the games that the last step ended.
    final_length : int32 array (B,)
        The learner's decisions in the games that the last step ended.
    final_total : float64 array (B,)
        Its rewards in them, summed.
    score : int32 array (B, num_players)
        Of the games that the last step ended.
    outcome : float32 array (B, num_players)
        Of the games that the last step ended.

    Raises
    ------
    ValueError
        For an unknown reward or option, a seat that the game does not have, an `illegal_reward`
        that is not finite, or a wrong number of opponents.

    Notes
    -----
    All arrays are allocated once and written in place. Game k of the sequence that `reset` starts
    with a seed has the seed `bits(seed, EPISODE, k)`. A game that ends before the learner ever
    decides is skipped.
    """

    def __init__(
        self,
        rules: Rules,
        num_envs: int,
        opponents: Sequence[Compiled | Decider],
        *,
        seat: int | None = 0,
        reward: str = "outcome",
        autoreset: Autoreset = Autoreset.SAME_STEP,
        illegal: str = "error",
        illegal_reward: float = -1.0,
        buffers: int = 1,
        **options: Any,
    ) -> None:
        record = rules.make_options(**options)
        self.rules = rules
        self.num_envs = checked_count("num_envs", num_envs)
        self.num_players = int(record.num_players)
        self.options: dict[str, Any] = rules.options_dict(record)
        self.opponents = tuple(opponents)
        self._check(seat, reward, illegal)
        self._made: dict[str, Any] = {
            "seat": None if seat is None else int(seat),
            "reward": reward,
            "autoreset": autoreset,
            "illegal": illegal,
            "illegal_reward": finite("illegal_reward", illegal_reward),
            "buffers": buffers,
        }
        self._written: list[
            tuple[kernel.Table, NDArray[np.float32], NDArray[np.float32], NDArray[np.int8]]
        ] = [
            (table, table.flat[kernel.NOW], table.flat[kernel.FINAL], table.mask)
            for table in self._make_tables(record, buffers)
        ]
        self._everything = np.arange(self.num_envs)
        self._use(0)
        self._bind()

    def _make_tables(self, options: Any, buffers: int) -> list[kernel.Table]:
        """Allocate the games, and `buffers` times what steps write into."""
        rules, n = self.rules, self.num_envs
        setup = np.zeros(1, kernel.setup_dtype(rules.max_players))
        for i, opponent in enumerate(self.opponents):
            if isinstance(opponent, Compiled):
                setup[0].policy[i] = opponent.policy
                setup[0].samples[i] = opponent.samples
        seat = self._made["seat"]
        setup["seat"] = kernel.ANY_SEAT if seat is None else seat
        setup["reward"] = REWARDS[self._made["reward"]]
        setup["autoreset"] = self._made["autoreset"]
        setup["refuse"] = self._made["illegal"] == "error"
        setup["illegal_reward"] = self._made["illegal_reward"]
        states, slots = np.zeros(n, rules.STATE), np.zeros(n, kernel.slot_dtype(rules.max_players))
        scratch = np.zeros(kernel.N_SCRATCH, rules.STATE)
        record = np.array([options], rules.OPTIONS)
        actions = np.zeros(rules.n_actions, np.int32)
        tables = []
        for _ in range(buffers):
            obs = np.zeros((2, n), rules.OBS)
            flat = obs.view(np.float32).reshape(2, n, rules.obs_size)
            mask = np.zeros((n, rules.n_actions), np.int8)
            tables.append(
                kernel.Table(states, slots, setup, record, scratch, obs, flat, mask, actions)
            )
        return tables

    def _check(self, seat: int | None, reward: str, illegal: str) -> None:
        """Refuse choices that do not fit; the message lists what is allowed."""
        n = self.num_players
        number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat is not None and not (number and 0 <= seat < n):
            raise ValueError(
                f"seat is {seat!r}; allowed with {n} players: 0 to {n - 1}, "
                "or None for a new one each game"
            )
        check("reward", reward, REWARDS)
        check("illegal", illegal, ILLEGAL)
        if len(self.opponents) != n - 1:
            raise ValueError(
                f"there are {len(self.opponents)} opponents; {n} players need {n - 1}, "
                "in turn order after the learner"
            )

    def _bind(self) -> None:
        """Name the columns of the table that do not depend on the buffer."""
        slots, n = self._table.slots, self.num_players
        self._status: NDArray[np.int8] = slots["status"]
        self._all_ready = bytes([Status.READY] * self.num_envs)
        self.reward: NDArray[np.float64] = slots["reward"]
        self.done: NDArray[np.bool_] = slots["done"].view(np.bool_)
        self.seat: NDArray[np.int8] = slots["seat"]
        self.final_seat: NDArray[np.int8] = slots["final_seat"]
        self.final_length: NDArray[np.int32] = slots["final_length"]
        self.final_total: NDArray[np.float64] = slots["final_total"]
        self.score: NDArray[np.int32] = slots["score"][:, :n]
        self.outcome: NDArray[np.float32] = slots["outcome"][:, :n]

    def _use(self, buffer: int) -> None:
        """Let the next call write into this pair of `obs` and `mask`."""
        self._buffer = buffer
        self._table, self.obs, self.final_obs, self.mask = self._written[buffer]

    def _swap(self) -> None:
        """Let the next call write into the other pair, where there are two."""
        if len(self._written) > 1:
            self._use(1 - self._buffer)

    def reset(
        self, seeds: Sequence[int | None] | None = None, chosen: NDArray[np.bool_] | None = None
    ) -> None:
        """Deal new games and play to the learner's first decision.

        Parameters
        ----------
        seeds : sequence of (int or None), optional
            For each game the seed in [0, 2**64) of a sequence of games, of which the first is
            dealt; None goes on with the next game of the sequence (at the first reset: begins a
            sequence by chance).
        chosen : bool array (B,), optional
            Only these games are reset.

        Raises
        ------
        ValueError
            For a wrong number of seeds or one out of range.
        """
        given = [None] * self.num_envs if seeds is None else list(seeds)
        if len(given) != self.num_envs:
            raise ValueError(f"there are {len(given)} seeds for {self.num_envs} games")
        numbers = [0 if seed is None else checked_seed(seed) for seed in given]
        if chosen is None:
            self._swap()
        games = self._everything if chosen is None else np.flatnonzero(chosen)
        slots = self._table.slots
        for i in games.tolist():
            if given[i] is not None or slots[i].status == Status.NEW:
                slots[i].seed = secrets.randbits(64) if given[i] is None else numbers[i]
                slots[i].game = -1  # the one before the first
            slots[i].status = Status.NEW
        self._ask(kernel.run(self._table, games, self._everything))

    def step(self, actions: ArrayLike) -> None:
        """Play one action in each game and go on to the learner's next decision.

        Parameters
        ----------
        actions : int array (B,)
            Not read where the next game is dealt instead (`Autoreset.NEXT_STEP`).

        Raises
        ------
        IllegalActionError
            For an illegal action, of the learner or of an opponent; the message lists the legal
            ones. After one of the learner's nothing has changed.
        RuntimeError
            If a game has to be reset first.
        """
        chosen = _whole_numbers(actions, self.num_envs, "the learner")
        if self._status.tobytes() != self._all_ready:
            self._refuse_unready()
        self._swap()
        waiting = int(kernel.run(self._table, self._everything, chosen))
        if waiting < 0:
            self._swap()
            game = -1 - waiting
            view = self.view(game)
            where = f"game {game}: " if self.num_envs > 1 else ""
            raise _refusal(f"{where}seat {view.player}", view, np.asarray(actions)[game])
        if waiting:
            self._ask(waiting)

    def _refuse_unready(self) -> None:
        """Refuse a step of games that have to be reset."""
        ready = self._status == Status.READY
        if self._made["autoreset"] != Autoreset.DISABLED:
            ready |= self._status == Status.OVER
        if not ready.all():
            raise RuntimeError(f"game {ready.argmin()} has to be reset before it can be stepped")

    def _ask(self, waiting: int) -> None:
        """Ask the opponents outside, one seat at a time, until no game waits for one."""
        slots = self._table.slots
        while waiting:
            games = np.flatnonzero(slots["status"] == Status.WAITING)
            asked = slots["opponent"][games]
            games = games[asked == asked[0]]
            states = self._table.states[games]
            seeds = np.empty(len(games), np.uint64)
            kernel.lucks(states, seeds)
            views = Views.of(self.rules, states, seeds)
            opponent = self.opponents[asked[0]]
            assert not isinstance(opponent, Compiled)
            answer = np.asarray(opponent.act_many(views))
            actions = _whole_numbers(answer, len(games), str(opponent))
            waiting = int(kernel.run(self._table, games, actions))
            if waiting < 0:
                k = -1 - waiting
                raise _refusal(str(opponent), views[k], answer[k])

    def view(self, game: int) -> View:
        """Return what the learner may know of a game.

        Parameters
        ----------
        game : int

        Returns
        -------
        View

        Raises
        ------
        RuntimeError
            Before the first reset.
        """
        if self._table.slots[game].status == Status.NEW:
            raise RuntimeError(f"game {game} has to be reset before it can be seen")
        state = self._table.states[game]
        return View.of(self.rules, state, int(kernel.luck(state)), int(self.seat[game]))

    @property
    def made(self) -> dict[str, Any]:
        """How these games are played beside their options, in what JSON can hold."""
        kept = {key: self._made[key] for key in ("seat", "reward", "illegal", "illegal_reward")}
        return kept | {"opponents": [_text(opponent) for opponent in self.opponents]}

    def save(self) -> bytes:
        """Return the games as bytes, to go on later with `load`.

        Returns
        -------
        bytes
        """
        saved: bytes = self._table.states.tobytes() + self._table.slots.tobytes()
        return saved

    def load(self, saved: bytes) -> None:
        """Go on from what `save` returned; game, options, opponents and number of games must fit.

        Parameters
        ----------
        saved : bytes

        Raises
        ------
        ValueError
            If the length does not fit, or what the bytes hold cannot be or is not of such games;
            nothing has changed then.
        """
        states, slots = self._table.states, self._table.slots
        if len(saved) != states.nbytes + slots.nbytes:
            raise ValueError(
                f"there are {len(saved)} bytes; {self.num_envs} saved games of {self.rules.name} "
                f"have {states.nbytes + slots.nbytes}"
            )
        found = np.frombuffer(saved[: states.nbytes], states.dtype)
        beside = np.frombuffer(saved[states.nbytes :], slots.dtype)
        self._check_saved(found, beside)
        states[:], slots[:] = found, beside
        kernel.show_all(self._table)

    def _check_saved(self, states: NDArray[Any], slots: NDArray[Any]) -> None:
        """Refuse games that cannot be; those that were never dealt are empty."""
        n, most, seat = self.num_players, self.rules.max_decisions, self._made["seat"]
        for name, low, high in (
            ("status", min(Status), max(Status)),
            ("seat", 0, n - 1),
            ("final_seat", 0, n - 1),
            ("opponent", 0, max(0, n - 2)),
            ("length", 0, most),
            ("final_length", 0, most),
            ("done", 0, 1),
            ("forfeit", 0, 1),
        ):
            contract.check_range(name, slots[name], low, high)
        dealt = slots["status"] != Status.NEW
        contract.check_states(states[dealt], self._table.options[0])
        if seat is not None:
            fixed = np.where(dealt, seat, slots["seat"])
            contract.check_range("seat", slots["seat"], fixed, fixed)
        going = np.isin(slots["status"], (Status.READY, Status.WAITING))
        contract.check_range("done", np.where(going, states["done"], 0), 0, 0)
        asked = np.where(slots["status"] == Status.READY, n - 1, slots["opponent"])
        to_play = np.where(going, (slots["seat"] + 1 + asked) % n, states["to_play"])
        contract.check_range("to_play", states["to_play"], to_play, to_play)

    def __getstate__(self) -> dict[str, Any]:
        """Copy and pickle how the games were made, and the games; buffers are made anew."""
        made = {
            **self._made,
            **self.options,
            "opponents": self.opponents,
            "num_envs": self.num_envs,
        }
        return {"game": self.rules.name, "made": made, "saved": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make the games as they were."""
        self.__init__(table.rules(state["game"]), **state["made"])  # type: ignore[misc]
        self.load(state["saved"])


def _text(opponent: Compiled | Decider) -> str:
    """Return an opponent's own text, or its class where it has only the place in memory."""
    own = type(opponent).__str__ is not object.__str__ or type(opponent).__repr__ is not (
        object.__repr__
    )
    return str(opponent) if own else type(opponent).__qualname__


def _whole_numbers(actions: ArrayLike, n: int, who: str) -> NDArray[np.int64]:
    """Return n actions as int64; OutOfBoundsError if they are not n whole numbers."""
    array = np.asarray(actions)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise OutOfBoundsError(
            f"{who} has to give {n} whole numbers, got shape {array.shape} of {array.dtype}"
        )
    return array.astype(np.int64, copy=False)


def _refusal(who: str, view: View, action: Any) -> IllegalActionError:
    """Make the error for an action, a whole number of any width, of the seat that looks."""
    return refusal(who, int(action), view.rules.n_actions, view.actions.tolist(), view.words)


def observation_space(rules: Rules) -> spaces.Box:
    """Return the space of a game's observations.

    Parameters
    ----------
    rules : Rules

    Returns
    -------
    gymnasium.spaces.Box
        float32 (obs_size,)
    """
    return spaces.Box(-1.0, 1.0, (rules.obs_size,), np.float32)
