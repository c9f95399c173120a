"""Go Dig: nothing hidden reaches a seat, and what it cannot know is dealt uniformly.

The facts about hands are told here a second time, from 5.3 to 5.7 of the page: `agrees` says if a
deal is possible for a seat, `possible_deals` lists all that are. Cards of one type are told apart
in the count: a deal stands for as many as there are ways to choose its cards.
"""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from bonebed.agents import agent
from bonebed.envs import View, go_dig_v0
from bonebed.kernels import go_dig, rng
from chance import unlikely
from conftest import LOOK_EVERY

pytestmark = pytest.mark.rules

RULES = go_dig.RULES
GREEDY = agent("greedy:samples=2", game="go_dig")
GENUS = go_dig.GENUS_OF_TYPE
each_count = pytest.mark.parametrize("players", [2, 3, 4])


def walk(players, seed):
    """Play a game, sometimes asking where something is to be had, and yield every decision."""
    luck = random.Random(seed)
    state = RULES.new(seed, num_players=players)
    while not state.done:
        yield state
        legal = RULES.legal_actions(state).tolist()
        good = [action for action in legal if answer(state, action)]
        RULES.step(state, luck.choice(good if good and luck.random() < 0.4 else legal))


def answer(state, action):
    """Return how many cards a question brings."""
    opponent, genus = divmod(action, go_dig.N_GENERA)
    asked = (state.to_play + 1 + opponent) % state.num_players
    return int(state.hand[asked][genus == GENUS].sum())


def by_genus(counts):
    """Add up counts of types for each genus."""
    return np.bincount(GENUS, counts, go_dig.N_GENERA)


def agrees(state, player):
    """Tell whether what is remembered of all other hands is true of them (5.3 to 5.6)."""
    for seat in range(state.num_players):
        if seat == player:
            continue
        hand, known = state.hand[seat].astype(int), state.known[seat].astype(int)
        hidden = by_genus(hand - known)
        held = by_genus(hand > 0)
        decides = state.num_players == 2 and state.to_play == seat and not state.done
        if (
            (known > hand).any()
            or (hidden < state.asked[seat]).any()
            or (hidden > state.room[seat]).any()
            or (held == go_dig.FOSSILS_OF_GENUS).any()
            or (decides and (held > 0).sum() < 2)
        ):
            return False
    return True


def permuted(state, player, luck, swaps=5):
    """Return a copy in which pairs of hidden cards changed places, as far as all facts allow."""
    other = state.copy()
    places = [seat for seat in range(state.num_players) if seat != player] + ["pile"]
    for _ in range(swaps):
        one, two = luck.choice(places), luck.choice(places)
        rows = [other.pile if p == "pile" else other.hand[p] for p in (one, two)]
        free = [
            row.astype(int) - (0 if p == "pile" else other.known[p])
            for row, p in zip(rows, (one, two), strict=True)
        ]
        if one == two or not free[0].any() or not free[1].any():
            continue
        a, b = (int(luck.choice(np.flatnonzero(row))) for row in free)
        before = other.copy()
        rows[0][a] -= 1
        rows[0][b] += 1
        rows[1][b] -= 1
        rows[1][a] += 1
        if not agrees(other, player):
            other = before
    go_dig.derive(other)
    other.seed = luck.getrandbits(64)
    return other


def seen_by(state, player):
    """Return what a seat observes of a position, and what it may do."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, player, obs[0])
    return obs.tobytes(), player == state.to_play and RULES.legal_actions(state).tolist()


def read_by(state, player):
    """Return all that a person in a seat reads of a position, and what its greedy agent does."""
    view = View.of(RULES, state, seed=5, player=player)
    moves = player == state.to_play
    words = [go_dig_v0.describe(state, action) for action in view.actions if moves]
    decision = GREEDY.act(view) if moves else None
    return view.mask.tolist(), go_dig_v0.draw(state, player), words, decision


@each_count
def test_no_hidden_card_reaches_a_seat(players, n_games):
    moved = 0
    for seed in range(n_games(50)):
        luck = random.Random(seed)
        for state in walk(players, seed):
            for player in range(0 if state.ply % LOOK_EVERY else players):
                shown = seen_by(state, player)
                dealt = state.copy()
                RULES.resample(dealt, player, np.uint64(luck.getrandbits(64)))
                for other in (dealt, permuted(state, player, luck)):
                    assert seen_by(other, player) == shown
                    if luck.random() < 0.2:
                        assert read_by(other, player) == read_by(state, player)
                    moved += (other.hand != state.hand).any()
    assert moved * LOOK_EVERY > 10 * n_games(50)


def first_told(before, action, after, player=None):
    """Return what is told of the question itself, not of those that the rules ask after it."""
    return go_dig_v0.tell(before, action, after, player).split("; ")[0]


@each_count
def test_what_is_told_does_not_show_what_was_dug_in_vain(players, n_games):
    """To the others every card that is dug in vain, and completes nothing, is told alike."""
    told = Counter()
    for seed in range(n_games(50)):
        for state in walk(players, seed):
            action = int(RULES.legal_actions(state)[seed % 3 % len(RULES.legal_actions(state))])
            after = state.copy()
            RULES.step(after, action)
            digger = int(state.to_play)
            lays = (after.skeletons != state.skeletons).any()
            if answer(state, action) or state.buried == 0 or lays:
                continue
            kind = dug(state)
            if GENUS[kind] == action % go_dig.N_GENERA:
                continue
            name = f"{go_dig_v0.NAMES[GENUS[kind]]} {go_dig_v0.FOSSILS[kind]}"
            for player in range(players):
                words = first_told(state, action, after, player)
                assert words.endswith(f"dig {name}" if player == digger else "dig a fossil")
            assert first_told(state, action, after).endswith(f"dig {name}")
            told[name] += 1
    assert len(told) > 5


def dug(state):
    """Return the type of the next card of the pile: the same draw as the game's."""
    other = state.copy()
    k = rng.draw(other, go_dig.Stream.DIG.value, int(state.buried))
    return int(np.repeat(np.arange(go_dig.N_TYPES), state.pile)[k])


