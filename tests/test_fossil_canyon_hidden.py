"""What a seat of Fossil Canyon cannot know reaches nothing it is given, and is dealt uniformly.

The deals that are consistent with what a seat knows are told here a second time, card by card and
without the kernel: every card of the pool has a number, and all ways to lay the numbers out are
looked at.
"""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from bonebed.agents import agent
from bonebed.envs import table
from bonebed.envs.view import View
from bonebed.kernels import canyon_cards as box
from bonebed.kernels.fossil_canyon import NONE, Phase, Stage
from chance import unlikely
from conftest import LOOK_EVERY

pytestmark = pytest.mark.rules

RULES = table.rules("fossil_canyon")
COUNTS = range(RULES.min_players, RULES.max_players + 1)
HIDDEN_LIMIT = 3  # 2.5
FIRST_TRACE = box.N_SKELETAL_TYPES
CARD_FIELDS = ("exposed", "up", "known", "known_to_others", "unseen", "dug")
SAMPLES = 20_000
SETS = [
    range(int(first), int(first + n))
    for first, n in zip(box.FIRST_TYPE_OF_GENUS, box.FOSSILS_OF_GENUS, strict=True)
    if n
]


def others(state, player):
    """Return the other seats of a game."""
    return [seat for seat in range(int(state.num_players)) if seat != player]


def cards_of(counts):
    """Return cards, given as the number of each type, as a list of types."""
    return [t for t, n in enumerate(counts.tolist()) for _ in range(n)]


def pool_of(state, player):
    """Return the cards that a seat cannot place, and how many lie at each place (12.3)."""
    pool = cards_of(state.buried) + cards_of(state.discard)
    places = [("discard", int(state.discard.sum()))]
    hidden, known = state.hidden, state.known[player]
    for seat in others(state, player):
        unknown = cards_of(hidden[seat] - known[seat])
        pool += unknown
        places.append((seat, len(unknown)))
    if state.dug != NONE and state.to_play != player:
        pool.append(int(state.dug))
        places.append(("dug", 1))
    return pool, places


def lay(state, player, laid):
    """Return a copy of a game with the cards of each place given, or None where none can be so.

    Nobody has a full set (3.3), and whoever is asked for a decision has a choice (11.1).
    """
    state = state.copy()
    hidden, known, up = state.hidden, state.known[player], state.up
    for place, cards in laid.items():
        counts = np.bincount(cards, minlength=box.N_TYPES).astype(np.uint8)
        if place in ("discard", "buried"):
            state[place] = counts
        elif place == "dug":
            state.dug = cards[0]
        else:
            hidden[place] = known[place] + counts
            held = (hidden[place] + up[place]).tolist()
            if any(all(held[t] for t in types) for types in SETS):
                return None
    sure = state.to_play == player or state.phase == Phase.HIDE or state.done
    return state if sure or len(RULES.legal_actions(state)) > 1 else None


def all_deals(state, player):
    """Yield the game with every way to lay out the pool, cards told apart."""
    pool, places = pool_of(state, player)

    def fill(i, free, laid):
        """Choose the cards of the places from number i on."""
        if i == len(places):
            yield laid | {"buried": [pool[c] for c in free]}
            return
        place, n = places[i]
        for chosen in itertools.combinations(free, n):
            rest = [c for c in free if c not in chosen]
            yield from fill(i + 1, rest, laid | {place: [pool[c] for c in chosen]})

    for laid in fill(0, range(len(pool)), {}):
        deal = lay(state, player, laid)
        if deal is not None:
            yield deal


def secrets(state, player):
    """Yield the game with every set of secret choices of others, cards told apart."""
    ways = []
    for seat in others(state, player):
        hidden, held = cards_of(state.hidden[seat]), cards_of(state.hidden[seat] + state.up[seat])
        if state.phase == Phase.HIDE and (
            seat == state.to_play or (state.stage == Stage.SETUP and seat < state.to_play)
        ):
            most = min(HIDDEN_LIMIT, len(held)) - (seat == state.to_play)
            ways.append(
                [
                    (seat, "picked", [held[c] for c in picks])
                    for n in range(most + 1)
                    for picks in itertools.combinations(range(len(held)), n)
                ]
            )
        elif state.chosen[seat] != NONE:
            cards = hidden if state.phase == Phase.REVEAL else held
            ways.append([(seat, "chosen", t) for t in cards])
    for choices in itertools.product(*ways):
        told = state.copy()
        for seat, field, choice in choices:
            if field == "picked":
                choice = np.bincount(choice, minlength=box.N_TYPES)
            told[field][seat] = choice
        yield told


