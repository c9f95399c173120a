"""What a seat of Fossilium cannot know reaches nothing, and is dealt as set-up deals it.

Only the solo game hides something: Pal's action cards. How likely each set of them is, is told here
a second time: all sets are enumerated and weighed, and the weights are held against many set-ups.
"""

import itertools
import random
from collections import Counter
from math import comb, perm

import numpy as np
import pytest

from bonebed.kernels.fossilium.state import Phase
from chance import unlikely
from conftest import LOOK_EVERY
from fossilium_position import ACT, CARDS, DRAWN, IS_B, NONE, RULES, SOLO, SoloPosition

pytestmark = pytest.mark.rules

SAMPLES = 8_000
KINDS = {kind: [card for card in CARDS if ACT[card] == kind] for kind in DRAWN}
DIFFICULTIES = [option.name for option in SOLO.options[2:]]


def deck_of(state):
    """Return the action cards of a game: those played, and those to come."""
    cards = [CARDS[card] for card in state.deck.tolist() if card != NONE]
    return cards[: state.played], cards[state.played :]


def least_b(state):
    """Return how many B cards there are at least (7.2)."""
    return (9 if state.more_turns else 8) if state.more_b else 0


def hands(state):
    """Return every set of unplayed cards that is consistent with what the player knows, weighed.

    A draw takes so many cards of each kind and then two of all that are left (7.5); a set of
    cards counts for each choice of those two. A shuffle of a A cards begins with r given ones once
    in a (a - 1) ... (a - r + 1) times; once a B card is seen, the numbers of A and B are known.
    """
    played, _ = deck_of(state)
    extra = 2 if state.more_turns else 0
    begun = any(IS_B[card] for card in played)
    weights = {}
    for more in itertools.product(range(extra + 1), repeat=len(KINDS)):
        if sum(more) != extra:
            continue
        kinds, ways = [], 1
        for (kind, cards), e in zip(KINDS.items(), more, strict=True):
            seen = [card for card in cards if card in played]
            rest = [card for card in cards if card not in played and (IS_B[card] or not begun)]
            ways *= comb(DRAWN[kind] + e, e)
            missing = DRAWN[kind] + e - len(seen)
            kinds.append([*itertools.combinations(rest, missing)] if missing >= 0 else [])
        for parts in itertools.product(*kinds):
            hand = tuple(sorted(itertools.chain(*parts), key=CARDS.index))
            n_b = sum(IS_B[card] for card in [*hand, *played])
            if n_b < least_b(state):
                continue
            n_a = len(hand) + len(played) - n_b
            a_left = sum(not IS_B[card] for card in hand)
            if state.phase == Phase.CARD and max(a_left, (len(hand) if not a_left else 0)) < 2:
                continue  # who is asked has a choice
            known = state.num_players > 1 or begun
            weights[hand] = ways / (1 if known else perm(n_a, len(played)))
    return weights


def samples_of(state):
    """Deal anew many times; return how often the unplayed cards came in each order."""
    deals = np.zeros(SAMPLES, SOLO.STATE)  # copying one record at a time takes longer than a deal
    deals[:] = state
    for seed in range(SAMPLES):
        SOLO.resample(deals[seed], 0, np.uint64(seed))
    counts = Counter(map(tuple, deals["deck"][:, int(state.played) :].tolist()))
    return Counter({tuple(CARDS[c] for c in deck if c != NONE): n for deck, n in counts.items()})


def fits(counts, weights):
    """Assert that counts are as likely as weights say; what is expected below 5 times together."""
    total, n = sum(weights.values()), sum(counts.values())
    assert set(counts) <= set(weights)
    expected = Counter()
    seen = Counter()
    for key, weight in weights.items():
        e = n * weight / total
        cell = key if e >= 5 else "rare"
        expected[cell] += e
        seen[cell] += counts[key]
    statistic = sum((seen[cell] - e) ** 2 / e for cell, e in expected.items())
    assert len(expected) > 1
    assert statistic < unlikely(len(expected) - 1)


def beginnings(weights):
    """Return how likely the next two cards are: those of each letter are shuffled."""
    first = Counter()
    for hand, weight in weights.items():
        piles = [[c for c in hand if IS_B[c] == b] for b in (False, True)]
        a, b = piles
        for i, j in itertools.permutations([*a, *b], 2):
            if len(a) > 1:
                share = 1 / (len(a) * (len(a) - 1)) if i in a and j in a else 0
            elif len(a) == 1:
                share = 1 / len(b) if i in a else 0
            else:
                share = 1 / (len(b) * (len(b) - 1))
            if share:
                first[i, j] += weight * share
    return first


def last_card(weights):
    """Return how likely each last card is."""
    last = Counter()
    for hand, weight in weights.items():
        b = [card for card in hand if IS_B[card]]
        for card in b:
            last[card] += weight / len(b)
    return last


def seen_so_far(deck, played, **options):
    """Return a position of the player in which Pal has played some cards of a deck."""
    p = SoloPosition(deck=deck, workers=[2], options=options)
    p.state.played += played
    return p.derive().state