@each_count
def test_what_is_remembered_is_true_and_kept_when_dealt_anew(players, n_games):
    for seed in range(n_games(50)):
        for state in walk(players, seed):
            for player in range(0 if state.ply % LOOK_EVERY else players):
                assert agrees(state, player)
                world = state.copy()
                RULES.resample(world, player, np.uint64(seed))
                assert agrees(world, player)
                assert world.hand[player].tolist() == state.hand[player].tolist()
                for field in ("known", "asked", "room", "cards", "hidden", "buried", "skeletons"):
                    assert world[field].tolist() == state[field].tolist()
                again = world.copy()
                go_dig.derive(again)
                assert again.tobytes() == world.tobytes()


def test_what_is_imagined_of_a_fresh_game_differs():
    state = RULES.new(3, num_players=4)
    worlds = View.of(RULES, state, seed=1).imagine(200)
    assert len({world.hand.tobytes() for world in worlds}) == 200


# ---------------------------------------------------------------------- uniform dealing

# Positions with few hidden cards: for each hand "known | hidden", the pile, and facts. A card is a
# genus's letter and the number of its fossil: B Brachiosaurus (3 cards), D Deinonychus (2), P
# Pachycephalosaurus (2 x 2), M Mosasaurus (2 x 4), K Ankylosaurus (3 x 2).
LETTERS = {"B": 1, "K": 4, "D": 7, "P": 9, "M": 12}
POSITIONS = {
    "two seats": {
        "hands": ["| B0 M0 M0", "M1 | P0 B1 D0"],
        "pile": "P0 P1 P1 D1 B2 M1 M1",
        "asked": {1: "P"},
        "room": {1: "M0"},
    },
    "two seats, the other decides": {
        "hands": ["| D0", "| P0 B1"],
        "pile": "D1 P0 B0",
        "to_play": 1,
    },
    "three seats": {
        "hands": ["| B0", "K0 | K0 B1 M0", "| M1 P0"],
        "pile": "B2 M1 P1 M0",
        "asked": {1: "K"},
        "room": {2: "K0 B1"},
    },
    "four seats, no pile": {
        "hands": ["| B0", "| B1 M0 P0", "P1 | M1", "| D0 P0 K0"],
        "pile": "",
        "asked": {1: "B"},
        "room": {3: "M0"},
    },
}


def kinds_of(text):
    """Read cards such as `B0 M1`."""
    return [int(go_dig.FIRST_OF_GENUS[LETTERS[word[0]]]) + int(word[1]) for word in text.split()]


def position(told):
    """Set up a game; what is nowhere in it is left out, which `resample` does not notice."""
    state = RULES.new(1, num_players=len(told["hands"]))
    state.hand[:] = 0
    state.known[:] = 0
    state.pile[:] = 0
    state.asked[:] = 0
    for seat, text in enumerate(told["hands"]):
        known, hidden = map(kinds_of, text.split("|"))
        for kind in known:
            state.known[seat, kind] += 1
        for kind in known + hidden:
            state.hand[seat, kind] += 1
        state.room[seat] = len(hidden)
        for letter in told.get("asked", {}).get(seat, "").split():
            state.asked[seat, LETTERS[letter]] = 1
        for word in told.get("room", {}).get(seat, "").split():
            state.room[seat, LETTERS[word[0]]] = int(word[1])
    for kind in kinds_of(told["pile"]):
        state.pile[kind] += 1
    state.to_play = told.get("to_play", 0)
    go_dig.derive(state)
    assert agrees(state, 0)
    return state


