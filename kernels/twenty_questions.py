"""20 Questions with the cards of Fossil Canyon: the rules of docs/games/twenty_questions.md.

Only the genus of a card matters. Sets of genera are whole numbers with a bit for each, in the order
of the sheet: the genera with skeletons first, then those of the trace fossils. A question is an
action number; the questions come first, passing is the last action.
"""

from enum import IntEnum

import numpy as np

from . import canyon_cards, rng, rules, vectors
from .bits import lowest
from .jit import index, kernel
from .records import clear

SHEET = canyon_cards.SHEET
_PARTS = canyon_cards.PARTS["twenty_questions"]
MIN_PLAYERS = _PARTS["players"]["min"]
MAX_PLAYERS = _PARTS["players"]["max"]
QUESTIONS_EACH = _PARTS["questions_each"]  # 3.6
GENERA = canyon_cards.GENERA
PERIODS = canyon_cards.PERIODS
DIETS = canyon_cards.DIETS
N_GENERA = canyon_cards.N_GENERA
N_SKELETAL = canyon_cards.N_SKELETAL
N_CARDS = canyon_cards.N_CARDS
CARDS_OF_GENUS = np.maximum(
    canyon_cards.FOSSILS_OF_GENUS * canyon_cards.SKELETONS_OF_GENUS, 1
)  # 1.1: one card of each trace fossil
RESEARCH_OF_GENUS = canyon_cards.RESEARCH_OF_GENUS
VALUE_OF_GENUS = canyon_cards.VALUE_OF_GENUS
IS_TRACE = np.arange(N_GENERA) >= N_SKELETAL

# The numbers that a question of each kind can name (3.3); counts that occur on skeletal cards.
FOSSILS = tuple(sorted(set(canyon_cards.FOSSILS_OF_GENUS[:N_SKELETAL].tolist())))
SKELETONS = tuple(sorted(set(canyon_cards.SKELETONS_OF_GENUS[:N_SKELETAL].tolist())))
VALUES = tuple(_PARTS["value_thresholds"])
RESEARCH = tuple(_PARTS["research_thresholds"])
LENGTHS = tuple(_PARTS["length_thresholds_m"])
MASSES = tuple(_PARTS["mass_thresholds_kg"])

ACTIONS = rules.ActionTable(
    genus_is={"genus": N_GENERA},  # guess the genus (3.7)
    period_is={"period": len(PERIODS)},  # did it live in this period
    diet_is={"diet": len(DIETS)},  # was it a herbivore (0) or a carnivore (1)
    is_trace={},  # is the card a trace fossil
    fossils_is={"number": len(FOSSILS)},  # does its skeleton have so many fossils: 2, 3, 4
    skeletons_is={"number": len(SKELETONS)},  # are so many of its skeletons in the deck: 1, 2, 4
    # is its value at least 8, 9, 10, 11, 12, 15, 16, 17, 18, 19, 20, 25
    value_at_least={"value": len(VALUES)},
    research_at_least={"research": len(RESEARCH)},  # is its research value at least 2, 3
    length_below_m={"length": len(LENGTHS)},  # was it shorter than 3, 5, 8, 10, 15 metres
    mass_below_kg={"mass": len(MASSES)},  # was it lighter than 100, 1000, 5000, 10000 kilograms
    pass_card={},  # pass (3.8)
)
PASS = ACTIONS.offset("pass_card")
N_QUESTIONS = PASS
# 3.3: the questions whose kind is in the sheet's list, ascending
ASKABLE = np.array(
    [
        block.offset + k
        for block in ACTIONS.blocks
        if block.name in _PARTS["predicates"]
        for k in range(block.size)
    ],
    np.int32,
)
N_ASKABLE = len(ASKABLE)


