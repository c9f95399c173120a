"""Fossilium solo, told a second time, from docs/games/fossilium_solo.md alone.

Where the solo game is Fossilium its reference is that of Fossilium; here is what differs. Numbers
in brackets are paragraphs of the solo page, those with an F before them of the other one.
"""

from __future__ import annotations

import random
from collections import Counter

from naive import fossilium
from naive import fossilium_check as check
from naive import fossilium_steering as steering
from naive.fossilium import Script
from naive.fossilium_box import (
    JOKER,
    KINDS,
    MANAGEMENT,
    NONE,
    ROWS,
    STOP,
    TYPES,
    Box,
    Choice,
    Fossil,
    bits,
    padded,
    read_box,
)

NAME = "fossilium_solo"
FIELDS_OF_CHOICE = {
    **{name: own for name, own in fossilium.FIELDS_OF_CHOICE.items() if name != "owner"},
    "card": ("card",),
    "exhibit": ("card",),
    "piece": ("piece",),
    "end": ("end",),
}
DIFFICULTIES = (
    *("high_goals", "more_b", "dark_goals", "pal_first", "more_turns", "must_win_majorities"),
    *("negative_prestige", "empty_fields", "storage_penalty", "lose_job_workers"),
)
EXHIBITS, DECK = 5, 6  # streams of chance (11)
PLAYER, PAL = 0, 1
LEFT, RIGHT = 0, 1


class Exhibit:
    """A fossil card on the table.

    Parameters
    ----------
    box : Box
    card : int
        Place among the species of more than one piece.
    """

    def __init__(self, box: Box, card: int) -> None:
        self.card = card
        self.species = box.exhibits[card]
        self.size = box.size[self.species]
        self.depicted = set(box.sheet["pal_fossil"][box.species[self.species]["id"]]["depicted"])
        self.pieces = set(self.depicted)  # that count as displayed (2.4)
        self.cubes = 0

    def free(self) -> list[int]:
        """Return the pieces that are missing."""
        return [piece for piece in range(1, self.size + 1) if piece not in self.pieces]