def possible_deals(state):
    """List the hands of the seats from 1 on that are possible, with the ways to choose each."""
    pool = state.pile.astype(int).copy()
    for seat in range(1, state.num_players):
        pool += state.hand[seat].astype(int) - state.known[seat]
    cards = np.repeat(np.arange(go_dig.N_TYPES), pool).tolist()
    found = Counter()

    def deal(seat, left, hands):
        if seat == state.num_players:
            world = state.copy()
            for other, hidden in enumerate(hands, 1):
                world.hand[other] = world.known[other]
                for kind in hidden:
                    world.hand[other, kind] += 1
            if agrees(world, 0):
                found[world.hand[1 : state.num_players].tobytes()] += 1
            return
        for chosen in itertools.combinations(range(len(left)), int(state.hidden[seat])):
            rest = [card for i, card in enumerate(left) if i not in chosen]
            deal(seat + 1, rest, [*hands, [left[i] for i in chosen]])

    deal(1, cards, [])
    return found


def exactly_dealt(state, seed):
    """Deal by the table of all deals, as `resample` does where rejection fails."""
    pool = state.pile.astype(np.int64)
    for seat in range(1, state.num_players):
        pool = pool + state.hand[seat] - state.known[seat]
    dealt = np.zeros((go_dig.MAX_PLAYERS, go_dig.N_TYPES), np.int64)
    luck = np.uint64(rng.key(np.uint64(seed), rng.Driver.RESAMPLE.value))
    go_dig.deal_exactly(state, 0, luck, pool, dealt)
    world = state.copy()
    others = slice(1, int(state.num_players))
    world.hand[others] = state.known[others] + dealt[others]
    return world


def rejected(state, seed):
    """Deal as `resample` does."""
    world = state.copy()
    RULES.resample(world, 0, np.uint64(seed))
    return world


@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("deal", [rejected, exactly_dealt])
def test_every_deal_that_agrees_with_the_facts_is_equally_likely(name, deal, n_games):
    """Chi-square at 0.1 % over 20,000 deals, against an enumeration of all that are possible."""
    state = position(POSITIONS[name])
    wanted = possible_deals(state)
    assert 2 <= len(wanted) <= 2000
    others = slice(1, int(state.num_players))
    samples = n_games(20_000)
    found = Counter(deal(state, seed).hand[others].tobytes() for seed in range(samples))
    assert set(found) <= set(wanted)
    total = sum(wanted.values())
    shares = [(n * samples / total, found[deal]) for deal, n in wanted.items()]
    cells = merged(sorted(shares, key=lambda cell: cell[0]))  # never by how often it was found
    statistic = sum((n - expected) ** 2 / expected for expected, n in cells)
    assert len(cells) > 1
    assert statistic < unlikely(len(cells) - 1)


def merged(shares, at_least=5.0):
    """Put deals with small expected numbers together until each cell expects enough."""
    cells, expected, n = [], 0.0, 0
    for share, times in shares:
        expected, n = expected + share, n + times
        if expected >= at_least:
            cells.append((expected, n))
            expected, n = 0.0, 0
    if expected:
        last = cells.pop() if cells else (0.0, 0)
        cells.append((last[0] + expected, last[1] + n))
    return cells


def test_the_number_of_possible_deals_by_hand():
    """Of D1, P0, P0 a hand of two that holds two genera: D1 and one of two P0; told apart, 2 deals.

    The third, P0 P0, would leave nothing to decide (5.6).
    """
    state = position(POSITIONS["two seats, the other decides"] | {"hands": ["| D0", "| P0 D1"]})
    state.pile[:] = 0
    state.pile[kinds_of("P0")] = 1
    go_dig.derive(state)
    assert list(possible_deals(state).values()) == [2]


def test_facts_that_rejection_cannot_meet_are_met_by_the_table(n_games):
    """Four hidden cards of 30, each of another genus that was asked for: 1 deal in thousands."""
    state = RULES.new(2, num_players=2)
    state.hand[:] = 0
    state.known[:] = 0
    genera = [1, 2, 3, 4, 5, 6]
    state.hand[1, go_dig.FIRST_OF_GENUS[genera]] = 1
    state.hand[0, go_dig.FIRST_OF_GENUS[[9, 10]]] = 1
    state.pile[:] = go_dig.COPIES_OF_TYPE - state.hand.sum(0)
    state.asked[:] = 0
    state.asked[1, genera] = 1
    state.room[:2] = 6
    go_dig.derive(state)
    worlds = set()
    for seed in range(n_games(200)):
        world = rejected(state, seed)
        assert agrees(world, 0)
        worlds.add(world.hand[1].tobytes())
    assert len(worlds) > n_games(200) // 2  # 3 ** 6 hands, of 1 or 2 copies each