def key_of(state):
    """Return what is dealt anew, but for the events and what follows from the rest."""
    fields = ("hidden", "discard", "buried", "dug", "picked", "chosen")
    return b"".join(state[field].tobytes() for field in fields)


def check_uniform(state, player):
    """Assert that `resample` deals every consistent deal as often as it should."""
    ways = Counter(
        key_of(told) for deal in all_deals(state, player) for told in secrets(deal, player)
    )
    assert key_of(state) in ways, "the truth is one of them"
    total, samples = sum(ways.values()), SAMPLES
    while samples * min(ways.values()) < 5 * total:  # each deal five times is expected
        samples *= 2
    counts: Counter[bytes] = Counter()
    for seed in range(samples):
        copy = state.copy()
        RULES.resample(copy, player, np.uint64(seed))
        counts[key_of(copy)] += 1
    assert set(counts) <= set(ways)
    expected = {key: samples * n / total for key, n in ways.items()}
    statistic = sum((counts[key] - e) ** 2 / e for key, e in expected.items())
    assert len(ways) > 1
    assert statistic < unlikely(len(ways) - 1)


def reduced(state, player, cards, luck):
    """Return a game with most cards taken away: few are left where the seat cannot see them."""
    state = state.copy()
    pool, places = pool_of(state, player)
    kept = luck.sample(pool, cards)
    sizes = {place: min(n, 2) for place, n in places}
    while True:  # ends: there are few sets to avoid
        luck.shuffle(kept)
        laid, at = {}, 0
        for place, n in sizes.items():
            laid[place] = kept[at : at + n]
            at += n
        told = lay(state, player, laid | {"buried": kept[at:]})
        if told is not None:
            return told


def search(wanted, players, seed, cards=6, **options):
    """Return (game with few unknown cards, seat) for the first position that fits."""
    for game_seed in range(seed, seed + 200):
        luck = random.Random(game_seed)
        state = RULES.new(game_seed, num_players=players, **options)
        while not state.done:
            for player in range(players):
                hands = sum(n > 0 for place, n in pool_of(state, player)[1] if place != "discard")
                if wanted(state, player) and 0 < hands <= 2:
                    return reduced(state, player, cards, luck), player
            RULES.step(state, luck.choice(RULES.legal_actions(state).tolist()))
    raise AssertionError("no such position")


def knows(state, player):
    """Say how many hidden cards of others a seat knows."""
    return int(state.known[player, others(state, player)].sum())


def plain(state, player):
    """A position in the middle of the game without anything known or secret."""
    return state.stage == Stage.EXCHANGES and not knows(state, player)


def with_known_cards(state, player):
    """A position in which the seat knows hidden cards of others."""
    return state.stage in (Stage.DIGS, Stage.EXCHANGES) and knows(state, player) >= 2


def with_a_card_looked_at(state, player):
    """A position in which another seat looks at a buried card."""
    return state.phase == Phase.KEEP and state.to_play != player


def with_picks_of_step_five(state, player):
    """A position in which another seat picks what it hides at the end of its turn."""
    return state.stage == Stage.ADJUST and state.to_play != player


def with_a_card_to_send(state, player):
    """A position in which another seat has chosen a card to pass on."""
    chosen = [state.chosen[seat] != NONE for seat in others(state, player)]
    few = all(state.up[seat].sum() <= 8 for seat in others(state, player))
    return state.phase == Phase.SEND and any(chosen) and few


def with_nothing_to_dig_for_another(state, player):
    """A position in which another seat has a choice only because it can claim an award."""
    digs = state.phase == Phase.DIG and not state.exposed.any() and state.buried.any()
    return digs and state.to_play != player and not state.discard[box.N_SKELETAL_TYPES :].any()


def with_a_card_to_reveal(state, player):
    """A position in which another seat has chosen a card to turn face up."""
    return state.phase == Phase.REVEAL and any(
        state.chosen[seat] != NONE for seat in others(state, player)
    )