AGENT = {"pal": "agent"}
CASES = [
    (("D1", 0), {}),
    (("D1", 1), {}),
    (("D1 T1 M1", 3), {}),
    (("D1 D2 D3", 3), {}),
    (("D1 D3 N1 N2 T1 T2 M1", 7), {}),
    (("T3", 1), {}),
    (("M2 D5 N4", 3), {}),
    (("D1 T2 N1", 3), {"more_turns": True}),
    (("T3", 1), {"more_turns": True}),
    (("D1 T2", 2), {"more_b": True}),
    (("D2", 1), {"more_b": True, "more_turns": True}),
    (("D1 T1 M1", 3), AGENT),
    (("D1 T1 M1", 3), AGENT | {"more_turns": True}),
    (("T4", 1), AGENT),
]


@pytest.mark.parametrize(("cards", "options"), CASES, ids=str)
def test_cards_are_as_likely_as_set_up_makes_them(cards, options, n_games):
    """10.1: sets of cards, the next two of them and the last one."""
    if n_games(SAMPLES) < SAMPLES:
        pytest.skip("8,000 deals take minutes in this mode")  # the compiled run has them
    state = seen_so_far(*cards, **options)
    weights = hands(state)
    sets, first, last = Counter(), Counter(), Counter()
    for hand, n in samples_of(state).items():
        sets[tuple(sorted(hand, key=CARDS.index))] += n
        first[hand[:2]] += n
        last[hand[-1]] += n
    fits(sets, weights)
    fits(first, beginnings(weights))
    fits(last, last_card(weights))


@pytest.mark.parametrize("played", [5, 6, 7])
def test_who_is_asked_for_a_card_has_a_choice(played, n_games):
    """10.1, 8.1: where Pal is to play a card, at least two of the letter are left."""
    if n_games(SAMPLES) < SAMPLES:
        pytest.skip("8,000 deals take minutes in this mode")  # the compiled run has them
    p = SoloPosition(deck="D1 D2 D3 D4 T1 T2 N1 M1", workers=[3], turns=1, options=AGENT)
    p.state.played = played
    p.derive().manage()
    assert p.asked == (1, "CARD")
    weights = hands(p.state)
    sets = Counter()
    for hand, n in samples_of(p.state).items():
        sets[tuple(sorted(hand, key=CARDS.index))] += n
    fits(sets, weights)


def set_up_by_hand(luck, more_b, more_turns):
    """Draw and shuffle the cards as 2.5, 7.2 and 7.5 say; return the deck."""
    while True:
        cards = [card for kind, n in DRAWN.items() for card in luck.sample(KINDS[kind], n)]
        if more_turns:
            cards += luck.sample([card for card in CARDS if card not in cards], 2)
        if not more_b or sum(IS_B[card] for card in cards) >= (9 if more_turns else 8):
            break
    luck.shuffle(cards)
    return sorted(cards, key=IS_B.get)


@pytest.mark.parametrize("more_b", [False, True])
@pytest.mark.parametrize("more_turns", [False, True])
def test_the_weights_are_those_of_many_set_ups(more_b, more_turns):
    """10.1: set-ups whose first card is D1, or whose first two are D1 and D2."""
    options = {"more_b": more_b, "more_turns": more_turns}
    luck = random.Random(3)
    counts = {"D1": Counter(), "D1 D2": Counter()}
    for _ in range(15_000):
        deck = set_up_by_hand(luck, more_b, more_turns)
        for first, seen_next in counts.items():
            n = len(first.split())
            if " ".join(deck[:n]) == first:
                seen_next[sum(IS_B[card] for card in deck), deck[n]] += 1
    for first, seen_next in counts.items():
        weights = Counter()
        for hand, weight in hands(seen_so_far(first, len(first.split()), **options)).items():
            a, b = ([card for card in hand if IS_B[card] == wish] for wish in (False, True))
            for card in a or b:
                weights[len(b), card] += weight / len(a or b)
        fits(seen_next, weights)


# ---------------------------------------------------------------------- nothing leaks


def seen(state, player):
    """Return what a seat observes."""
    obs = np.zeros(1, SOLO.OBS)
    SOLO.observe(state, player, obs[0])
    return obs.tobytes()


def scrambled(state, luck):
    """Return another game that the player cannot tell from this one: other unplayed cards."""
    told = state.copy()
    played, there = deck_of(state)
    begun = any(IS_B[card] for card in played)
    for _ in range(200):
        cards = []
        for kind, n in DRAWN.items():
            old = [card for card in KINDS[kind] if card in played]
            new = [c for c in KINDS[kind] if c not in played and (IS_B[c] or not begun)]
            take = n - len(old)
            cards += luck.sample(new, min(max(0, take), len(new)))
        free = [c for c in CARDS if c not in played and c not in cards and (IS_B[c] or not begun)]
        missing = len(there) - len(cards)
        if not 0 <= missing <= len(free):
            continue
        cards += luck.sample(free, missing)
        luck.shuffle(cards)
        a, b = ([card for card in cards if IS_B[card] == wish] for wish in (False, True))
        if len(b) + sum(IS_B[card] for card in played) < least_b(state):
            continue
        if state.phase == Phase.CARD and len(a or b) < 2:
            continue
        told.deck[state.played : state.played + len(cards)] = [CARDS.index(c) for c in [*a, *b]]
        break
    if state.phase == Phase.CARD:  # what Pal may choose follows from her cards
        for name in SOLO.derived:
            told[name] = 0
        SOLO.derive(told)
    told.seed = np.uint64(luck.getrandbits(64))
    return told


