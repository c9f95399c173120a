"""The Memory Game of the Fossil Canyon box: the rules of docs/games/memory_game.md, compiled.

Spaces are numbered row by row from the top left corner (1.4):

     0  1  2  3  4  5
     6  7  8 ...

A genus is counted within the ones in play here, in the order of the sheet's lists: that of four
fossils, those of three, those of two.
"""

from enum import IntEnum

import numpy as np

from . import canyon_cards, rng, rules
from .jit import index, kernel
from .records import clear

PARTS = canyon_cards.PARTS["memory"]
GENERA = (*PARTS["four"], *PARTS["three"], *PARTS["two"])  # 1.1
_BOX = np.array([canyon_cards.GENERA.index(name) for name in GENERA])
N_GENERA = len(GENERA)
FOSSILS_OF_GENUS = canyon_cards.FOSSILS_OF_GENUS[_BOX]  # cards of the one skeleton
VALUE_OF_GENUS = canyon_cards.VALUE_OF_GENUS[_BOX]  # 1.3
ROWS, COLS = PARTS["rows"], PARTS["cols"]
N_CELLS = ROWS * COLS
N_PLAYERS = PARTS["players"]
TURN_CAP = PARTS["turn_cap"]  # 5.2
MOST_POINTS = int(VALUE_OF_GENUS.sum())
BY_VALUE = np.argsort(-VALUE_OF_GENUS, kind="stable")  # genera, the most valuable first

NO_CARD = -1
NO_GENUS = -1
NO_ACTION = np.int64(-1)

ACTIONS = rules.ActionTable(
    # turn up the card on a space (3.1)
    turn_up={"cell": N_CELLS},
)


class Stream(IntEnum):
    """Sources of chance."""

    LAYOUT = 0  # the shuffle (2.1)


class Phase(IntEnum):
    """What the player to move decides."""

    TURN = 0  # which card to turn up (3.1)
    OVER = 1


STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), N_PLAYERS),
            ("turns", "i4"),  # turns that have ended
            ("cell", "i1", (N_CELLS,)),  # genus of the card on each space, or NO_CARD
            ("seen", "u1", (N_CELLS,)),  # 1: the card there was turned up once (4.1)
            ("up", "u1", (N_CELLS,)),  # 1: it is face up now
            ("museum", "u1", (N_PLAYERS, N_GENERA)),  # 1: the seat has the skeleton
        ]
    )
)
OPTIONS = (rules.Option("num_players", (N_PLAYERS,), N_PLAYERS, "number of players"),)
OBS = rules.record(
    [
        ("turn", "f4", (N_PLAYERS,)),  # one-hot: whose decision
        ("score", "f4", (N_PLAYERS,)),  # points / the sum of all values
        ("museum", "f4", (N_PLAYERS, N_GENERA)),  # 1 for the skeletons that a seat has
        ("unseen", "f4", (N_CELLS,)),  # 1 where a card lies that was never turned up
        ("taken", "f4", (N_CELLS,)),  # 1 where none lies any more
        ("up", "f4", (N_CELLS,)),  # 1 where a card is face up in the turn under way
        ("card", "f4", (N_GENERA, N_CELLS)),  # one-hot: genus of each card that was turned up
        ("turns", "f4", (1,)),  # turns that have ended / the cap
    ]
)
MAX_DECISIONS = TURN_CAP * int(FOSSILS_OF_GENUS.max())  # 6.2


@kernel
def reset(state, options, seed):
    """Shuffle the cards and lay them out.

    Rules 1.1, 2.1 and 2.2.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws once from LAYOUT for each card.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.phase = Phase.TURN.value
    n = 0
    for genus in range(N_GENERA):
        for _ in range(FOSSILS_OF_GENUS[genus]):
            state.cell[n] = genus
            n += 1
    for i in range(N_CELLS):
        j = i + rng.draw(state, Stream.LAYOUT.value, N_CELLS - i)
        state.cell[i], state.cell[j] = state.cell[j], state.cell[i]


@kernel
def legal(state, actions):
    """List the spaces with a card that is face down.

    Rules 3.1.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = 0
    if not state.done:
        for cell in range(N_CELLS):
            if state.cell[cell] != NO_CARD and not state.up[cell]:
                actions[n] = cell
                n += 1
    return n