def _yes_of_question():
    """Return for each genus and question whether the answer is yes (3.4)."""
    cards = canyon_cards
    yes = [
        np.arange(N_GENERA)[:, None] == np.arange(N_GENERA),
        cards.PERIOD_OF_GENUS[:, None] == np.arange(len(PERIODS)),
        cards.DIET_OF_GENUS[:, None] == np.arange(len(DIETS)),
        IS_TRACE[:, None],
        cards.FOSSILS_OF_GENUS[:, None] == np.array(FOSSILS),  # 0 for a trace fossil: never
        cards.SKELETONS_OF_GENUS[:, None] == np.array(SKELETONS),
        VALUE_OF_GENUS[:, None] >= np.array(VALUES, np.int64),
        RESEARCH_OF_GENUS[:, None] >= np.array(RESEARCH, np.int64),
        cards.LENGTH_OF_GENUS[:, None] < np.array(LENGTHS, np.float64),
        cards.MASS_OF_GENUS[:, None] < np.array(MASSES, np.float64),
    ]
    return np.concatenate(yes, axis=1)


IS_YES = _yes_of_question()
BIT_OF_GENUS = 1 << np.arange(N_GENERA, dtype=np.int64)
YES_OF_QUESTION = (IS_YES * BIT_OF_GENUS[:, None]).sum(0)  # the genera with the answer yes


class Stream(IntEnum):
    """Sources of chance."""

    STACK = 0  # the shuffle (2.1)


class Phase(IntEnum):
    """What the player to move decides."""

    ASK = 0  # which question, or to pass (3.2)
    OVER = 1


YES, NO = 1, -1

STATE = rules.record(
    rules.spare(
        [
            *rules.header(len(Stream), MAX_PLAYERS),
            # follow from the fields below (`derive`), kept up to date for speed:
            ("candidates", "i8"),  # bits: genera that the card in question can be, as all know
            ("unseen", "u1", (N_GENERA,)),  # cards from `top` on
            # the game:
            ("stack", "i1", (N_CARDS,)),  # genera of the cards from the top down
            ("top", "i1"),  # place of the card in question; those before are won or discarded
            ("held", "u1", (MAX_PLAYERS, N_GENERA)),  # cards won
            ("asked", "u1", (MAX_PLAYERS,)),  # questions that each seat has asked
            ("answer", "i1", (N_QUESTIONS,)),  # YES or NO about the card in question, 0 unasked
            ("answerer", "i1"),
            ("free_pass", "i1"),
        ]
    )
)

OPTIONS = (
    rules.Option(
        "num_players", tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), MIN_PLAYERS, "number of players"
    ),
    rules.Option(
        "free_pass", (False, True), True, "a card may be passed before any question about it (3.10)"
    ),
)

ONE = np.float32(1.0)
CARDS_AS_FLOATS = CARDS_OF_GENUS.astype(np.float32)
SHARE_OF_CARD = 1 / CARDS_AS_FLOATS
BEST_RESEARCH = max(1, int(RESEARCH_OF_GENUS.max()))
BEST_VALUE = max(1, int(VALUE_OF_GENUS.max()))

OBS = rules.record(
    [
        ("phase", "f4", (len(Phase),)),  # one-hot: ask, over
        ("turn", "f4", (MAX_PLAYERS,)),  # one-hot: who asks
        ("answerer", "f4", (MAX_PLAYERS,)),  # one-hot: who answers
        ("seat", "f4", (MAX_PLAYERS,)),  # 1 for the seats in the game
        ("score", "f4", (MAX_PLAYERS,)),  # cards won / questions each
        ("left", "f4", (MAX_PLAYERS,)),  # questions left / questions each
        ("research", "f4", (MAX_PLAYERS,)),  # most valuable research fossil won / 3 (6.4)
        ("value", "f4", (MAX_PLAYERS,)),  # most valuable skeletal fossil won / 25 (6.4)
        ("held", "f4", (MAX_PLAYERS, N_GENERA)),  # share of the genus's cards that the seat won
        ("unseen", "f4", (N_GENERA,)),  # share of the genus's cards in the stack or in question
        ("discarded", "f4", (N_GENERA,)),  # share of the genus's cards that were discarded
        ("stack", "f4", (1,)),  # cards in the stack and in question / all cards
        # chance that the card in question is of the genus, as those who do not see it know
        ("candidate", "f4", (N_GENERA,)),
        ("answer", "f4", (N_QUESTIONS,)),  # about the card in question: 1 yes, -1 no, 0 unasked
        ("card", "f4", (N_GENERA,)),  # one-hot: the card in question, for the answerer only
        ("free_pass", "f4", (1,)),  # 1 if a card may be passed at once (3.10)
    ]
)