class Game(fossilium.Game):
    """One solo game; see Fossilium's for the parameters."""

    names = tuple(FIELDS_OF_CHOICE)

    def _count_museums(self) -> int:
        return 1

    def _count_seats(self) -> int:
        return 2

    def _first_dollars(self) -> list[int]:
        return [self.sheet["player"]["start_dollars_solo"], 0]

    def _prepare(self) -> None:
        self.workers.append(self.sheet["solo"]["pal_workers"])  # 2.6
        self.difficulty = {rule["id"]: rule for rule in self.sheet["difficulty"]}
        self.agent = self.options["pal"] == "agent"
        self.cubes = self.sheet["solo"]["pal_cubes"]
        self.exhibits: list[Exhibit] = []
        self.deck: list[int] = []
        self.played = 0
        self.pal_turns = 0
        self.card = NONE
        self.chosen = NONE
        self.gift = NONE
        self.lost = False

    # ------------------------------------------------------------------ set-up (2)

    def _goal_pool(self) -> list[int]:
        """Return the round goal tiles that are drawn from (7.1)."""
        if self.options["high_goals"]:
            return [tile - 1 for tile in self.difficulty["high_goals"]["round_goal_pool"]]
        return super()._goal_pool()

    def _light_goals(self) -> int:
        if self.options["dark_goals"]:
            return self.difficulty["dark_goals"]["light_round_goals"]
        return super()._light_goals()

    def _neutral_start(self) -> list[dict]:
        return self.sheet["neutral_workers"]["solo"]

    def draw_goals(self) -> None:
        """Draw goals, then Pal's cards (11)."""
        super().draw_goals()
        self._draw_deck()

    def _set_up(self) -> Script:
        yield from super()._set_up()
        for _ in range(self.sheet["solo"]["fossil_open_at_start"]):
            self.open_exhibit()
        return STOP

    def _draw_deck(self) -> None:
        """Draw and shuffle Pal's action cards (2.5, 7.2, 7.5, 11)."""
        cards = self.box.cards
        while True:
            drawn: list[int] = []
            for kind, number in self.sheet["solo"]["draw_actions"].items():
                pile = [i for i, card in enumerate(cards) if card["action"] == kind]
                self.draw_to_front(pile, number, DECK)
                drawn += pile[:number]
            if self.options["more_turns"]:
                number = self.difficulty["more_turns"]["extra_action_cards"]
                left = [i for i in range(len(cards)) if i not in drawn]
                self.draw_to_front(left, number, DECK)
                drawn += left[:number]
            n_b = sum(cards[i]["deck"] == "B" for i in drawn)
            least = max(self.difficulty["more_b"]["min_b_cards"], len(drawn) // 2 + 1)
            if not self.options["more_b"] or n_b >= least:
                break
            self.events["drew the action cards again"] += 1
        for letter in "AB":
            pile = sorted(i for i in drawn if cards[i]["deck"] == letter)
            self.draw_to_front(pile, len(pile), DECK)
            self.deck += pile

    def open_exhibit(self) -> None:
        """Open one more fossil card (2.3, 3.2)."""
        there = [exhibit.card for exhibit in self.exhibits]
        left = [
            card
            for card, species in enumerate(self.box.exhibits)
            if card not in there
            and any(str(site + 1) in self.box.species[species]["tiles"] for site in self.columns)
        ]
        card = left[self.chance.draw(EXHIBITS, len(left))]
        self.exhibits.append(Exhibit(self.box, card))

    # ------------------------------------------------------------------ rounds (3)

    def _begin_round(self) -> None:
        """Move the neutral workers and open a fossil card (3.1, 3.2)."""
        self.pal_turns = 0
        if self.round > 1:
            self.groups = [((place + 1) % len(self.columns), field) for place, field in self.groups]
            self._clear_board()
            for _ in range(self.sheet["solo"]["fossil_open_per_round_from_2"]):
                self.open_exhibit()

    def turns_a_round(self) -> list[int]:
        """Return how many turns Pal has in each round (3.3, 7.5)."""
        if self.options["more_turns"]:
            return self.difficulty["more_turns"]["pal_turns"]
        return self.sheet["solo"]["pal_turns"]

    def _action_phase(self) -> Script:
        """Let the player and Pal take turns (3.3, 7.4)."""
        turns = self.turns_a_round()[self.round - 1]
        pals = self.options["pal_first"]
        while self._can_act(PLAYER) or self.pal_turns < turns:
            if pals and self.pal_turns < turns:
                self.events["Pal after the player's last worker"] += not self._can_act(PLAYER)
                yield from self._pal_turn()
            elif not pals and self._can_act(PLAYER):
                yield from self._turn(PLAYER)
            pals = not pals
        return STOP

    def _excavation(self) -> Script:
        yield from super()._excavation()
        if self.options["lose_job_workers"]:
            yield from self._lose_worker()
        return STOP

    def _lose_worker(self) -> Script:
        """Take a worker away from a job goal (7.10)."""
        own = self.on_goal[PLAYER]
        offered = [("goal", place) for place, number in enumerate(own) if number]
        if offered:
            _, place = yield from self._ask(PLAYER, "lose", offered)
            own[place] -= 1
            self.events["a job worker left the game"] += 1
        else:
            self.events["no job worker was left to lose"] += 1
        return STOP

    # ------------------------------------------------------------------ Pal's turn (4, 8)

    def _ask_pal(self, phase: str, choices: list[Choice], by_card: Choice) -> Script:
        """Let Pal choose if she is a player, or else follow her card (1.2, 8.1)."""
        if not self.agent:
            return by_card
        choice = yield from self._ask(PAL, phase, choices)
        return choice

    def _pal_turn(self) -> Script:
        """Play a card, place workers, act (4.1)."""
        self.active = PAL
        yield from self._play_card()
        card = self.box.cards[self.card]
        yield from self._place_pal(card)
        act = {
            "display": self._pal_display,
            "give_tour": self._pal_tour,
            "donate": self._pal_donate,
            "buy_sell": self._pal_trade,
        }
        yield from act[card["action"]](card)
        self.events[f"Pal: {card['action']} {card['deck']} {card['arrow']}"] += 1
        self.card = NONE
        self.active = NONE
        return STOP

    def _play_card(self) -> Script:
        """Reveal the top card, or let Pal play one of her hand (4.1, 8.1)."""
        hand = self.deck[self.played :]
        letter = self.box.cards[hand[0]]["deck"]
        choices = [("card", i) for i in sorted(hand) if self.box.cards[i]["deck"] == letter]
        _, self.card = yield from self._ask_pal("card", choices, ("card", hand[0]))
        hand.remove(self.card)
        self.deck[self.played :] = [self.card, *hand]
        self.played += 1
        self.pal_turns += 1
        return STOP

    def _place_pal(self, card: dict) -> Script:
        """Place Pal's workers (4.2)."""
        row = ROWS.index({"donate": "build_donate"}.get(card["action"], card["action"]))
        normal = [3 * row + KINDS.index(kind) for kind in ("small", "large")]
        for fields in (normal, [3 * row + KINDS.index("bonus")], [JOKER]):
            free = [
                ("field", column, field)
                for column in self.columns
                for field in fields
                if field not in self.taken[column]
            ]
            if free:
                by_card = free[0] if card["arrow"] == "right" else free[-1]
                _, column, field = yield from self._ask_pal("field", free, by_card)
                need = self.box.need[field]
                if need <= self.workers[PAL]:
                    self.workers[PAL] -= need
                    self.placed[PAL][column] += need
                    self.taken[column].add(field)
                self.events["Pal on a bonus field"] += field not in (*normal, JOKER)
                self.events["Pal on a joker field"] += field == JOKER
                return STOP
        self.events["Pal without a free field"] += 1
        return STOP

    def _pal_display(self, card: dict) -> Script:
        """Extend a fossil card (4.3)."""
        unfinished = [exhibit for exhibit in self.exhibits if exhibit.free()]
        if not unfinished or not self.cubes:
            self.events["Pal out of cubes"] += not self.cubes
            self.events["Pal without a free piece"] += not unfinished
            return STOP
        sign = 1 if card["arrow"] == "right" else -1
        _, order = max(
            ((sign * piece, -len(exhibit.free()), -i), i)
            for i, exhibit in enumerate(self.exhibits)
            for piece in exhibit.free()
        )
        choices = [("exhibit", number) for number in sorted(e.card for e in unfinished)]
        by_card = ("exhibit", self.exhibits[order].card)
        _, number = yield from self._ask_pal("exhibit", choices, by_card)
        self.chosen = [exhibit.card for exhibit in self.exhibits].index(number)
        exhibit = self.exhibits[self.chosen]
        pieces = [("piece", piece - 1) for piece in exhibit.free()]
        by_card = pieces[-1] if card["arrow"] == "right" else pieces[0]
        _, piece = yield from self._ask_pal("piece", pieces, by_card)
        exhibit.pieces.add(piece + 1)
        exhibit.cubes += 1
        self.cubes -= 1
        self.chosen = NONE
        self.finish(exhibit, "Pal")
        return STOP

    def finish(self, exhibit: Exhibit, who: str) -> None:
        """Take the cubes back from a finished fossil card (4.7)."""
        if not exhibit.free():
            self.cubes += exhibit.cubes
            self.events["cubes came back"] += exhibit.cubes
            exhibit.cubes = 0
            self.events[f"fossil card finished by {who}"] += 1

    def _pal_tour(self, card: dict) -> Script:
        """Receive guests and dollars (4.4)."""
        most = self.sheet["guest_track"]["max_guests"]
        self.events["Pal's guests were lost"] += self.guests[PAL] + card["guests"] > most
        self.guests[PAL] = min(most, self.guests[PAL] + card["guests"])
        self.dollars[PAL] += card["dollars"]
        yield from ()
        return STOP

    def _pal_donate(self, card: dict) -> Script:
        """Donate to the player's fossil with the most displayed pieces (4.5)."""
        museum = self.museums[PLAYER]
        incomplete = [fossil for fossil in museum.fossils if not fossil.complete]
        if not incomplete:
            self.events["nothing to donate to"] += 1
            return STOP
        most = max(len(fossil.shown) for fossil in incomplete)
        tied = {f.first_cell: f for f in incomplete if len(f.shown) == most}
        self.events["Pal's donation: a tie of fossils"] += len(tied) > 1
        _, self.gift = yield from self._ask(PLAYER, "tie", [("cell", c) for c in sorted(tied)])
        fossil = tied[self.gift]
        missing = [
            ("piece", piece - 1)
            for piece in sorted(fossil.cells)
            if piece not in fossil.shown and self._bag_with(fossil, piece) != NONE
        ]
        self.events["a missing piece is in no bag"] += len(missing) + most < fossil.size
        if missing:
            by_card = missing[-1] if card["arrow"] == "right" else missing[0]
            _, piece = yield from self._ask_pal("piece", missing, by_card)
            self._give(fossil, piece + 1)
        else:
            self.events["no tile to donate"] += 1
        self.gift = NONE
        return STOP

    def _bag_with(self, fossil: Fossil, piece: int) -> int:
        """Return the fullest bag in use that holds a tile for a piece, or NONE (4.5)."""
        tile = self.box.showing[fossil.species, piece]
        sites = [site for site in self.columns if self.bags[site][tile]]
        return max(sites, key=lambda site: (sum(self.bags[site]), -site), default=NONE)

    def _give(self, fossil: Fossil, piece: int) -> None:
        """Display a donated tile in the player's museum (4.5, 7.7)."""
        self.bags[self._bag_with(fossil, piece)][self.box.showing[fossil.species, piece]] -= 1
        self._show(PLAYER, fossil.cells[piece])
        points = self.points[PLAYER] - len(fossil.shown)
        self.events["Pal completed a fossil"] += fossil.complete
        if points < 0:
            negative = self.options["negative_prestige"]
            points = points if negative else 0
            self.events["prestige below 0" if negative else "prestige stopped at 0"] += 1
        self.points[PLAYER] = points

    def _pal_trade(self, card: dict) -> Script:
        """Remove tiles from the market and fill it (4.6)."""
        if any(self.market):
            by_card = ("end", RIGHT if card["arrow"] == "left" else LEFT)
            choices = [("end", LEFT), ("end", RIGHT)]
            _, end = yield from self._ask_pal("end", choices, by_card)
            positions = card["remove_positions_each_row"]
            for kind, row in enumerate(self.market):
                counted = row if end == LEFT else row[::-1]
                self.events["a market position did not exist"] += max(positions) > len(row)
                counted = [tile for i, tile in enumerate(counted, 1) if i not in positions]
                self.market[kind] = counted if end == LEFT else counted[::-1]
        else:
            self.events["Pal found the market empty"] += 1
        self._fill_market(card["draw_per_site"])
        return STOP

    # ------------------------------------------------------------------ donations to Pal (5)

    def wanted(self, seat: int, tile: int) -> bool:
        """Tell whether a tile can be donated (5.1)."""
        return self._exhibit_for(tile) is not None

    def _exhibit_for(self, tile: int) -> Exhibit | None:
        """Return the open card with a free field for a tile (5.1)."""
        for exhibit in self.exhibits:
            if self._fitting(exhibit, tile):
                return exhibit
        return None

    def _fitting(self, exhibit: Exhibit, tile: int) -> list[int]:
        """Return the free pieces of a card that a tile shows."""
        if exhibit.species != self.box.tiles[tile][0]:
            return []
        return [piece for piece in exhibit.free() if piece in self.box.shows[tile]]

    def _donate(self, seat: int) -> Script:
        """Donate the tile that is held to a fossil card (5.1)."""
        exhibit = self._exhibit_for(self.held)
        assert exhibit
        pieces = self._fitting(exhibit, self.held)
        faces = [("face", self.box.shows[self.held].index(piece)) for piece in pieces]
        _, face = yield from self._ask(seat, "face", faces)
        exhibit.pieces.add(self.box.shows[self.held][face])
        number = len(exhibit.pieces)
        self.finish(exhibit, "a donation")
        self._reward_donation(seat, number)
        return STOP

    # ------------------------------------------------------------------ the end (6, 7)

    def _majorities(self) -> None:
        """Score the majorities against Pal (6.1, 7.6)."""
        won = [own[PLAYER] > own[PAL] for own in (self.guests, self.dollars)]
        self._win(PLAYER, self.sheet["majorities"]["prestige"][0] * sum(won))
        self.lost = self.options["must_win_majorities"] and not all(won)
        self.events["majorities won"] += sum(won)
        self.events["majorities not won"] += 2 - sum(won)
        for own in (self.guests, self.dollars):
            self.events["majority tied"] += own[PLAYER] == own[PAL]

    def _final_scoring(self) -> None:
        super()._final_scoring()
        if self.options["empty_fields"]:  # 7.8
            self._win(PLAYER, -self._unfilled(PLAYER))
        if self.options["storage_penalty"]:  # 7.9
            self._win(PLAYER, -self._stored(PLAYER))
        self.events["ended below 0"] += self.points[PLAYER] < 0
        self.events["lost without the majorities"] += self.lost

    def outcome(self) -> list[float]:
        """Return the player's result, and the opposite for Pal if she is a player (6.3)."""
        own = -1.0 if self.lost else max(-1.0, min(1.0, self.points[PLAYER] / 100 - 1))
        return [own, -own][: self.num_players]


# ---------------------------------------------------------------------- meeting the kernel's record

# Fields of the record that a game never changes.
FIXED_FIELDS = (*fossilium.FIXED_FIELDS, "pal", *DIFFICULTIES)


def start(state, options: dict) -> Game:
    """Build the reference of a fresh game, told its seed and its options."""
    return Game(options, int(state.seed))


def fields(game: Game) -> dict:
    """Return what the kernel's record must hold, field by field, as plain Python values."""
    solo, extra = game.sheet["solo"], game.difficulty["more_turns"]["extra_action_cards"]
    cards = solo["fossil_deck"]
    found = fossilium.common_fields(game, 1, 2, 7)
    if game.num_players == 2:  # 8.4
        found["score"] = [game.points[PLAYER], -game.points[PLAYER]]
        found["gain"] = [game.gains[PLAYER], -game.gains[PLAYER]]
    return found | {
        "exhibit": padded([exhibit.card for exhibit in game.exhibits], cards, NONE),
        "extent": padded(
            [bits(piece - 1 for piece in exhibit.pieces) for exhibit in game.exhibits], cards, 0
        ),
        "cubes_on": padded([exhibit.cubes for exhibit in game.exhibits], cards, 0),
        "cubes": game.cubes,
        "deck": padded(game.deck, sum(solo["draw_actions"].values()) + extra, NONE),
        "played": game.played,
        "pal_turns": game.pal_turns,
        "card": game.card,
        "chosen": game.chosen,
        "gift": game.gift,
        "lost": int(game.lost),
    }


def check_conservation(state, options: dict) -> None:
    """Assert that all pieces of the game are somewhere, but those that may have left it."""
    box = read_box()
    solo = box.sheet["solo"]
    check.check_museum(box, state, PLAYER)
    lost = 0
    if options["lose_job_workers"]:
        there = sum(
            int(getattr(state, name)[PLAYER].sum()) for name in ("placed", "permanent", "on_goal")
        )
        lost = box.sheet["player"]["workers"] - there - int(state.workers[PLAYER])
        lost = max(0, min(lost, int(state.round_number))) if state.round_number else 0
    check.check_workers(box, state, PLAYER, lost)
    check.check_board(box, state)
    assert state.workers[PAL] + state.placed[PAL].sum() == solo["pal_workers"]
    missing = check.missing_tiles(box, state, 1)
    assert min(missing) >= 0, f"too many tiles, by type: {missing}"
    fewest, most = check_exhibits(box, state)
    played = [box.cards[card] for card in state.deck[: state.played].tolist()]
    for card in played:
        most += len(TYPES) * len(card.get("remove_positions_each_row", ()))
    assert fewest <= sum(missing) <= most, f"{sum(missing)} tiles have left the game"
    check_deck(box, state, options)


def check_exhibits(box: Box, state) -> tuple[int, int]:
    """Check the fossil cards, and return how few and how many tiles may have been laid on them."""
    fewest = most = 0
    there = [card for card in state.exhibit.tolist() if card != NONE]
    assert len(set(there)) == len(there)
    assert state.exhibit.tolist() == padded(there, len(state.exhibit), NONE)
    extents, cubes = state.extent.tolist(), state.cubes_on.tolist()
    for card, extent, on in zip(there, extents, cubes, strict=False):
        exhibit = Exhibit(box, card)
        pieces = {piece for piece in range(1, 9) if extent >> piece - 1 & 1}
        assert exhibit.depicted <= pieces <= set(range(1, exhibit.size + 1))
        finished = len(pieces) == exhibit.size
        assert 0 <= on <= len(pieces) - len(exhibit.depicted)
        assert not (finished and on)
        most += len(pieces) - len(exhibit.depicted) - on
        fewest += 0 if finished else len(pieces) - len(exhibit.depicted) - on
    assert not any(extents[len(there) :])
    assert state.cubes + sum(cubes) == box.sheet["solo"]["pal_cubes"]
    return fewest, most


def check_deck(box: Box, state, options: dict) -> None:
    """Assert that the action cards are those that can have been drawn, A before B (2.5)."""
    solo = box.sheet["solo"]
    deck = [card for card in state.deck.tolist() if card != NONE]
    assert state.deck.tolist() == padded(deck, len(state.deck), NONE)
    assert len(set(deck)) == len(deck)
    letters = [box.cards[card]["deck"] for card in deck]
    assert letters == sorted(letters)
    number = Counter(box.cards[card]["action"] for card in deck)
    extra = 0
    rules = {rule["id"]: rule for rule in box.sheet["difficulty"]}
    if options["more_turns"]:
        extra = rules["more_turns"]["extra_action_cards"]
    assert len(deck) == sum(solo["draw_actions"].values()) + extra
    assert all(number[kind] >= n for kind, n in solo["draw_actions"].items())
    if options["more_b"]:
        least = max(rules["more_b"]["min_b_cards"], len(deck) // 2 + 1)
        assert letters.count("B") >= least


# ---------------------------------------------------------------------- steering random games


def by_the_cards(game: Game, luck: random.Random) -> Choice:
    """Play Pal's seat as her cards would (8.3)."""
    if game.phase == "card":
        return ("card", game.deck[game.played])
    right = game.box.cards[game.card]["arrow"] == "right"
    if game.phase == "field":
        return game.choices[0 if right else -1]
    if game.phase == "end":
        return ("end", LEFT if right else RIGHT)
    if game.phase == "piece":
        return game.choices[-1 if right else 0]
    best = max(
        (piece if right else -piece, -len(exhibit.free()), -i)
        for i, exhibit in enumerate(game.exhibits)
        for piece in exhibit.free()
    )
    return ("exhibit", game.exhibits[-best[2]].card)


def _with_pal(player: steering.Policy, pal: steering.Policy) -> steering.Policy:
    """Build the policy of both seats."""

    def policy(game: Game, luck: random.Random) -> Choice:
        return (pal if game.seat == PAL else player)(game, luck)

    return policy


def spoiler(game: Game, luck: random.Random) -> Choice:
    """Play Pal's seat so that she donates early, and begins many fossils but finishes none."""
    if game.phase == "card":
        donating = [c for c in game.choices if game.box.cards[c[1]]["action"] == "donate"]
        return luck.choice(donating or game.choices)
    if game.phase == "exhibit":
        free = {exhibit.card: len(exhibit.free()) for exhibit in game.exhibits}
        return max(game.choices, key=lambda choice: (free[choice[1]], luck.random()))
    return luck.choice(game.choices)


def _block(game: Game, choice: Choice) -> float:
    """Take the fields that Pal comes to last, and empty the market."""
    if game.phase == "copy":
        return float(choice[2] == MANAGEMENT)
    if choice[0] == "field":
        return {JOKER: 4.0, KINDS.index("bonus"): 3.0, MANAGEMENT: 0.0}.get(choice[2], 1.0)
    return float(choice[0] in ("slot", "dig")) + 2 * (choice == ("gain", 0))


blocker = steering.steering(_block)

POLICIES: dict[str, steering.Policy] = {
    "at_random": steering.at_random,
    "by_the_cards": _with_pal(steering.at_random, by_the_cards),
    "collector": _with_pal(steering.collector, by_the_cards),
    "donor": _with_pal(steering.donor, spoiler),
    "trader": _with_pal(steering.trader, steering.at_random),
    "worker": _with_pal(steering.worker, by_the_cards),
    "blocker": _with_pal(blocker, spoiler),
}


def late_position(luck: random.Random, options: dict) -> Game:
    """Draw a position in one of the last two rounds."""
    luck = random.Random(f"{luck.random()} {options}")  # others with other options
    game = Game(options, luck.randrange(2**32), lambda game: scatter(game, luck))
    game.asked = 0
    return game


def scatter(game: Game, luck: random.Random) -> int:
    """Put everything somewhere, as it may lie at the beginning of a late round."""
    begin = steering.scatter(game, luck)
    solo = game.sheet["solo"]
    game.guests[PAL], game.dollars[PAL] = luck.randrange(45), luck.randrange(20)
    steps = begin - 2  # that the neutral workers have made, and cards opened one a round
    game.groups = [((p + steps) % len(game.columns), field) for p, field in game.groups]
    for _ in range(solo["fossil_open_at_start"] + steps * solo["fossil_open_per_round_from_2"]):
        game.open_exhibit()
    for exhibit in game.exhibits:
        for piece in exhibit.free():
            tile = game.box.showing[exhibit.species, piece]
            site = luck.choice(game.columns)
            if luck.random() < 0.3 and game.cubes:
                exhibit.pieces.add(piece)
                exhibit.cubes += 1
                game.cubes -= 1
            elif luck.random() < 0.2 and game.bags[site][tile]:
                exhibit.pieces.add(piece)
                game.bags[site][tile] -= 1
        game.finish(exhibit, "Pal")
    if luck.random() < 0.5:  # a player who can pay jokers, and many displays to come
        game.dollars[PLAYER] += 15
        cards = game.box.cards
        game.deck.sort(key=lambda i: (cards[i]["deck"], cards[i]["action"] == "display"))
    game.played = sum(game.turns_a_round()[: begin - 1])
    if luck.random() < 0.2:
        game.points[PLAYER] = luck.randrange(4)
    if luck.random() < 0.3:  # a market with few tiles
        tiles = [tile for row in game.market for tile in row]
        game.market = [[] for _ in game.market]
        game.archive.update(tiles)
    return begin


# Events that all games of the twin test together must have covered, each at least this often in
# the compiled run.
RARE_EVENTS: dict[str, int] = {
    "Pal after the player's last worker": 3200,
    "Pal completed a fossil": 350,
    "Pal found the market empty": 220,
    "Pal on a bonus field": 710,
    "Pal on a joker field": 88,
    "Pal out of cubes": 500,
    "Pal without a free field": 19,
    "Pal without a free piece": 5,
    "Pal's donation: a tie of fossils": 580,
    "Pal's guests were lost": 120,
    "Pal: buy_sell A right": 180,
    "Pal: buy_sell B left": 990,
    "Pal: buy_sell B right": 1100,
    "Pal: display A left": 570,
    "Pal: display A right": 570,
    "Pal: display B left": 2900,
    "Pal: display B right": 3000,
    "Pal: donate A left": 330,
    "Pal: donate A right": 270,
    "Pal: donate B left": 1100,
    "Pal: donate B right": 1100,
    "Pal: give_tour A left": 270,
    "Pal: give_tour A right": 330,
    "Pal: give_tour B left": 1100,
    "Pal: give_tour B right": 1100,
    "a bag was short": 2700,
    "a job worker left the game": 180,
    "a joker for nothing": 54,
    "a market position did not exist": 470,
    "a missing piece is in no bag": 940,
    "a panel for nothing": 110,
    "a tile in the storage fits nowhere": 5800,
    "bought": 5700,
    "bought from the archive": 2900,
    "column complete": 860,
    "complete fossil of size 1": 2800,
    "complete fossil of size 2": 560,
    "complete fossil of size 4": 200,
    "complete fossil of size 6": 100,
    "continued a fossil": 1200,
    "cubes came back": 4500,
    "dig after the action": 5800,
    "dig before the action": 440,
    "discarded": 5600,
    "donation": 1200,
    "drew the action cards again": 220,
    "ended below 0": 48,
    "fossil card finished by Pal": 3300,
    "fossil card finished by a donation": 600,
    "found a tile with a full storage": 1400,
    "found in several bags": 25,
    "guests were lost": 1000,
    "income of a panel": 4800,
    "job goal had paid already": 19,
    "job goal in the income": 62,
    "job goal on another's turn": 15,
    "job goal: column": 48,
    "job goal: display4": 150,
    "job goal: donate3": 83,
    "job goal: guests18": 82,
    "job goal: guests22": 51,
    "job goal: guests28": 29,
    "job goal: joker": 130,
    "job goal: row": 100,
    "job goal: tour_dollars5": 3,
    "job goal: tour_dollars6": 2,
    "job goal: tour_guests5": 14,
    "job goal: tour_guests6": 4,
    "joker copied a bonus field": 100,
    "joker copied a used field": 170,
    "large pedestal": 35,
    "lost without the majorities": 150,
    "majorities not won": 2700,
    "majorities won": 1400,
    "majority tied": 77,
    "more students than tiles": 930,
    "more workers than are drawn": 2400,
    "no job worker was left to lose": 21,
    "no tile to donate": 900,
    "nothing to donate to": 840,
    "permanent and other worker together": 710,
    "permanent worker acted": 3600,
    "permanent worker assigned": 350,
    "permanent worker on a joker": 340,
    "prestige below 0": 40,
    "prestige stopped at 0": 390,
    "pushed into the archive": 30000,
    "round goal threshold 0": 1900,
    "round goal threshold 1": 730,
    "round goal threshold 2": 680,
    "round goal threshold 3": 820,
    "row complete": 790,
    "search by a panel": 130,
    "small pedestal": 76,
    "sold": 6200,
    "strip": 680,
    "students were lost": 2400,
    "tour with an audio guide": 820,
}