@kernel
def step(state, action):
    """Turn up a card, and the last one where it is all that lies face down.

    Rules 3.1 to 3.5, 5.1, 5.2 and 6.1.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    state.gain[:] = 0
    state.ply += 1
    while action != NO_ACTION:
        _turn_up(state, action)
        action = _sole_card(state)


@kernel
def _sole_card(state):
    """Return the space of the only face-down card (6.1), or NO_ACTION."""
    sole = NO_ACTION
    for cell in range(N_CELLS):
        if state.cell[cell] != NO_CARD and not state.up[cell]:
            if sole != NO_ACTION:
                return NO_ACTION
            sole = np.int64(cell)
    return sole if not state.done else NO_ACTION


@kernel
def _turn_up(state, action):
    """Turn up a card; end the turn where it differs or completes a skeleton (3.1 to 3.3)."""
    genus = np.int64(state.cell[index(action)])
    found = 1
    differs = False
    for cell in range(N_CELLS):
        if state.up[cell]:
            found += 1
            differs |= state.cell[cell] != genus
    state.up[index(action)] = 1
    state.seen[index(action)] = 1
    if differs:
        _end_turn(state)
    elif found == FOSSILS_OF_GENUS[genus]:
        _take(state, genus)


@kernel
def _take(state, genus):
    """Put the face-up skeleton into the museum of the player to move (3.3, 5.1)."""
    left = 0
    for cell in range(N_CELLS):
        if state.up[cell]:
            state.cell[cell] = NO_CARD
            state.seen[cell] = 0
        elif state.cell[cell] != NO_CARD:
            left += 1
    state.museum[state.to_play, genus] = 1
    state.score[state.to_play] += VALUE_OF_GENUS[genus]
    state.gain[state.to_play] += VALUE_OF_GENUS[genus]
    if left > 0:
        _end_turn(state)
    else:
        _end_game(state)


@kernel
def _end_turn(state):
    """Turn all cards down and pass the turn, or end the game at the cap (3.2, 3.4, 5.2)."""
    state.up[:] = 0
    state.turns += 1
    if state.turns == TURN_CAP:
        _end_game(state)
    else:
        state.to_play = (np.int64(state.to_play) + 1) % N_PLAYERS


@kernel
def _end_game(state):
    """Mark the game as over."""
    state.up[:] = 0
    state.phase = Phase.OVER.value
    state.done = 1


@kernel
def observe(state, player, obs):
    """Write what a seat knows: the table, and every card that was turned up once.

    Rules 4.1 and 4.2.

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then the other.
    obs : OBS record, out
        Zeroed by the caller.
    """
    if not state.done:
        obs.turn[(state.to_play - player) % N_PLAYERS] = 1.0
    for seat in range(N_PLAYERS):
        who = (player + seat) % N_PLAYERS
        obs.score[seat] = state.score[who] / MOST_POINTS
        for genus in range(N_GENERA):
            obs.museum[seat, genus] = state.museum[index(who), genus]
    for cell in range(N_CELLS):  # without branches: those on cards could not be predicted
        taken = np.int64(state.cell[cell] == NO_CARD)
        seen = np.int64(state.seen[cell])  # 0 where the card is taken
        obs.taken[cell] = taken
        obs.unseen[cell] = 1 - taken - seen
        obs.up[cell] = state.up[cell]
        obs.card[index(state.cell[cell] + taken), cell] = seen
    obs.turns[0] = state.turns / TURN_CAP


@kernel(allocates=True)
def resample(state, player, seed):
    """Shuffle the cards that were never turned up over their spaces.

    Rules 4.1 and 4.2: everybody knows which they are, nobody knows where.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
        Makes no difference here: both seats know the same.
    seed : uint64

    Notes
    -----
    Sorted first, so that the result does not depend on the true places.
    """
    unseen = np.empty(N_CELLS, np.int8)
    n = 0
    for genus in range(N_GENERA):
        for cell in range(N_CELLS):
            if state.cell[cell] == genus and not state.seen[cell]:
                unseen[n] = genus
                n += 1
    i = 0
    for cell in range(N_CELLS):
        if state.cell[cell] != NO_CARD and not state.seen[cell]:
            j = i + rng.below(seed, rng.Driver.RESAMPLE.value, i, n - i)
            state.cell[cell] = unseen[j]
            unseen[j] = unseen[i]
            i += 1
    state.seed = seed


@kernel
def outcome(state, out):
    """Write the final results by points (5.3, 5.4).

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    rules.rank_outcome(state.score, N_PLAYERS, out)


# --- judgement --------------------------------------------------------------------------------


