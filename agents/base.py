"""What a player is: a class that chooses an action from a view, and is named by a spec string.

A spec is `name` or `name:key=value,key=value`: `greedy`, `ismcts:simulations=500`. An agent class
is a dataclass; its fields are the parameters of its spec.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Iterable
from dataclasses import MISSING, Field, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, get_type_hints

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..envs.view import View, Views

KINDS = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


class Agent:
    """A player: chooses one of the legal actions of a view.

    Derive from this class and define `act`; objects of the derived class are accepted wherever a
    spec string is. An agent keeps no memory between calls, and takes all its luck from `view.seed`:
    the same view gives the same action. For parameters that can be given in a spec string, make the
    class a dataclass.

    Attributes
    ----------
    name : str
        The name in spec strings; the class's own name where none is given.
    interactive : bool
        It waits for a person: evaluations refuse it.
    """

    name: ClassVar[str] = ""
    interactive: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Check the parameters of an agent that is a dataclass.

        Raises
        ------
        ValueError
            Naming the agent, the parameter and what is allowed.
        """
        for parameter in parameters(type(self)):
            value = getattr(self, parameter.name)
            kind = kind_of(type(self), parameter)
            right = isinstance(value, int | float) if kind is float else isinstance(value, kind)
            wrong_bool = isinstance(value, bool) and kind is not bool
            if wrong_bool or not right or not _in_range(parameter, value):
                raise ValueError(
                    f"{name_of(type(self))}: {parameter.name} is {value!r}; "
                    f"allowed: {describe(type(self), parameter)}"
                )

    def prepare(self, game: str) -> None:
        """Load what is needed to play a game; called once, before the first decision.

        Parameters
        ----------
        game : str
            A name from the table of games.

        Raises
        ------
        ValueError
            If this agent cannot play that game.
        """

    def act(self, view: View) -> int:
        """Choose an action.

        Parameters
        ----------
        view : View
            All that the seat to move may know.

        Returns
        -------
        int
            One of `view.actions`.

        Raises
        ------
        NotImplementedError
            If the derived class defines neither `act` nor `act_many`.
        """
        raise NotImplementedError(f"{type(self).__name__} has to define act(view)")

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several independent games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)
            The same actions as n calls of `act`.

        Raises
        ------
        IllegalActionError
            If `act` returns anything but the number of an action.
        """
        import numpy as np  # here, so that the command's help can list the agents without it

        every = [views[i] for i in range(len(views))]
        return np.array([self._number(self.act(view), view) for view in every], np.int64)

    def _number(self, action: Any, view: View) -> int:
        """Return what was chosen as an int; an error if it is not the number of an action."""
        try:
            number = -1 if isinstance(action, bool) else operator.index(action)
        except TypeError:
            number = -1
        n_actions = view.rules.n_actions
        if not 0 <= number < n_actions:
            from ..envs.illegal import refusal  # here, as numpy above

            raise refusal(str(self), action, n_actions, view.actions.tolist(), view.words)
        return number

    def __str__(self) -> str:
        """Return the spec string: the name and those parameters that are not at their defaults."""
        changed = []
        for parameter in parameters(type(self)):
            value = getattr(self, parameter.name)
            if value != parameter.default:
                text = str(value).lower() if isinstance(value, bool) else str(value)
                changed.append(f"{parameter.name}={text}")
        return name_of(type(self)) + (":" + ",".join(changed) if changed else "")


class BatchedAgent(Agent):
    """An agent that decides for many games at once: derive from it and define `act_many`."""

    def act(self, view: View) -> int:
        """Choose an action as a batch of one game.

        Parameters
        ----------
        view : View

        Returns
        -------
        int
            One of `view.actions`.

        Raises
        ------
        IllegalActionError
            If `act_many` returns anything but the number of an action.
        """
        return self._number(self.act_many(view.as_views())[0], view)

    def act_many(self, views: Views) -> NDArray[np.int64]:
        """Choose an action for each of several independent games.

        Parameters
        ----------
        views : Views
            n views.

        Returns
        -------
        int64 (n,)

        Raises
        ------
        NotImplementedError
            If the derived class does not define it.
        """
        raise NotImplementedError(f"{type(self).__name__} has to define act_many(views)")


AgentLike: TypeAlias = str | Agent


def parameter(
    default: Any = MISSING, *, low: float | None = None, high: float | None = None, doc: str = ""
) -> Any:
    """Declare a parameter of an agent: a dataclass field that knows its range.

    Parameters
    ----------
    default : int, float, str or bool
        Without one the parameter has to be given.
    low, high : float, optional
        Smallest and largest value allowed.
    doc : str
        What it does, in a few words.

    Returns
    -------
    dataclasses.Field
    """
    return field(default=default, metadata={"low": low, "high": high, "doc": doc})


def name_of(kind: type[Agent]) -> str:
    """Return the name that an agent class has in spec strings.

    Parameters
    ----------
    kind : class derived from Agent

    Returns
    -------
    str
    """
    return kind.name or kind.__name__


def parameters(kind: type[Agent]) -> list[Field[Any]]:
    """Return the fields of an agent class that a spec may set.

    Parameters
    ----------
    kind : class derived from Agent

    Returns
    -------
    list of dataclasses.Field
        Empty for a class that is no dataclass.
    """
    return [f for f in fields(kind) if f.init] if is_dataclass(kind) else []


def kind_of(kind: type[Agent], parameter: Field[Any]) -> type:
    """Return the type of a parameter: int, float, str or bool.

    Parameters
    ----------
    kind : class derived from Agent
    parameter : dataclasses.Field
        One of its parameters.

    Returns
    -------
    type
    """
    hint = get_type_hints(kind)[parameter.name]
    return hint if hint in KINDS else str


def describe(kind: type[Agent], parameter: Field[Any]) -> str:
    """Say in words what a parameter may be: "a whole number of at least 1".

    Parameters
    ----------
    kind : class derived from Agent
    parameter : dataclasses.Field
        One of its parameters.

    Returns
    -------
    str
    """
    words = KINDS[kind_of(kind, parameter)]
    low, high = (parameter.metadata.get(key) for key in ("low", "high"))
    if low is not None and high is not None:
        return f"{words} from {low} to {high}"
    if low is not None:
        return f"{words} of at least {low}"
    return words if high is None else f"{words} of at most {high}"


def build(kind: type[Agent], text: str) -> Agent:
    """Make an agent from the parameters of its spec.

    Parameters
    ----------
    kind : class derived from Agent
    text : str
        What follows the colon: `simulations=500,exploration=1`, or nothing. A comma belongs to a
        value unless `key=` follows it.

    Returns
    -------
    Agent

    Raises
    ------
    ValueError
        For an unknown, doubled or missing parameter or a value that is not allowed.
    """
    known = {parameter.name: parameter for parameter in parameters(kind)}
    values: dict[str, Any] = {}
    for item in re.split(r",(?=\s*\w+\s*=)", text) if text.strip() else ():
        key, equals, value = (part.strip() for part in item.partition("="))
        if not equals or key not in known:
            raise ValueError(f"{name_of(kind)} has no parameter {key!r}; {_listed(kind)}")
        if key in values:
            raise ValueError(f"{name_of(kind)}: {key} is given twice")
        values[key] = _parse(kind, known[key], value)
    missing = [key for key, p in known.items() if p.default is MISSING and key not in values]
    if missing:
        raise ValueError(f"{name_of(kind)} needs {missing[0]}=...; {_listed(kind)}")
    return kind(**values)


def split_specs(text: str | Iterable[str]) -> list[str]:
    """Split a list of specs that are separated by commas, as typed on a command line.

    Parameters
    ----------
    text : str or iterable of str
        `human,ismcts:simulations=300,exploration=1,greedy`: a piece `key=value` goes on with the
        spec before it.

    Returns
    -------
    list of str

    Raises
    ------
    ValueError
        For a piece `key=value` with no spec before it, or an empty piece.
    """
    specs: list[str] = []
    for whole in [text] if isinstance(text, str) else text:
        for number, piece in enumerate(whole.split(",")):
            if re.match(r"\s*\w+\s*=", piece):
                if number == 0:
                    raise ValueError(f"an agent's name was expected before {piece.strip()!r}")
                specs[-1] += "," + piece.strip()
            elif piece.strip():
                specs.append(piece.strip())
            else:
                raise ValueError(f"an agent's name is missing in {whole!r}")
    return specs


def _in_range(parameter: Field[Any], value: Any) -> bool:
    """Tell whether a value keeps to the parameter's range; no NaN and no infinity ever does."""
    low, high = (parameter.metadata.get(key) for key in ("low", "high"))
    if isinstance(value, int | float) and not -math.inf < value < math.inf:
        return False
    return (low is None or value >= low) and (high is None or value <= high)


def _listed(kind: type[Agent]) -> str:
    """Say which parameters an agent has."""
    listed = [f"{p.name} ({describe(kind, p)})" for p in parameters(kind)]
    return "allowed: " + ", ".join(listed) if listed else "it takes none"


def _parse(kind: type[Agent], parameter: Field[Any], text: str) -> Any:
    """Read a parameter's value; ValueError says what is allowed."""
    wanted = kind_of(kind, parameter)
    try:
        if wanted is bool:
            return {"true": True, "false": False}[text.lower()]
        return wanted(text)
    except (ValueError, KeyError):
        allowed = describe(kind, parameter)
        raise ValueError(
            f"{name_of(kind)}: {parameter.name} is {text!r}; allowed: {allowed}"
        ) from None