MAX_DECISIONS = N_CARDS + MAX_PLAYERS * (QUESTIONS_EACH - 1)  # 7.2


# --- the course of a game -------------------------------------------------------------------------


@kernel
def reset(state, options, seed):
    """Shuffle the cards and draw the first one.

    Rules 2.1 and 2.2.

    Parameters
    ----------
    state : STATE record, out
    options : OPTIONS record
    seed : uint64

    Notes
    -----
    Draws from STACK for each card but the last.
    """
    clear(state)
    state.seed = seed
    state.num_players = options.num_players
    state.free_pass = options.free_pass
    state.phase = Phase.ASK.value
    card = 0
    for genus in range(N_GENERA):
        state.unseen[genus] = CARDS_OF_GENUS[genus]
        for _ in range(CARDS_OF_GENUS[genus]):
            state.stack[card] = genus
            card += 1
    for i in range(N_CARDS - 1):
        j = i + rng.draw(state, Stream.STACK.value, np.int64(N_CARDS - i))
        state.stack[i], state.stack[j] = state.stack[j], state.stack[i]
    state.answerer = state.num_players - 1
    _draw_card(state)


@kernel
def derive(state):
    """Compute the fields that follow from the others.

    Rules 5.2 and 5.3.

    Parameters
    ----------
    state : STATE record, in and out
        `unseen` and `candidates` are written.
    """
    for genus in range(N_GENERA):
        state.unseen[genus] = 0
    for i in range(np.int64(state.top), N_CARDS):
        state.unseen[state.stack[i]] += 1
    candidates = np.int64(0)
    if not state.done:
        candidates = _unseen_genera(state)
        for question in range(N_QUESTIONS):
            if state.answer[question] == YES:
                candidates &= YES_OF_QUESTION[question]
            elif state.answer[question] == NO:
                candidates &= ~YES_OF_QUESTION[question]
    state.candidates = candidates


@kernel
def _unseen_genera(state):
    """Return the genera of which a card is in the stack or in question."""
    genera = np.int64(0)
    for genus in range(N_GENERA):
        if state.unseen[genus] > 0:
            genera |= BIT_OF_GENUS[genus]
    return genera


@kernel
def _draw_card(state):
    """Begin with the card that is at the top now (3.1)."""
    for question in range(N_QUESTIONS):
        state.answer[question] = 0
    state.candidates = _unseen_genera(state)