@kernel
def value(state, player):
    """Estimate the final margin from what has been turned up, by the page's last section.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Points.

    Notes
    -----
    Looks at cards that were turned up only, so that a search cannot hope for hidden ones.
    """
    margin = 0.0
    for seat in range(N_PLAYERS):
        points = np.float64(state.score[seat])
        margin += points if seat == player else -points
    if state.done:
        return margin
    unseen = 0
    sought = NO_GENUS
    for cell in range(N_CELLS):
        if state.cell[cell] != NO_CARD and not state.seen[cell]:
            unseen += 1
        if state.up[cell]:
            sought = np.int64(state.cell[cell])
    if sought == NO_GENUS:
        prospect = _prospect(state, NO_GENUS, unseen)
    else:
        prospect = _prospect_of_turn(state, sought, unseen)
    return margin + (prospect if state.to_play == player else -prospect)


@kernel
def _missing(state, genus):
    """Return how many cards of a genus on the table were never turned up."""
    missing = 0
    for cell in range(N_CELLS):
        if state.cell[cell] == genus and not state.seen[cell]:
            missing += 1
    return missing


@kernel
def _prospect(state, gone, unseen):
    """Judge the table for the player whose turn begins; `gone` is a genus no longer there.

    The sets that are known as a whole are taken in turn, then somebody has to explore.
    """
    sign = 1.0
    total = 0.0
    chance = 0.0  # of a card that completes a set at once, in points
    harm = 0.0  # of one after which only a single card of its set is missing
    for i in range(N_GENERA):
        genus = BY_VALUE[i]
        if genus == gone or state.museum[0, genus] or state.museum[1, genus]:
            continue
        missing = _missing(state, genus)
        points = np.float64(VALUE_OF_GENUS[genus])
        if missing == 0:
            total += sign * points
            sign = -sign
        elif missing == 1:
            chance += points / unseen
        elif missing == 2:
            harm += 2.0 * points / (unseen * (unseen - 1))
    return total + sign * max(0.0, chance - harm)


@kernel
def _prospect_of_turn(state, sought, unseen):
    """Judge a turn under way for its player: complete the set, try to, or give nothing away."""
    missing = _missing(state, sought)
    taken = VALUE_OF_GENUS[sought] - _prospect(state, sought, unseen)
    if missing == 0:
        return taken
    left = -_prospect(state, NO_GENUS, unseen)
    hit = 1.0
    for i in range(missing):  # all of them at the first try
        hit *= (missing - i) / (unseen - i)
    given_away = 0.0
    passable = False
    for cell in range(N_CELLS):
        genus = np.int64(state.cell[cell])
        if genus in (NO_CARD, sought):
            continue
        if state.seen[cell]:
            passable = True
        elif _missing(state, genus) == 1:
            given_away += VALUE_OF_GENUS[genus] / unseen
    tried = hit * taken + (1.0 - hit) * left - given_away
    return max(left, tried) if passable else tried


# --- states from outside ----------------------------------------------------------------------


def _bounds_of_cell(states):
    """Let every genus lie on the table as a whole or be in one museum."""
    lying = (states["cell"][:, :, None] == np.arange(N_GENERA)).sum(1)
    right = lying == FOSSILS_OF_GENUS * (1 - states["museum"].astype(int).sum(1))
    return NO_CARD, np.where(right.all(1), N_GENERA - 1, NO_CARD - 1)[:, None]


def _bounds_of_up(states):
    """Let the face-up cards be seen ones of one genus, not all of it."""
    cell, up = states["cell"].astype(int), states["up"].astype(bool)
    low = np.where(up, cell, N_GENERA).min(1)
    same = low == np.where(up, cell, -1).max(1)
    fewer = up.sum(1) < FOSSILS_OF_GENUS[np.minimum(low, N_GENERA - 1)]
    return 0, states["seen"] * (same & fewer & ~states["done"].astype(bool))[:, None]


BOUNDS = {
    "score": (0, MOST_POINTS),
    "gain": (0, MOST_POINTS),
    "phase": (Phase.TURN, Phase.OVER),
    "turns": (0, TURN_CAP),
    "museum": (0, 1),
    "cell": _bounds_of_cell,
    "seen": lambda states: (0, states["cell"] != NO_CARD),
    "up": _bounds_of_up,
}

RULES = rules.register(
    rules.Rules(
        name="memory_game",
        title="Memory Game",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=False,
        sheet=canyon_cards.SHEET,
        shares=(canyon_cards,),
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=value,
        bounds=BOUNDS,
    )
)