@pytest.mark.parametrize(
    ("wanted", "players", "cards", "options"),
    [
        (plain, 2, 7, {}),
        (plain, 3, 7, {}),
        (with_known_cards, 2, 7, {}),
        (with_known_cards, 3, 7, {}),
        (with_a_card_looked_at, 2, 6, {"put_back": True}),
        (with_picks_of_step_five, 2, 4, {}),
        (with_a_card_to_send, 2, 5, {}),
        (with_a_card_to_reveal, 2, 5, {}),
        (with_nothing_to_dig_for_another, 2, 8, {}),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_every_consistent_deal_is_as_likely(wanted, players, cards, options, n_games):
    if n_games(SAMPLES) < SAMPLES:
        pytest.skip("20,000 deals take minutes in this mode")  # the compiled run has them
    state, player = search(wanted, players, 100, cards, **options)
    state.chosen[:] = [
        cards_of(state.hidden[seat])[0] if t != NONE and seat != player else t
        for seat, t in enumerate(state.chosen.tolist())
    ]
    if wanted is with_picks_of_step_five:  # few cards, so that there are few ways to pick
        seat = int(state.to_play)
        state.up[seat] = 0
        state.picked[seat] = 0
    check_uniform(state, player)


@pytest.mark.parametrize(("asked", "player"), [(0, 1), (1, 0), (1, 2), (2, 2)])
def test_every_set_of_picks_at_set_up_is_as_likely(asked, player, n_games):
    if n_games(SAMPLES) < SAMPLES:
        pytest.skip("20,000 deals take minutes in this mode")  # the compiled run has them
    state = RULES.new(7, num_players=3)
    state.to_play = asked
    state = reduced(state, player, 7, random.Random(1))
    check_uniform(state, player)


def test_every_order_of_the_events_to_come_is_as_likely(n_games):
    if n_games(SAMPLES) < SAMPLES:
        pytest.skip("20,000 deals take minutes in this mode")  # the compiled run has them
    state = RULES.new(1, num_players=2)
    deck = sorted(range(9)) * 2
    state.deck[:] = deck
    state.drawn = len(deck) - 4
    counts: Counter[bytes] = Counter()
    for seed in range(SAMPLES):
        copy = state.copy()
        RULES.resample(copy, 0, np.uint64(seed))
        assert copy.deck[:-4].tolist() == deck[:-4]
        counts[copy.deck.tobytes()] += 1
    expected = SAMPLES / 24
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < unlikely(23)


# ---------------------------------------------------------------------- nothing leaks


def scrambled(state, player, luck):
    """Return another game that a seat cannot tell from this one."""
    pool, places = pool_of(state, player)
    told = None
    for _ in range(20):  # where every try completes a set, the cards stay
        luck.shuffle(pool)
        laid, at = {}, 0
        for place, n in places:
            laid[place] = pool[at : at + n]
            at += n
        told = lay(state, player, laid | {"buried": pool[at:]})
        if told is not None:
            break
    told = state.copy() if told is None else told
    scramble_choices(told, state, player, luck)
    rest = told.deck[told.drawn :].tolist()
    luck.shuffle(rest)
    told.deck[told.drawn :] = rest
    told.seed = np.uint64(luck.getrandbits(64))
    if state.stage != Stage.END:  # what others saw of one another in blind exchanges
        known, hidden = told.known, told.hidden.tolist()
        for observer, owner in itertools.permutations(others(state, player), 2):
            known[observer, owner] = [luck.randint(0, n) if n else 0 for n in hidden[owner]]
    return told


def scramble_choices(told, state, player, luck):
    """Choose secret choices of others anew; count the decisions that picks take."""
    hiding, chosen = state.phase == Phase.HIDE, state.chosen.tolist()
    if not hiding and set(chosen) == {NONE}:
        return
    for seat in others(state, player):
        held = cards_of(told.hidden[seat] + told.up[seat])
        if hiding and (
            seat == state.to_play or (state.stage == Stage.SETUP and seat < state.to_play)
        ):
            most = min(int(limit_of(state)), len(held))
            under_way = bool(seat == state.to_play)
            told.ply -= decisions(int(state.picked[seat].sum()), most, under_way)
            n = luck.randint(0, most - under_way)
            picks = luck.sample(held, n)
            told.picked[seat] = np.bincount(picks, minlength=box.N_TYPES) if picks else 0
            told.ply += decisions(n, most, under_way)
        elif chosen[seat] != NONE:
            hidden = cards_of(told.hidden[seat])
            told.chosen[seat] = luck.choice(hidden if state.phase == Phase.REVEAL else held)


def limit_of(state):
    """Return how many cards may be hidden (2.5, 2.7)."""
    return 2 if state.hidden_limit_two and state.num_players >= 5 else HIDDEN_LIMIT


def decisions(picked, most, under_way):
    """Return how many decisions so many picks are: one more to end the choice early (2.6)."""
    return picked + (not under_way and picked < most)


def seen(state, player):
    """Return what a seat observes."""
    obs = np.zeros(1, RULES.OBS)
    RULES.observe(state, player, obs[0])
    return obs.tobytes()


@pytest.mark.parametrize("players", COUNTS)
@pytest.mark.parametrize("research", [False, True])
def test_every_card_is_somewhere_in_what_a_seat_sees(players, research, n_games):
    """Seen, known, laid in a skeleton, or in the number of those that cannot be placed (12.1)."""
    spent_all = 0
    for seed in range(n_games(5)):
        luck = random.Random(seed)
        state = RULES.new(seed, num_players=players, research=research)
        while not state.done:
            for player in range(0 if state.ply % LOOK_EVERY else players):
                obs = np.zeros(1, RULES.OBS)
                RULES.observe(state, player, obs[0])
                share = {name: obs[name][0].astype(float) for name in CARD_FIELDS}
                laid = state.skeletons.astype(int).sum(axis=0)[box.GENUS_OF_TYPE[:FIRST_TRACE]]
                where = {name: share[name] * box.COPIES_OF_TYPE for name in CARD_FIELDS}
                cards = where["exposed"] + where["dug"] + where["unseen"]
                cards += where["up"].sum(axis=0) + where["known"].sum(axis=0)
                cards[:FIRST_TRACE] += laid
                missing = box.COPIES_OF_TYPE - cards
                assert abs(missing[:FIRST_TRACE]).max() < 1e-4
                if not research:
                    assert abs(cards[FIRST_TRACE:]).max() < 1e-4
                elif not state.awards.any():
                    assert abs(missing[FIRST_TRACE:]).max() < 1e-4
                else:  # two trace fossils at least were spent
                    assert missing[FIRST_TRACE:].sum() > 2 - 1e-4
                    spent_all += 1
                told = state.known[others(state, player), player].max(axis=0)
                assert abs(where["known_to_others"] - told).max() < 1e-4
            RULES.step(state, luck.choice(RULES.legal_actions(state).tolist()))
    assert LOOK_EVERY > 1 or (spent_all > 0) == research


@pytest.mark.parametrize("players", COUNTS)
def test_nothing_hidden_reaches_what_a_seat_is_given(players, n_games):
    greedy = agent("greedy", "fossil_canyon")
    changed = 0
    for game_seed in range(n_games(50)):
        luck = random.Random(game_seed)
        options = {option.name: luck.choice(option.choices) for option in RULES.options}
        state = RULES.new(game_seed, **(options | {"num_players": players}))
        while not state.done:
            legal = RULES.legal_actions(state).tolist()
            for player in range(0 if state.ply % LOOK_EVERY else players):
                told = scrambled(state, player, luck)
                changed += key_of(told) != key_of(state)
                assert seen(told, player) == seen(state, player)
                dealt = state.copy()
                RULES.resample(told_copy := told.copy(), player, np.uint64(3))
                RULES.resample(dealt, player, np.uint64(3))
                assert told_copy.tobytes() == dealt.tobytes()
                if player == state.to_play:
                    assert RULES.legal_actions(told).tolist() == legal
                    if state.ply % (16 * LOOK_EVERY) == 0:
                        views = [View.of(RULES, game, seed=5) for game in (state, told)]
                        assert greedy.act(views[0]) == greedy.act(views[1])
            RULES.step(state, luck.choice(legal))
    assert changed * LOOK_EVERY > 20 * n_games(50)


@pytest.mark.parametrize("players", COUNTS)
def test_deals_are_consistent_and_differ(players, n_games):
    for game_seed in range(n_games(10)):
        luck = random.Random(game_seed)
        state = RULES.new(game_seed, num_players=players)
        while not state.done:
            look, player = state.ply % LOOK_EVERY == 0, luck.randrange(players)
            pool, places = pool_of(state, player)
            keys = set()
            for seed in range(8 if look else 0):
                deal = state.copy()
                RULES.resample(deal, player, np.uint64(seed))
                keys.add(key_of(deal))
                again, same_places = pool_of(deal, player)
                assert (sorted(again), same_places) == (sorted(pool), places)
                for seat in others(state, player):
                    held = deal.hidden[seat] + deal.up[seat]
                    assert not any(all(held[t] for t in types) for types in SETS)
                    assert (deal.known[:, seat] <= deal.hidden[seat]).all()
            if look and state.stage == Stage.SETUP:
                assert len(keys) == 8
            RULES.step(state, luck.choice(RULES.legal_actions(state).tolist()))
