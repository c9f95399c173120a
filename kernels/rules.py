"""The contract between a game and everything that plays it.

Seven questions, asked by functions that are written once and answered by the game whose record they
get: inside compiled code Numba picks the answer by the record's type while compiling, so a driver
over `legal` and `step` costs nothing extra and exists once for all games; called from Python, or
with the JIT off, the record's dtype decides.

A game's file defines `STATE`, `OBS` and `OPTIONS` and seven kernels with the names of the
questions, and hands them over with `register`. It also says what its fields may hold, so that
`check_states` can look at states that come from outside before a kernel gets them.
"""

import contextlib
import hashlib
import importlib
import inspect
import sys
from dataclasses import dataclass, field
from enum import EnumMeta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numba
import numpy as np
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin

from . import rng
from .jit import kernel, publish
from .sources import code_of

QUESTIONS = ("reset", "legal", "step", "observe", "resample", "outcome", "value")
_RETURNED = {"legal": types.int64, "value": types.float64}  # the others return nothing


# --- the seven questions ----------------------------------------------------------------------


def reset(state, options, seed):
    """Start a fresh game, set-up chance drawn, at its first decision.

    Parameters
    ----------
    state : STATE record, out
        Whatever it held is overwritten.
    options : OPTIONS record
        From `Rules.make_options`.
    seed : uint64
        All chance of the game follows from it.
    """
    of(state).reset(state, options, seed)


def legal(state, actions):
    """List the legal actions of the player to move.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out
        The first n entries become the legal actions, ascending; what follows is
        undefined.

    Returns
    -------
    int
        Their number n; 0 only when the game is done.
    """
    return of(state).legal(state, actions)