@kernel
def legal(state, actions):
    """List the questions, and passing.

    Rules 3.2, 3.3, 3.5 and 3.10.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    if state.done:
        return np.int64(0)
    for i in range(N_ASKABLE):
        actions[i] = ASKABLE[i]
    if not state.free_pass and not _was_asked(state):
        return np.int64(N_ASKABLE)
    actions[N_ASKABLE] = PASS
    return np.int64(N_ASKABLE + 1)


@kernel
def _was_asked(state):
    """Tell whether a question was asked about the card."""
    for question in range(N_QUESTIONS):
        if state.answer[question] != 0:
            return True
    return False


@kernel
def step(state, action):
    """Answer a question or discard the card, and draw the next card where it is time.

    Rules 3.4 to 4.3, 6.1 and 6.2.

    Parameters
    ----------
    state : STATE record, in and out
    action : int in [0, n_actions)
        Must be legal; not checked here.
    """
    state.gain[:] = 0
    state.ply += 1
    player = np.int64(state.to_play)
    genus = np.int64(state.stack[state.top])
    answerer = np.int64(state.answerer)
    if action == PASS:
        _uncover(state, genus)
        _go_on(state, player, answerer)
        return
    state.asked[player] += 1
    yes = YES_OF_QUESTION[action]
    is_yes = yes >> genus & 1
    if is_yes and action < N_GENERA:  # 3.7; the first questions are the guesses
        state.held[player, genus] += 1
        state.score[player] += 1
        state.gain[player] = 1
        _uncover(state, genus)
        _find_questioner(state, player, player)
    elif state.asked[player] == QUESTIONS_EACH:  # 3.9
        _uncover(state, genus)
        _find_questioner(state, player, answerer)
    else:
        state.answer[action] = YES if is_yes else NO
        state.candidates &= yes if is_yes else ~yes


@kernel
def _uncover(state, genus):
    """Take the card in question away; everybody sees it."""
    state.unseen[genus] -= 1
    state.top += 1


@kernel
def _find_questioner(state, last, answerer):
    """Let the next player to the left of the last questioner ask (4.1, 4.2)."""
    num_players = np.int64(state.num_players)
    for i in range(1, num_players + 1):
        seat = (last + i) % num_players
        if seat != answerer and state.asked[seat] < QUESTIONS_EACH:
            _go_on(state, seat, answerer)
            return
    if state.asked[answerer] < QUESTIONS_EACH:
        _go_on(state, answerer, (answerer + num_players - 1) % num_players)
    else:
        _end(state)


@kernel
def _go_on(state, questioner, answerer):
    """Draw a card for these two, or end the game where there is none (6.2)."""
    if state.top == N_CARDS:
        _end(state)
        return
    state.to_play = questioner
    state.answerer = answerer
    _draw_card(state)


@kernel
def _end(state):
    """End the game."""
    for question in range(N_QUESTIONS):
        state.answer[question] = 0
    state.candidates = 0
    state.phase = Phase.OVER.value
    state.done = 1


# --- who knows what -------------------------------------------------------------------------------


@kernel
def observe(state, player, obs):
    """Write what a seat knows: all that was said and shown, and the card if it answers.

    Rules 5.1 to 5.3.

    Parameters
    ----------
    state : STATE record
    player : int
        Whose view; entries for seats begin with this one, then in turn order.
    obs : OBS record, out
        Zeroed by the caller.
    """
    num_players = np.int64(state.num_players)
    obs.phase[state.phase] = 1.0
    obs.stack[0] = (N_CARDS - np.int64(state.top)) / N_CARDS
    obs.free_pass[0] = state.free_pass
    who = np.int64(player)
    for seat in range(num_players):
        _observe_seat(state, who, seat, obs)
        who = who + 1 if who + 1 < num_players else np.int64(0)
    vectors.multiply(obs.unseen, state.unseen, SHARE_OF_CARD, N_GENERA)
    vectors.add_scaled(obs.discarded, CARDS_AS_FLOATS, ONE, N_GENERA)
    vectors.add_scaled(obs.discarded, state.unseen, -ONE, N_GENERA)
    for seat in range(num_players):
        if state.score[seat] > 0:  # has cards
            vectors.add_scaled(obs.discarded, state.held[seat], -ONE, N_GENERA)
    vectors.multiply(obs.discarded, obs.discarded, SHARE_OF_CARD, N_GENERA)
    if state.done:
        return
    if player == state.answerer:
        obs.card[index(state.stack[index(state.top)])] = 1.0
    vectors.add_scaled(obs.answer, state.answer, ONE, N_QUESTIONS)
    _observe_candidates(state, obs)


@kernel
def _observe_seat(state, who, seat, obs):
    """Write what a player has, at the place `seat`."""
    who = np.int64(index(who))  # never negative
    obs.seat[seat] = 1.0
    if not state.done:
        obs.turn[seat] = who == state.to_play
        obs.answerer[seat] = who == state.answerer
    obs.score[seat] = state.score[who] / QUESTIONS_EACH
    obs.left[seat] = (QUESTIONS_EACH - np.int64(state.asked[who])) / QUESTIONS_EACH
    if state.score[who] > 0:  # has cards
        obs.research[seat] = _best(state, who, RESEARCH_OF_GENUS) / BEST_RESEARCH
        obs.value[seat] = _best(state, who, VALUE_OF_GENUS) / BEST_VALUE
        vectors.multiply(obs.held[seat], state.held[who], SHARE_OF_CARD, N_GENERA)


@kernel
def _best(state, player, worth):
    """Return the largest worth of a card that a player won, 0 without any (6.4)."""
    best = np.int64(0)
    for genus in range(N_GENERA):
        if state.held[player, genus] > 0:
            best = max(best, worth[genus])
    return best


@kernel
def _observe_candidates(state, obs):
    """Write the chances of the genera: all cards not seen yet are equally likely."""
    share = 1.0 / _count_cards(state, state.candidates)
    left = np.int64(state.candidates)
    while left:
        genus = index(lowest(left))
        left &= left - 1
        obs.candidate[genus] = state.unseen[genus] * share


@kernel
def _count_cards(state, genera):
    """Return how many cards of some genera are in the stack or in question."""
    n = np.int64(0)
    for genus in range(N_GENERA):
        n += (genera >> genus & 1) * np.int64(state.unseen[genus])
    return n


@kernel
def resample(state, player, seed):
    """Deal the card in question anew, for all but the answerer, and the stack below it.

    Rules 5.1 to 5.3: each card not seen yet that fits all answers is as likely as the others.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
    seed : uint64

    Notes
    -----
    The cards are put down genus by genus before they are shuffled, so that nothing depends on their
    true order.
    """
    first = np.int64(state.top)
    asked = np.int64(-1)  # genus of the card in question
    if not state.done:
        asked = np.int64(state.stack[first])
        if player != state.answerer:
            n = _count_cards(state, state.candidates)
            asked = _find_candidate(state, rng.below(seed, rng.Driver.RESAMPLE.value, rng.FIRST, n))
        state.stack[first] = asked
        first += 1
    card = first
    for genus in range(N_GENERA):
        for _ in range(np.int64(state.unseen[genus]) - (genus == asked)):
            state.stack[card] = genus
            card += 1
    key = rng.key(seed, rng.Driver.RESAMPLE.value)
    for i in range(first, N_CARDS - 1):
        j = i + rng.below_in(key, np.int64(i + 1), np.int64(N_CARDS - i))
        state.stack[i], state.stack[j] = state.stack[j], state.stack[i]
    state.seed = seed


@kernel
def _find_candidate(state, k):
    """Return the genus of candidate k, counted in cards."""
    for genus in range(N_GENERA):
        if state.candidates >> genus & 1:
            k -= np.int64(state.unseen[genus])
            if k < 0:
                return np.int64(genus)
    return np.int64(-1)  # never: there are more than k


# --- what a game is worth -------------------------------------------------------------------------


@kernel
def outcome(state, out):
    """Write the final results by cards, then by the best research and the best skeletal fossil.

    Rules 6.3 to 6.5.

    Parameters
    ----------
    state : STATE record
        Finished.
    out : float32 array (at least num_players,), out
    """
    num_players = np.int64(state.num_players)
    for player in range(num_players):
        own = _rank_key(state, player)
        better = np.int64(0)
        equal = np.int64(0)
        for other in range(num_players):
            key = _rank_key(state, other)
            better += key > own
            equal += key == own
        out[player] = rules.place_result(better, equal, num_players)


@kernel
def _rank_key(state, player):
    """Return a number that is larger for the better place (6.3, 6.4)."""
    key = np.int64(state.score[player]) * (BEST_RESEARCH + 1)
    key += _best(state, player, RESEARCH_OF_GENUS)
    return key * (BEST_VALUE + 1) + _best(state, player, VALUE_OF_GENUS)


# Questions that find a card of the full stack, the guess included, if each halves what is left.
_SHARES = CARDS_OF_GENUS / N_CARDS
QUESTIONS_PER_CARD = 0.5 - (_SHARES * np.log2(_SHARES)).sum()
DOUBT_OF_ALL = N_CARDS - (CARDS_OF_GENUS**2).sum() / N_CARDS


@kernel
def value(state, player):
    """Return the margin in cards, those included that the questions left will bring.

    Parameters
    ----------
    state : STATE record
    player : int

    Returns
    -------
    float
        Cards more than the mean of the others.
    """
    num_players = np.int64(state.num_players)
    own = 0.0
    others = 0.0
    for seat in range(num_players):
        cards = np.float64(state.score[seat])
        if not state.done:
            cards += _prospect(state, seat)
        if seat == player:
            own = cards
        else:
            others += cards
    return own - others / (num_players - 1)


@kernel
def _prospect(state, seat):
    """Return how many cards a seat's questions left will bring.

    The questioner needs 1 for a genus that is certain, and more with the doubt about it: the
    cards that the one in question can be and that are of another genus. The logarithm of the doubt
    would count questions better, but few imagined cards tell its mean worse, because it makes so
    much of unlikely answers: with it greedy won 3.4 cards a game, with the doubt itself 3.9.
    """
    left = QUESTIONS_EACH - np.float64(state.asked[seat])
    if seat != state.to_play:
        return left / QUESTIONS_PER_CARD
    cards = 0.0
    squares = 0.0
    for genus in range(N_GENERA):
        if state.candidates >> genus & 1:
            n = np.float64(state.unseen[genus])
            cards += n
            squares += n * n
    doubt = cards - squares / cards
    needed = 1.0 + (QUESTIONS_PER_CARD - 1.0) * doubt / DOUBT_OF_ALL
    return min(1.0, 2.0 ** (left - needed)) + max(left - needed, 0.0) / QUESTIONS_PER_CARD


# --- states from outside --------------------------------------------------------------------------


def _bounds_of_stack(states):
    """Let the stack hold the cards of the box: a genus with too many is out of bounds."""
    lying = states["stack"][:, :, None] == np.arange(N_GENERA)
    surplus = (lying & (lying.sum(1) > CARDS_OF_GENUS)[:, None]).any(2)
    return 0, np.where(surplus, -1, N_GENERA - 1)


def _bounds_of_top(states):
    """Let a card be in question until the end; then at least one is gone."""
    return states["done"], N_CARDS - 1 + states["done"]


def _bounds_of_held(states):
    """Let nobody hold a card that is not gone, or that another holds."""
    place = np.arange(N_CARDS) < states["top"][:, None]
    lying = states["stack"][:, :, None] == np.arange(N_GENERA)
    held = states["held"].astype(np.int64)
    in_game = np.arange(MAX_PLAYERS) < states["num_players"][:, None]
    free = (lying & place[:, :, None]).sum(1) - held.sum(1)
    return 0, (held + np.minimum(free, 0)[:, None]) * in_game[:, :, None]


def _bounds_of_score(states):
    """Count the cards won."""
    return (states["held"].astype(np.int64).sum(2),) * 2


def _bounds_of_asked(states):
    """Let every card won have been guessed, and the questioner have a question left."""
    seats = np.arange(MAX_PLAYERS)
    in_game = seats < states["num_players"][:, None]
    asks = (seats == states["to_play"][:, None]) & (states["done"] == 0)[:, None]
    return states["held"].astype(np.int64).sum(2), np.where(in_game, QUESTIONS_EACH - asks, 0)


def _bounds_of_answer(states):
    """Let the answers be true of the card in question."""
    card = np.minimum(states["top"].astype(np.int64), N_CARDS - 1)
    yes = IS_YES[states["stack"][np.arange(len(states)), card]]
    asks = (states["done"] == 0)[:, None]
    return np.where(asks, yes - 1, 0), np.where(asks, yes, False)


def _bounds_of_answerer(states):
    """Let the answerer be another seat than the questioner."""
    last = states["num_players"] - 1
    same = states["answerer"] == states["to_play"]
    low = np.where(same, (states["to_play"] + last) % states["num_players"], 0)
    return low, np.where(same, low, last)


RULES = rules.register(
    rules.Rules(
        name="twenty_questions",
        title="20 Questions",
        STATE=STATE,
        OBS=OBS,
        options=OPTIONS,
        actions=ACTIONS,
        streams=Stream,
        max_decisions=MAX_DECISIONS,
        perfect_information=False,
        sheet=SHEET,
        shares=(canyon_cards,),
        reset=reset,
        legal=legal,
        step=step,
        observe=observe,
        resample=resample,
        outcome=outcome,
        value=value,
        bounds={
            "phase": lambda states: (states["done"],) * 2,
            "stack": _bounds_of_stack,
            "top": _bounds_of_top,
            "held": _bounds_of_held,
            "score": _bounds_of_score,
            "gain": (0, 1),
            "asked": _bounds_of_asked,
            "answer": _bounds_of_answer,
            "answerer": _bounds_of_answerer,
        },
        derive=derive,
    )
)
