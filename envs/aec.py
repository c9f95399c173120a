"""The PettingZoo environment that all games share; a game adds its page, drawing and words.

PettingZoo's usual stack of wrappers (an illegal action ends the game, actions out of range are
refused, calls come in the right order) costs more than a step of a compiled game. `BoardEnv` does
their checks itself, with the same behaviour, and takes the wrappers too where they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo.utils import wrappers as pettingzoo_wrappers
from pettingzoo.utils.env import AECEnv, AECIterable
from pettingzoo.utils.env_logger import EnvLogger

from ..kernels import rng, rules, single
from ..kernels.batch import checked_seed
from . import saved, table
from .illegal import IllegalActionError, refusal
from .settings import ILLEGAL, REWARDS, check, finite
from .spaces import ActionSpace
from .view import View

UINT64 = 2**64

Observation = dict[str, Any]  # {"observation": float32 array, "action_mask": int8 array}


class BoardEnv(AECEnv[str, Observation, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A game for PettingZoo: agents `player_0`, `player_1`, ... act one at a time.

    A game may call them otherwise (`Rules.agent_names`).

    Every observation is `{"observation": float32 array, "action_mask": int8 array}`. The mask marks
    the legal actions of the agent that is to act and is all 0 for the others; it is also in
    `infos[agent]`. All agents end together. Arrays and info dicts that were handed out never change
    afterwards.

    Parameters
    ----------
    num_players : int, optional
        Default the game's own.
    render_mode : str, optional
        `"ansi"`: `render()` returns a drawing in text.
    reward : str
        `"outcome"`: the final result at the end, in [-1, 1], zero-sum. `"points"`: the points that
        each seat gained in the step. `"margin"`: those less the mean of what the others gained,
        zero-sum. With one agent nothing is zero-sum, and margin is the same as points.
    illegal : str
        What an illegal action does. `"error"`: raises IllegalActionError, and the game stays as it
        was. `"terminate"`: ends the game for all, as PettingZoo's TerminateIllegalWrapper does.
    illegal_reward : float
        Reward of an agent that ended the game in that way.
    **options
        The game's own options.

    Attributes
    ----------
    rules : Rules
        The game.
    num_players : int
    options : dict
        All options of the game, defaults included.
    possible_agents, agents, agent_selection, rewards, terminations, truncations, infos
        As in every PettingZoo environment; there from the first `reset` on, but `possible_agents`.

    Raises
    ------
    ValueError
        For an option or a value that there is not; the message lists what is allowed.
    """

    game: ClassVar[str]
    metadata: ClassVar[dict[str, Any]] = {  # a game adds its name
        "render_modes": ["ansi"],
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        num_players: int | None = None,
        render_mode: str | None = None,
        reward: str = "outcome",
        illegal: str = "error",
        illegal_reward: float = -1.0,
        **options: Any,
    ) -> None:
        super().__init__()
        check("reward", reward, REWARDS)
        check("illegal", illegal, ILLEGAL)
        check("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        if num_players is not None:
            options["num_players"] = num_players
        self.rules = table.rules(self.game)
        record = self.rules.make_options(**options)
        self.options: dict[str, Any] = self.rules.options_dict(record)
        self.num_players: int = self.options["num_players"]
        self.render_mode = render_mode
        self.reward_mode = reward
        self.illegal = illegal
        self.illegal_reward = finite("illegal_reward", illegal_reward)
        self.possible_agents = [*self.rules.agent_names[: self.num_players]]
        self._seat_of = {agent: player for player, agent in enumerate(self.possible_agents)}
        self._make_spaces()
        self._options = np.array([record], self.rules.OPTIONS)
        self._states = np.zeros(1, self.rules.STATE)
        self._actions = np.zeros(self.rules.n_actions, np.int32)  # the legal ones come first
        self._n_legal = 0
        self._mask = np.zeros(self.rules.n_actions, np.int8)
        self._np_random: np.random.Generator | None = None
        self._luck = np.uint64(0)  # given to agents, see `view`
        self._has_reset = False
        self._has_updated = False
        self._skip_agent_selection: str | None = None
        self._bind()

    def _make_spaces(self) -> None:
        """Make one observation space and one action space for each agent."""
        size, n_actions = self.rules.obs_size, self.rules.n_actions
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(-1.0, 1.0, (size,), np.float32),
                    "action_mask": spaces.Box(0, 1, (n_actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: ActionSpace(n_actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(-1.0, 1.0, (self.num_players * size,), np.float32)

    def _bind(self) -> None:
        """Make what refers to the state's memory or holds nothing of its own."""
        self._to_play = self._states["to_play"]
        self._gain = self._states["gain"][0, : self.num_players]
        self._obs = np.zeros(1, self.rules.OBS)
        self._flat = self._obs.view(np.float32)

    # --- PettingZoo's interface ------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return an agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game.

        Parameters
        ----------
        seed : int, optional
            In [0, 2**64). The whole game follows from it and from the actions;
            `rules.new(seed=seed)` deals the same. Without one, the seed is drawn from the generator
            that the last seed started (or from the system).
        options : dict, optional
            Nothing is read from it: options are given to `env(...)`.

        Raises
        ------
        ValueError
            If `options` holds something that can be set in `env(...)` only, or the seed is not a
            whole number in [0, 2**64). Nothing has changed then.
        """
        for name in options or ():
            if name in self.options or name in ("render_mode", "reward", "illegal"):
                raise ValueError(f"{name} is set when the environment is made: env({name}=...)")
        given = None if seed is None else checked_seed(seed)
        if given is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(None if given is None else int(given))
        draw = self._np_random.integers
        self._luck = draw(UINT64, dtype=np.uint64)
        deal = draw(UINT64, dtype=np.uint64) if given is None else given
        self._mask = np.empty_like(self._mask)
        self._n_legal = single.begin(self._states, self._options, deal, self._actions, self._mask)
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[self._to_play.item()]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._fresh_infos()
        self._skip_agent_selection = None
        self._has_reset = True
        self._has_updated = True

    def step(self, action: Any) -> None:
        """Play an action of `agent_selection`, and whatever the rules force after it.

        Parameters
        ----------
        action : int or None
            A legal action; None for an agent whose game is over.

        Raises
        ------
        IllegalActionError
            If the rules do not allow it and `illegal` is `"error"`. Nothing has changed then.
        OutOfBoundsError
            If it is not in the action space. Nothing has changed then.
        ValueError
            If an agent whose game is over is given another action than None.
        AssertionError
            Before the first `reset`.
        """
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        number = int(action) if type(action) is np.int64 or type(action) is int else None
        if number is None or self.terminations[agent] or self.truncations[agent]:
            if self._refused_or_dead(agent, action):
                return
            number = int(action)
        mask = np.empty_like(self._mask)
        n_legal = self._advance(agent, number, mask)
        if n_legal < 0:
            self._forfeit(agent)
            return
        self._n_legal = n_legal
        self._mask = mask
        self._cumulative_rewards[agent] = 0.0
        if n_legal == 0:
            self._finish()
            return
        self._pay(self._gains())
        selected = self.possible_agents[self._to_play.item()]
        if selected != agent:
            self.agent_selection = selected
            self.infos[agent] = {"action_mask": np.zeros(len(mask), np.int8)}
        self.infos[selected] = {"action_mask": mask.copy()}

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now.

        Parameters
        ----------
        agent : str
            Any agent, at any time after the first `reset`.

        Returns
        -------
        dict
            `observation` float32 (obs_size,) and `action_mask` int8 (n_actions,), both fresh.

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        single.see(self._states, self._seat_of[agent], self._obs, self._flat)
        acts = agent == self.agent_selection and self._n_legal > 0 and self._lives(agent)
        mask = self._mask.copy() if acts else np.zeros(len(self._mask), np.int8)
        return {"observation": self._flat.copy(), "action_mask": mask}

    def state(self) -> NDArray[np.float32]:
        """Return the observations of all seats, one after the other.

        Returns
        -------
        float32 array (num_players * obs_size,)

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        if not self._has_reset:
            EnvLogger.error_state_before_reset()
        parts = []
        for player in range(self.num_players):
            single.see(self._states, player, self._obs, self._flat)
            parts.append(self._flat.copy())
        return np.concatenate(parts)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Observation, Any]:
        """Iterate over the agents that are to act, until the game is over.

        At the end every agent comes once more, to receive its last reward; it is given the action
        None. `bonebed.envs.play` is a loop without this detail.

        Parameters
        ----------
        max_iter : int
            Most steps.

        Returns
        -------
        iterable of str

        Raises
        ------
        AssertionError
            Before the first `reset`, and where two rounds of a loop have no `step` or `reset`
            between them.
        """
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return _Turns(self, max_iter)

    def render(self) -> str | None:
        """Draw the game as the seat that is to play sees it.

        Returns
        -------
        str or None
            Several lines of text; None without a `render_mode`.

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        if not self._has_reset:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            gymnasium.logger.warn("render() draws nothing: make the environment with a render_mode")
            return None
        return self.draw()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""

    def __getattr__(self, name: str) -> Any:
        """Explain an attribute that is there only after the first reset."""
        if name in _AFTER_RESET:
            raise AttributeError(f"{name} cannot be accessed before reset")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    # --- beyond PettingZoo -----------------------------------------------------------------------

    def _after_reset(self, name: str) -> None:
        """Refuse what can be asked only after the first reset, with PettingZoo's error."""
        if not self._has_reset:
            raise AssertionError(f"reset() needs to be called before {name}.")

    @property
    def scores(self) -> dict[str, int]:
        """Points of every seat, by agent; there from the first `reset` on."""
        self._after_reset("scores")
        points = self._states["score"][0].tolist()
        return dict(zip(self.possible_agents, points, strict=False))

    def draw(self, agent: str | None = None) -> str:
        """Draw the game.

        Parameters
        ----------
        agent : str, optional
            From whose seat; default the one that is to play.

        Returns
        -------
        str
            Several lines.

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        self._after_reset("draw")
        player = self._to_play.item() if agent is None else self._seat_of[agent]
        drawing: str = table.face(self.game).draw(self._states[0], player)
        return drawing

    def describe(self, action: int) -> str:
        """Say what an action would do now.

        Parameters
        ----------
        action : int

        Returns
        -------
        str
            One line.

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        self._after_reset("describe")
        words: str = table.face(self.game).describe(self._states[0], action)
        return words

    def view(self, agent: str | None = None, seed: int | None = None) -> View:
        """Return all that an agent may know, for a player of `bonebed.agents` to decide on.

        Parameters
        ----------
        agent : str, optional
            Default `agent_selection`.
        seed : int, optional
            Luck for the decision, in [0, 2**64). Default: drawn at `reset`, the same at every call
            for one decision of one agent, unrelated to the luck of the game.

        Returns
        -------
        View

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        self._after_reset("view")
        player = self._seat_of[self.agent_selection if agent is None else agent]
        if seed is None:
            k = self._states["ply"].item() * self.num_players + player
            seed = int(rng.bits(self._luck, int(rng.Driver.AGENT), k))
        return View.of(self.rules, self._states[0], seed, player)

    def get_state(self) -> bytes:
        """Return everything that `set_state` needs to go on from here exactly.

        The game, the agents' rewards and ends, and the generator that seeds later games are
        included; the generators of the spaces are not.

        Returns
        -------
        bytes

        Raises
        ------
        AssertionError
            Before the first `reset`.
        """
        self._after_reset("get_state")
        assert self._np_random is not None
        book = {name: getattr(self, name) for name in saved.BOOK}
        chance = {
            "luck": int(self._luck),
            "generator": self._np_random.bit_generator.state,
        }
        return saved.pack(self._identity() | book | chance, self._states.tobytes())

    def set_state(self, data: bytes) -> None:
        """Go on from what `get_state` of an environment of the same kind returned.

        Parameters
        ----------
        data : bytes

        Raises
        ------
        ValueError
            If `data` is cut off, damaged or something else, comes from another game, other rules,
            other options or another kind of reward, or holds what no game can come to. Nothing has
            changed then.
        """
        found, record = saved.unpack(data, self._identity(), self.rules.STATE.itemsize)
        states = np.frombuffer(record, self.rules.STATE)
        rules.check_states(states, self._options[0])
        book = saved.book(found, self.possible_agents)
        luck, generator = saved.chance(found)
        alive = [agent for agent, over in book["terminations"].items() if not over]
        mover = self.possible_agents[states["to_play"][0]]
        if alive and not any(book["truncations"].values()) and book["agent_selection"] != mover:
            raise ValueError(f"the saved state has agent_selection other than {mover!r}")
        self._states[0] = states[0]
        self._luck, self._np_random = luck, generator
        self.__dict__.update(book)
        self._mask = np.empty_like(self._mask)
        self._n_legal = single.look(self._states, self._actions, self._mask)
        self.infos = self._fresh_infos()
        self._has_reset = True
        self._has_updated = True

    def _identity(self) -> dict[str, Any]:
        """Return what has to be the same for a saved state to fit."""
        return {
            "env": self.metadata["name"],
            "rules": table.rules(self.game).rules_hash,
            "options": self.options,
            "reward": self.reward_mode,
        }

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is shared by all environments of the game, and what refers to memory."""
        state = self.__dict__.copy()
        for name in ("rules", "_to_play", "_gain", "_obs", "_flat"):
            del state[name]
        state["_rules_hash"] = table.rules(self.game).rules_hash
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copied or pickled environment in the middle of its game."""
        state = dict(state)
        saved.check("rules", state.pop("_rules_hash"), table.rules(self.game).rules_hash)
        self.__dict__.update(state)
        self.rules = table.rules(self.game)
        self._has_updated = self._has_reset
        self._bind()

    # --- parts of a step -------------------------------------------------------------------------

    def _advance(self, agent: str, number: int, mask: NDArray[np.int8]) -> int:
        """Play an action; return the number of legal ones after it, negative for a forfeit."""
        if not 0 <= number < len(self._mask):
            raise self._refusal(agent, number)
        n_legal: int = single.advance(self._states, number, self._actions, self._n_legal, mask)
        if n_legal < 0 and self.illegal == "error":
            raise self._refusal(agent, number)
        return n_legal

    def _refused_or_dead(self, agent: str, action: Any) -> bool:
        """Deal with unusual steps; False if the action has still to be played."""
        dead = self.terminations[agent] or self.truncations[agent]
        if not (dead and action is None) and not self.action_spaces[agent].contains(action):
            raise self._refusal(agent, action)
        if dead:
            self._was_dead_step(action)
        return dead

    def _refusal(self, agent: str, action: Any) -> IllegalActionError:
        """Make the error for an action that cannot be played."""
        legal = self._actions[: self._n_legal].tolist() if self._lives(agent) else []
        return refusal(agent, action, len(self._mask), legal, self.describe)

    def _forfeit(self, agent: str) -> None:
        """End the game because of an illegal action, as TerminateIllegalWrapper does."""
        EnvLogger.warn_on_illegal_move()
        self._cumulative_rewards[agent] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = self.illegal_reward
        self._accumulate_rewards()
        self._deads_step_first()

    def _gains(self) -> list[float] | None:
        """Return the rewards of this step by seat, or None if there are none."""
        if self.reward_mode == "outcome":
            return None
        gains: list[int] = self._gain.tolist()
        if self.reward_mode == "points" or len(gains) == 1:
            return [float(gain) for gain in gains]
        total, others = sum(gains), len(gains) - 1
        return [gain - (total - gain) / others for gain in gains]

    def _pay(self, gains: list[float] | None) -> None:
        """Set the rewards of this step and add them up."""
        if gains is None:
            self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        else:
            self.rewards = dict(zip(self.possible_agents, gains, strict=True))
            self._accumulate_rewards()

    def _finish(self) -> None:
        """End the game for all agents together."""
        gains = self._gains()
        if gains is None:
            results = np.zeros(self.num_players, np.float32)
            self.rules.outcome(self._states[0], results)
            gains = results.tolist()
        self._pay(gains)
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = self._fresh_infos()
        self._deads_step_first()

    def _lives(self, agent: str) -> bool:
        """Tell whether an agent can still act."""
        return not (self.terminations.get(agent, True) or self.truncations.get(agent, True))

    def _fresh_infos(self) -> dict[str, dict[str, Any]]:
        """Make the infos of all agents: the mask, all 0 but for the one that is to play."""
        infos = {
            agent: {"action_mask": np.zeros(len(self._mask), np.int8)} for agent in self.agents
        }
        selected = self.possible_agents[self._to_play.item()]
        if self._n_legal > 0 and selected in infos:
            infos[selected]["action_mask"][:] = self._mask
        return infos


_AFTER_RESET = {
    "agents",
    "agent_selection",
    "rewards",
    "_cumulative_rewards",
    "terminations",
    "truncations",
    "infos",
    "num_agents",
}


class _Turns(AECIterable[str, Observation, Any]):  # type: ignore[misc]  # as above
    """The iterable behind `agent_iter`; it insists on a step or reset between two rounds."""

    def __iter__(self) -> Iterator[str]:  # a generator: three times as fast as an iterator class
        env, left = self.env, self.max_iter
        while env.agents and left > 0:
            left -= 1
            assert env._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            env._has_updated = False
            yield env.agent_selection


def wrap(env: BoardEnv) -> AECEnv[str, Observation, Any]:
    """Put PettingZoo's own wrappers around an environment that does not need them.

    Parameters
    ----------
    env : BoardEnv

    Returns
    -------
    AECEnv
        With TerminateIllegalWrapper if the environment was made with `illegal="terminate"`, and
        with AssertOutOfBoundsWrapper and OrderEnforcingWrapper.
    """
    wrapped: AECEnv[str, Observation, Any] = env
    if env.illegal == "terminate":
        wrapped = pettingzoo_wrappers.TerminateIllegalWrapper(wrapped, env.illegal_reward)
    wrapped = pettingzoo_wrappers.AssertOutOfBoundsWrapper(wrapped)
    return pettingzoo_wrappers.OrderEnforcingWrapper(wrapped)


def maker(raw_env: type[BoardEnv]) -> Callable[..., AECEnv[str, Observation, Any]]:
    """Make a game's function `env`, which makes its environments.

    Parameters
    ----------
    raw_env : type of BoardEnv
        The game's environment.

    Returns
    -------
    callable

    Examples
    --------
    >>> from bonebed.envs import fossil_v0
    >>> env = fossil_v0.env(num_players=3)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     observation, reward, termination, truncation, info = env.last()
    ...     if termination or truncation:
    ...         action = None
    ...     else:
    ...         action = env.action_space(agent).sample(observation["action_mask"])
    ...     env.step(action)
    """

    def env(*, wrappers: bool = False, **kwargs: Any) -> AECEnv[str, Observation, Any]:
        """Make an environment of the game; `raw_env` is its reference page.

        Parameters
        ----------
        wrappers : bool
            Put PettingZoo's own wrappers around it. The environment makes their checks itself, so
            this only makes it slower; it is there for tools that look for them.
        **kwargs
            `num_players` and the game's other options; `render_mode`, `reward`, `illegal` and
            `illegal_reward`, see `bonebed.envs.aec.BoardEnv`.

        Returns
        -------
        AECEnv

        Raises
        ------
        ValueError
            For an option or a value that there is not.
        """
        made = raw_env(**kwargs)
        return wrap(made) if wrappers else made

    env.__module__, env.__qualname__ = raw_env.__module__, "env"
    return env