def step(state, action):
    """Apply a legal action, then everything that is forced, up to the next decision or the end.

    Parameters
    ----------
    state : STATE record, in and out
        `gain` becomes the points that every seat won or lost in this call.
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    of(state).step(state, action)


def observe(state, player, obs):
    """Write what a seat may know; own seat first, then the others in turn order.

    Parameters
    ----------
    state : STATE record
    player : int
        Any seat, at any time.
    obs : OBS record, out
        Zeroed by the caller.
    """
    of(state).observe(state, player, obs)


def resample(state, player, seed):
    """Deal anew all that a seat cannot know, uniformly among what is consistent; re-seed chance.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        The seat whose knowledge is kept. The result depends on that knowledge and on `seed` alone.
    seed : uint64
    """
    of(state).resample(state, player, seed)


def outcome(state, out):
    """Write the final result of each seat: by rank from 1 down to -1, shared places averaged.

    With one seat there are no ranks: the game says what its end is worth, from 1 for the best down
    to -1 for the worst.

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array, out
        Its first `num_players` entries are written, in [-1, 1]; two or more sum to zero.
    """
    of(state).outcome(state, out)


def value(state, player):
    """Estimate a position for one seat: the judgement of the greedy agent.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Larger is better for `player`; in points of score margin. With one seat in points above
        those that would make an outcome of 0: the search weighs it against outcomes.
    """
    return of(state).value(state, player)


def _types_of(rules):
    """Return the Numba argument types of each question for a game."""
    state, obs = numba.from_dtype(rules.STATE), numba.from_dtype(rules.OBS)
    options = numba.from_dtype(rules.OPTIONS)
    i8, u8 = numba.int64, numba.uint64
    return {
        "step": (state, i8),
        "legal": (state, numba.int32[::1]),
        "observe": (state, i8, obs),
        "resample": (state, i8, u8),
        "outcome": (state, numba.float32[::1]),
        "value": (state, i8),
        "reset": (state, options, u8),  # last, so that it may ask the others
    }


_backwards = False


@contextlib.contextmanager
def backwards():
    """Have the answers of games that are loaded in this context compiled in the opposite order.

    For a process that helps another: each finds in the cache what the other has compiled.
    """
    global _backwards
    _backwards = True
    try:
        yield
    finally:
        _backwards = False


def _publish(rules):
    """Compile a game's answers, or load them, and give the linker their addresses.

    Drivers that were compiled before count on the types, whatever sources the game comes from.
    """
    *others, reset = _types_of(rules).items()
    if _backwards:
        others.reverse()
    for question, arguments in [*others, reset]:
        symbol = f"bonebed.{rules.name}.{question}"
        answer = getattr(rules, question)
        answer.compile(arguments)
        compiled = answer.overloads[arguments]
        publish(compiled, symbol)
        signature = compiled.signature
        wanted = _RETURNED.get(question, types.void)
        if signature.return_type != wanted:
            raise TypeError(
                f"{question} of {rules.name} returns {signature.return_type}; expected {wanted}"
            )
        _ANSWERS[question, arguments[0]] = symbol, signature


def _open(question):
    """Let compiled code ask a question: a call through the symbol of the game's answer.

    The answer is not linked into the code that asks. Numba would optimise and emit it again for
    every driver and for every level of calls above it, which made up most of the compile time.
    """

    class Template(AbstractTemplate):
        """Types the question as the answer of the record's game."""

        def generic(self, args, kws):
            """Take numbers cast to the answer's types, and arrays that differ in alignment only."""
            found = _ANSWERS.get((question.__name__, args[0]))
            if found is None:
                raise TypingError(f"rules.{question.__name__}: not a state of a game: {args[0]}")
            _, wanted = found
            taken = []
            for given, want in zip(args, wanted.args, strict=True):
                if isinstance(want, types.Array):
                    same = (given.dtype, given.ndim, given.layout) == (want.dtype, 1, "C")
                    if not same:
                        raise TypingError(f"rules.{question.__name__}: {want} wanted, got {given}")
                    taken.append(given)
                else:
                    taken.append(want)
            return wanted.return_type(*taken)

    infer_global(question)(Template)

    @lower_builtin(question, types.VarArg(types.Any))
    def lower(context, builder, signature, args):
        """Emit the call, and pass on an exception of the answer."""
        symbol, wanted = _ANSWERS[question.__name__, signature.args[0]]
        convention = context.call_conv
        kind = convention.get_function_type(wanted.return_type, wanted.args)
        answer = cgutils.get_or_insert_function(builder.module, kind, symbol)
        status, result = convention.call_function(
            builder, answer, wanted.return_type, wanted.args, args
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result


_ANSWERS: dict[tuple[str, Any], tuple[str, Any]] = {}
for _question in (reset, legal, step, observe, resample, outcome, value):
    _open(_question)


# --- what games share -------------------------------------------------------------------------


def header(n_streams, max_players):
    """Return the fields that every STATE begins with.

    Parameters
    ----------
    n_streams : int
        Number of the game's chance streams.
    max_players : int

    Returns
    -------
    list of tuple
        Fields for `numpy.dtype`.
    """
    return [
        ("seed", "u8"),
        ("draws", "u4", (n_streams,)),  # chance counters, one for each stream
        ("score", "i4", (max_players,)),
        ("gain", "i4", (max_players,)),  # points of the last step
        ("ply", "i4"),  # decisions taken
        ("num_players", "i1"),
        ("to_play", "i1"),
        ("phase", "i1"),
        ("done", "i1"),
    ]


def record(fields):
    """Make a record dtype, readable as `record.field` in plain Python and in compiled code.

    Parameters
    ----------
    fields : list of tuple
        As for `numpy.dtype`.

    Returns
    -------
    numpy.dtype
    """
    return np.dtype((np.record, fields))


def spare(fields):
    """Sort STATE fields by size of element and add 1 to 8 unused bytes, up to a multiple of 8.

    Parameters
    ----------
    fields : list of tuple
        As for `numpy.dtype`.

    Returns
    -------
    list of tuple
        Largest elements first, so that each is aligned and nothing is padded.
    """
    fields = sorted(fields, key=lambda entry: -np.dtype(entry[1]).itemsize)
    missing = 8 - np.dtype(fields).itemsize % 8  # never 0: a game's reset may count on the field
    return [*fields, ("spare", "i1", (missing,))]


@kernel
def rank_outcome(keys, num_players, out):
    """Turn tie-break keys into results: rank r of n gets 1 - 2 r / (n - 1), shared places averaged.

    Parameters
    ----------
    keys : int array (at least num_players,)
        Larger is better; equal keys share their places.
    num_players : int
        Two or more.
    out : float32 array (at least num_players,), out
        Results in [-1, 1] that sum to zero.
    """
    for player in range(num_players):
        better = 0
        equal = 0
        for other in range(num_players):
            if keys[other] > keys[player]:
                better += 1
            elif keys[other] == keys[player]:
                equal += 1
        out[player] = place_result(better, equal, num_players)


@kernel
def place_result(better, equal, num_players):
    """Return the result of a player from how many stand better and how many share the place.

    Parameters
    ----------
    better : int
    equal : int
        The player included.
    num_players : int
        Two or more.

    Returns
    -------
    float
        In [-1, 1].
    """
    mean_rank = better + 0.5 * (equal - 1)
    return 1.0 - 2.0 * mean_rank / (num_players - 1)


@dataclass(frozen=True)
class Block:
    """A named block of actions: all combinations of its fields, the last one varying fastest.

    Attributes
    ----------
    name : str
    offset : int
        The first action's number.
    fields : dict of str to int
        Size of each field; values count from 0.
    """

    name: str
    offset: int
    fields: MappingProxyType

    @property
    def size(self):
        """Number of actions in the block."""
        return int(np.prod(list(self.fields.values()), dtype=int))


class ActionTable:
    """All actions of a game as one flat range, in named blocks.

    Parameters
    ----------
    **blocks : dict of str to int
        For each block its fields and their sizes, in order.
    """

    def __init__(self, **blocks):
        self.blocks = []
        self.size = 0
        for block_name, fields in blocks.items():
            block = Block(block_name, self.size, MappingProxyType(fields))
            self.blocks.append(block)
            self.size += block.size
        self._by_name = {block.name: block for block in self.blocks}

    def __getitem__(self, block_name):
        try:
            return self._by_name[block_name]
        except KeyError:
            known = ", ".join(self._by_name)
            raise ValueError(f"no action block '{block_name}'; known: {known}") from None

    def offset(self, block_name):
        """Return the number of a block's first action.

        Parameters
        ----------
        block_name : str

        Returns
        -------
        int
        """
        return self[block_name].offset

    def encode(self, block_name, **values):
        """Return an action's number.

        Parameters
        ----------
        block_name : str
        **values : int
            One for each of the block's fields, counted from 0.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            For an unknown block, a missing or unknown field, or a value out of range.
        """
        block = self[block_name]
        if set(values) != set(block.fields):
            wanted = ", ".join(block.fields) or "none"
            raise ValueError(
                f"fields of '{block_name}': {wanted}; got {', '.join(values) or 'none'}"
            )
        action = 0
        for field_name, size in block.fields.items():
            if not 0 <= values[field_name] < size:
                raise ValueError(
                    f"{block_name}: {field_name} is {values[field_name]}, allowed 0 to {size - 1}"
                )
            action = action * size + int(values[field_name])
        return block.offset + action

    def decode(self, action):
        """Return the block and the field values of an action.

        Parameters
        ----------
        action : int

        Returns
        -------
        tuple of (str, dict of str to int)

        Raises
        ------
        ValueError
            If there is no such action.
        """
        if not 0 <= action < self.size:
            raise ValueError(f"no action {action}; actions are 0 to {self.size - 1}")
        block = next(b for b in reversed(self.blocks) if b.offset <= action)
        rest = int(action) - block.offset
        values = {}
        for field_name, size in reversed(block.fields.items()):
            rest, values[field_name] = divmod(rest, size)
        return block.name, dict(reversed(values.items()))


@dataclass(frozen=True)
class Option:
    """One option of a game; its record field holds the choice, or for words the choice's index.

    Attributes
    ----------
    name : str
    choices : tuple
        All allowed values: ints, bools or words.
    default : object
        One of the choices.
    doc : str
    follows : str, optional
        Name of another option of the game, from which this one follows: the k-th choice here
        belongs to the k-th choice there. Either may be given, and is worked out from the other.
    """

    name: str
    choices: tuple
    default: Any
    doc: str
    follows: str | None = None

    def index(self, choice):
        """Return the place of a choice among all; ValueError if it is not allowed."""
        plain = isinstance(choice, str | int | float | np.generic)  # an array equals nothing
        for index, allowed in enumerate(self.choices if plain else ()):
            if choice == allowed and isinstance(choice, bool | np.bool_) == isinstance(
                allowed, bool
            ):
                return index
        listed = ", ".join(map(str, self.choices))
        raise ValueError(f"option {self.name} is {choice!r}; allowed: {listed}")

    def encode(self, choice):
        """Return what the record holds for a choice; ValueError if it is not allowed."""
        index = self.index(choice)
        allowed = self.choices[index]
        return index if isinstance(allowed, str) else int(allowed)

    def decode(self, held):
        """Return the choice that a record's field stands for."""
        if isinstance(self.choices[0], str):
            return self.choices[int(held)]
        return type(self.choices[0])(held)


@dataclass(frozen=True, eq=False)
class Automatic:
    """A seat that the rulebook can play by itself: an automated opponent.

    Attributes
    ----------
    seat : int
    choice : kernel
        `choice(state)` returns the legal action that the rulebook takes where the seat is to move.
    """

    seat: int
    choice: Any


@dataclass(frozen=True, eq=False)
class Rules:
    """A game, ready to be played by any driver.

    Attributes
    ----------
    name, title : str
    STATE, OBS : numpy.dtype
        Record dtypes of a game and of an observation (float32 fields).
    options : tuple of Option
    actions : ActionTable
    streams : enum
        The game's chance streams.
    min_players, max_players : int
    max_decisions : int
        Proved bound on the decisions of a game.
    perfect_information : bool
        No seat lacks anything that another knows.
    sheet : Sheet
    reset, legal, step, observe, resample, outcome, value : kernel
        The answers to the seven questions, callable with the records themselves.
    bounds : dict of str to (low, high)
        What the fields of STATE may hold, both ends included: for each field but `seed`, `draws`,
        `spare`, the options, what `check_states` knows by itself, and what `derive` writes. Numbers
        or arrays that broadcast to the field of all states, or a function that returns such a pair
        for an array of states, whose fields named before it are in bounds.
    derive : kernel, optional
        `derive(state)` computes the fields that follow from the others.
    shares : tuple of module
        Modules outside the game's own file or folder that hold rules or tables of it; a package
        stands for all its modules.
    agent_names : tuple of str
        What the seats are called as agents of PettingZoo; default `player_0`, `player_1`, ...
    automatic : Automatic, optional
        The seat of an automated opponent, where it can be a player's.
    module : str
        Name of the module that registers the game; default that of its `step`. Its file, or the
        folder of the game that it is in, is the game's own.
    rules_hash : str
        Of all that decides how a game goes, 16 hexadecimal digits; not given but computed.
    """

    name: str
    title: str
    STATE: np.dtype
    OBS: np.dtype
    options: tuple
    actions: ActionTable
    streams: EnumMeta
    max_decisions: int
    perfect_information: bool
    sheet: Any
    reset: Any
    legal: Any
    step: Any
    observe: Any
    resample: Any
    outcome: Any
    value: Any
    bounds: dict
    derive: Any = None
    shares: tuple = ()
    agent_names: tuple = ()
    automatic: Automatic | None = None
    module: str = ""
    OPTIONS: np.dtype = field(init=False)
    rules_hash: str = field(init=False)

    def __post_init__(self):
        if not self.module:
            step = inspect.unwrap(getattr(self.step, "py_func", self.step))
            object.__setattr__(self, "module", step.__module__)
        if not self.agent_names:
            names = tuple(f"player_{player}" for player in range(self.max_players))
            object.__setattr__(self, "agent_names", names)
        self._check_made()
        fields = [(option.name, "i1") for option in self.options]
        object.__setattr__(self, "OPTIONS", record(fields))
        object.__setattr__(self, "rules_hash", self._hash())

    def __reduce__(self):
        """Copy and pickle the name of the game: kernels are loaded, not copied."""
        return _reload, (self.module, self.name)

    def _check_made(self):
        """Refuse names of agents and options that do not fit; ValueError."""
        if len({*self.agent_names}) != self.max_players or len(self.agent_names) != len(
            {*self.agent_names}
        ):
            raise ValueError(
                f"{self.name} has agent_names {self.agent_names}; wanted: {self.max_players} "
                "different ones"
            )
        for option in self.options:
            if option.follows is not None:
                leader = self.option(option.follows)
                one_each = len(option.choices) == len({*option.choices}) == len(leader.choices)
                if not one_each or option.index(option.default) != leader.index(leader.default):
                    raise ValueError(
                        f"{self.name}: option {option.name} has to have one choice for each of "
                        f"{leader.name}, and its default for the default there"
                    )

    @property
    def n_actions(self):
        """Number of actions."""
        return self.actions.size

    @property
    def obs_size(self):
        """Number of floats in an observation."""
        return self.OBS.itemsize // 4

    @property
    def min_players(self):
        """Smallest number of players."""
        return min(self.option("num_players").choices)

    @property
    def max_players(self):
        """Largest number of players."""
        return max(self.option("num_players").choices)

    def _hash(self):
        """Return a hash of code and sheet, as they are when the game is loaded."""
        own = Path(sys.modules[self.module].__file__)
        folder = own.parent
        digest = hashlib.sha256(self.sheet.hash.encode())
        files = sorted(folder.rglob("*.py")) if folder.name == self.name else _files_of(own)
        for module in self.shares:
            files += _files_of(Path(module.__file__))
        for path in [*files, Path(rng.__file__), Path(__file__)]:
            digest.update(code_of(path.read_text("utf-8")).encode())
        return digest.hexdigest()[:16]

    def make_options(self, **choices):
        """Check options and put them into a record.

        Parameters
        ----------
        **choices : object
            Any of the game's options; the others follow from these or take their defaults.

        Returns
        -------
        OPTIONS record

        Raises
        ------
        ValueError
            Naming the option and what is allowed, also for two that contradict each other.
        """
        choices = self.settled(**choices)
        options = np.zeros(1, self.OPTIONS)[0]
        for option in self.options:
            options[option.name] = option.encode(choices.get(option.name, option.default))
        return options

    def settled(self, **choices):
        """Add the options that follow from those that are given.

        Parameters
        ----------
        **choices : object
            Any of the game's options.

        Returns
        -------
        dict of str to object
            What is left open takes its default.

        Raises
        ------
        ValueError
            For an unknown option, and for choices that contradict each other.
        """
        for given in choices:
            self.option(given)
        following = [option for option in self.options if option.follows is not None]
        for option in following:
            if option.name in choices:
                leader = self.option(option.follows)
                wanted = leader.choices[option.index(choices[option.name])]
                if leader.index(choices.setdefault(leader.name, wanted)) != leader.index(wanted):
                    raise ValueError(
                        f"option {option.name} is {choices[option.name]} and {leader.name} is "
                        f"{choices[leader.name]}; allowed: {option.name} {choices[option.name]} "
                        f"with {leader.name} {wanted}"
                    )
        for option in following:
            if option.follows in choices:
                index = self.option(option.follows).index(choices[option.follows])
                choices[option.name] = option.choices[index]
        return choices

    def options_dict(self, options):
        """Return the options of an OPTIONS record, or of a STATE that holds them, by name.

        Parameters
        ----------
        options : record

        Returns
        -------
        dict of str to int, bool or str
        """
        return {option.name: option.decode(options[option.name]) for option in self.options}

    def new(self, seed=0, **choices):
        """Start a game.

        Parameters
        ----------
        seed : int
            In [0, 2**64).
        **choices : object
            Options.

        Returns
        -------
        STATE record
        """
        state = np.zeros(1, self.STATE)[0]
        self.reset(state, self.make_options(**choices), np.uint64(seed))
        return state

    def legal_actions(self, state):
        """Return the legal actions of the player to move.

        Parameters
        ----------
        state : STATE record

        Returns
        -------
        int32 array (n,)
            Ascending.
        """
        actions = np.empty(self.n_actions, np.int32)
        return actions[: self.legal(state, actions)]

    @property
    def derived(self):
        """Names of the STATE fields that `derive` writes."""
        given = {*_GENERIC_FIELDS, *self.bounds, *(option.name for option in self.options)}
        return tuple(name for name in self.STATE.names if name not in given)

    def option(self, option_name):
        """Return an option by name.

        Parameters
        ----------
        option_name : str

        Returns
        -------
        Option

        Raises
        ------
        ValueError
            If there is none; lists the known ones.
        """
        for option in self.options:
            if option.name == option_name:
                return option
        known = ", ".join(option.name for option in self.options)
        raise ValueError(f"{self.name} has no option '{option_name}'; known: {known}")


# --- states from outside ------------------------------------------------------------------------

# Of the header all but what only the game knows: score, gain and phase.
_GENERIC_FIELDS = ("seed", "draws", "ply", "num_players", "to_play", "done", "spare")


def check_range(field_name, values, low, high):
    """Refuse numbers outside a range.

    Parameters
    ----------
    field_name : str
        For the message.
    values : array (n, ...)
        Of n games.
    low, high : number or array
        Smallest and largest allowed; broadcast to `values`.

    Raises
    ------
    ValueError
        Naming the game, the field, the value and what is allowed.
    """
    low, high = (np.broadcast_to(limit, values.shape) for limit in (low, high))
    wrong = np.argwhere(~((values >= low) & (values <= high)))
    if len(wrong):
        at = tuple(wrong[0].tolist())
        place = field_name + "".join(f"[{i}]" for i in at[1:])
        allowed = f"{low[at]}" if low[at] == high[at] else f"{low[at]} to {high[at]}"
        raise ValueError(f"game {at[0]}: {place} is {values[at]}; allowed: {allowed}")


def check_states(states, options):
    """Refuse states that no game can be in, before a kernel gets them; a kernel checks nothing.

    Parameters
    ----------
    states : STATE array (n,)
        From a file or from somebody else; not changed.
    options : OPTIONS record
        The games have to have these.

    Raises
    ------
    ValueError
        Naming the first game and field that is wrong, its value and what is allowed.

    Notes
    -----
    `seed`, `draws` and `spare` may hold anything. That a state in range was reached by legal
    actions is not checked.
    """
    game = of(states)
    for option in game.options:
        held = options[option.name]
        check_range(option.name, states[option.name], held, held)
    check_range("to_play", states["to_play"], 0, states["num_players"] - 1)
    check_range("done", states["done"], 0, 1)
    check_range("ply", states["ply"], 0, game.max_decisions)
    for field_name, bound in game.bounds.items():
        low, high = bound(states) if callable(bound) else bound
        check_range(field_name, states[field_name], low, high)
    _check_derived(game, states)
    actions = np.empty(game.n_actions, np.int32)
    for i in range(len(states)):
        if not states["done"][i] and game.legal(states[i], actions) == 0:
            raise ValueError(f"game {i}: done is 0; allowed: 1, since nobody can act")


def _check_derived(game, states):
    """Refuse fields that do not follow from the others as `derive` says."""
    if game.derived:
        again = states.copy()
        for field_name in game.derived:
            again[field_name] = 0
        for state in again:
            game.derive(state)
        for field_name in game.derived:
            check_range(field_name, states[field_name], again[field_name], again[field_name])


# --- finding a game ---------------------------------------------------------------------------

_BY_DTYPE: dict[np.dtype, Rules] = {}


def register(rules):
    """Make a game known to the generic functions.

    Parameters
    ----------
    rules : Rules

    Returns
    -------
    Rules
        The same.

    Raises
    ------
    ValueError
        If another game has exactly the same fields: the two could not be told apart. If a field has
        no bounds, or `bounds` or an option names none.
    """
    stored = {*rules.bounds, *(option.name for option in rules.options)}
    for name in sorted(stored - set(rules.STATE.names)):
        raise ValueError(f"STATE of {rules.name} has no field {name!r}")
    if rules.derive is None and rules.derived:
        raise ValueError(f"{rules.name} needs bounds for the field {rules.derived[0]!r} of STATE")
    known = _BY_DTYPE.get(rules.STATE)
    if known is not None and known.name != rules.name:
        raise ValueError(f"STATE of {rules.name} has the same fields as that of {known.name}")
    _BY_DTYPE[rules.STATE] = rules
    if not numba.config.DISABLE_JIT:
        _publish(rules)
    return rules


def of(state):
    """Find the game of a record or of a dtype.

    Parameters
    ----------
    state : STATE record, array of them, or their dtype

    Returns
    -------
    Rules

    Raises
    ------
    TypeError
        If it belongs to no registered game.
    """
    dtype = getattr(state, "dtype", state)
    try:
        return _BY_DTYPE[dtype]
    except (KeyError, TypeError):
        known = ", ".join(sorted(rules.name for rules in _BY_DTYPE.values())) or "none"
        raise TypeError(f"not a state of a game: {dtype}; games loaded: {known}") from None


def load(module):
    """Import a game's kernel and return its rules.

    Parameters
    ----------
    module : str
        Name of a module of this package (`fossil`), or a full dotted name; it defines `RULES`.

    Returns
    -------
    Rules
    """
    if "." not in module:
        module = f"{__package__}.{module}"
    return importlib.import_module(module).RULES


def _files_of(file):
    """List the source of a module, or of all modules of a package."""
    return sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]


def _reload(module, name):
    """Return the rules of a game that a module registers: what a pickle of them comes back to."""
    importlib.import_module(module)
    return next(rules for rules in _BY_DTYPE.values() if rules.name == name)