def knows_as_much(state, deal):
    """Assert that a deal keeps what the player knows of Pal's cards."""
    played, there = deck_of(state)
    again, hidden = deck_of(deal)
    assert again == played
    assert len(hidden) == len(there)
    assert len({*again, *hidden}) == len(again) + len(hidden)
    cards = [*again, *hidden]
    assert cards == sorted(cards, key=IS_B.get)  # A before B; the order played is that of 2.5
    kinds = Counter(ACT[card] for card in cards)
    assert all(kinds[kind] >= n for kind, n in DRAWN.items())
    assert sum(kinds.values()) == (16 if state.more_turns else 14)
    assert sum(IS_B[card] for card in cards) >= least_b(state)
    if any(IS_B[card] for card in played):
        assert all(IS_B[card] for card in hidden)
    for name in SOLO.STATE.names:
        if name not in ("deck", "seed", "choices"):
            assert np.array_equal(state[name], deal[name]), name
    if state.phase != Phase.CARD:
        assert np.array_equal(state.choices, deal.choices)


@pytest.mark.parametrize("pal", ["cards", "agent"])
def test_nothing_hidden_reaches_what_the_player_is_given(pal, n_games):
    """10.1: other cards, another order: the same sight, choices and deals."""
    changed = looks = 0
    for game_seed in range(n_games(8)):
        luck = random.Random(game_seed)
        options = {name: luck.random() < 0.4 for name in DIFFICULTIES}
        state = SOLO.new(game_seed, pal=pal, **options)
        while not state.done:
            legal = SOLO.legal_actions(state).tolist()
            if state.ply % LOOK_EVERY == 0:
                told = scrambled(state, luck)
                looks += 1
                changed += deck_of(told) != deck_of(state)
                assert seen(told, 0) == seen(state, 0)
                if state.to_play == 0:
                    assert SOLO.legal_actions(told).tolist() == legal
                dealt, again = state.copy(), told.copy()
                SOLO.resample(dealt, 0, np.uint64(3))
                SOLO.resample(again, 0, np.uint64(3))
                assert dealt.tobytes() == again.tobytes()
                knows_as_much(state, dealt)
                if pal == "agent" and deck_of(told)[1][:1] != deck_of(state)[1][:1]:
                    assert seen(told, 1) != seen(state, 1)
            SOLO.step(state, luck.choice(legal))
    assert changed > looks / 2


def test_pal_knows_her_cards_and_their_order(n_games):
    """10.2: what is dealt anew for her is luck to come only."""
    for game_seed in range(n_games(6)):
        luck = random.Random(game_seed)
        state = SOLO.new(game_seed, pal="agent", more_turns=bool(game_seed % 2))
        while not state.done:
            dealt = state.copy()
            SOLO.resample(dealt, 1, np.uint64(5))
            assert dealt.seed == 5
            dealt.seed = state.seed
            assert dealt.tobytes() == state.tobytes()
            SOLO.step(state, luck.choice(SOLO.legal_actions(state).tolist()))


def test_deals_are_positions_that_can_be_played_on(n_games):
    """10.1: within bounds, to the end, and different."""
    for game_seed in range(n_games(10)):
        luck = random.Random(game_seed)
        options = {name: luck.random() < 0.4 for name in DIFFICULTIES}
        p = object.__new__(SoloPosition)
        p.state = SOLO.new(game_seed, pal=luck.choice(("cards", "agent")), **options)
        while not p.state.done:
            if p.state.ply % 17 == 0:
                q = p.copy()
                SOLO.resample(q.state, 0, np.uint64(luck.getrandbits(60)))
                q.check()
                if p.state.played == 0:
                    assert deck_of(q.state) != deck_of(p.state)
                p = q
            SOLO.step(p.state, luck.choice(SOLO.legal_actions(p.state).tolist()))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_of_several_museums_hides_only_luck_to_come(players, n_games):
    """F16.1: nothing but the seed is dealt anew."""
    for game_seed in range(n_games(4)):
        luck = random.Random(game_seed)
        state = RULES.new(game_seed, num_players=players)
        while not state.done:
            if state.ply % 10 == 0:
                for player in range(players):
                    dealt = state.copy()
                    RULES.resample(dealt, player, np.uint64(9))
                    assert dealt.seed == 9
                    dealt.seed = state.seed
                    assert dealt.tobytes() == state.tobytes()
            RULES.step(state, luck.choice(RULES.legal_actions(state).tolist()))
