"""A wrong component sheet is refused with file, key and what was expected; a valid one is played.

Sheets are read at import, so every test looks at a process of its own (tests/sheet_probe.py) that
gets its sheet through BONEBED_COMPONENTS. No code is changed in any of them.
"""

import copy
import functools
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import bonebed
from bonebed.envs import table

TESTS = Path(__file__).parent
COMPONENTS = Path(bonebed.__file__).parent / "kernels" / "components"


def write_toml(values):
    """Write a sheet's values as TOML, tables inside the top level as inline tables."""
    return "".join(f"{key} = {_toml(value)}\n" for key, value in values.items())


def _toml(value):
    """Write one value."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)  # JSON's numbers, words and truth values are TOML's


def edited(values, changes):
    """Return a sheet with some dotted keys set anew; None takes a key away.

    What is not changed is shared with the sheet that was given.
    """
    changed = {dotted.split(".")[0] for dotted in changes} & set(values)
    values = values | {key: copy.deepcopy(values[key]) for key in changed}
    for dotted, value in changes.items():
        *path, last = (int(key) if key.isdecimal() else key for key in dotted.split("."))
        place = values
        for key in path:
            place = place[key if isinstance(place, list) else str(key)]
        last = last if isinstance(place, list) else str(last)
        if value is None:
            del place[last]
        else:
            place[last] = value
    return values


def keys_of(values, prefix=""):
    """Yield every dotted key of a sheet, tables included; of a list of tables the first one's."""
    for key, value in values.items():
        yield prefix + key
        if isinstance(value, list) and isinstance(value[0], dict):
            yield from keys_of(value[0], f"{prefix}{key}.0.")
        if isinstance(value, dict):
            yield from keys_of(value, f"{prefix}{key}.")


def file_of(name):
    """Return the name of a game's sheet."""
    return table.rules(name).sheet.path.name


@functools.cache
def sheet_of(name):
    """Return the values of a game's own sheet; nobody may change them."""
    return tomllib.loads((COMPONENTS / file_of(name)).read_text(encoding="utf-8"))


# One game for each sheet: the first that is played with it.
SHEETS = {file_of(name): name for name in reversed(table.GAMES)}


def test_every_sheet_belongs_to_a_game():
    assert {path.name for path in COMPONENTS.glob("*.toml")} == set(SHEETS)


def probe(*arguments, cache, components=None, **environment):
    """Run the probe in a process of its own and return its answer."""
    variables = {key: value for key, value in os.environ.items() if key != "BONEBED_COMPONENTS"}
    paths = os.pathsep.join(filter(None, [str(TESTS), variables.get("PYTHONPATH")]))
    variables |= {"PYTHONPATH": paths, "BONEBED_CACHE": str(cache)} | environment
    if components is not None:
        variables["BONEBED_COMPONENTS"] = str(components)
    done = subprocess.run(
        [sys.executable, str(TESTS / "sheet_probe.py"), *map(str, arguments)],
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


# ---------------------------------------------------------------------- wrong sheets

# Dotted keys set anew, the key that the message must name, and words of what was expected.
MANY_GENERA = [
    {
        "name": f"Genus {i}",
        "fossils": 4,
        "skeletons": 1,
        "period": "Cretaceous",
        "diet": "carnivore",
        "value": 25,
        "source": "test",
        "length_m": 1,
        "mass_kg": 1,
    }
    for i in range(16)  # 64 kinds of cards
]
ONE_SEARCH = {"when": "build", "gain": "search_to_storage", "amount": 1, "per": "once"}
WRONG = {
    "fossil": [
        ({"start_score": -1}, "start_score", "a whole number from 0"),
        ({"start_score": 30.0}, "start_score", "a whole number"),
        ({"start_score": "30"}, "start_score", "a whole number"),
        ({"start_score": True}, "start_score", "a whole number"),
        ({"start_score": 10**6}, "start_score", "to 1000"),
        ({"players.min": 1}, "players.min", "from 2"),
        ({"players.min": 6, "players.max": 2}, "players.max", "at least players.min = 6"),
        ({"stones": 3}, "stones", "2"),
        ({"fossils": []}, "fossils", "a list"),
        ({"fossils": ["a", ""]}, "fossils", "a non-empty text"),
        ({"fossils": [1, 2]}, "fossils", "a non-empty text"),
        ({"fossils": ["ammonite"] * 9}, "fossils", "names that differ"),
        ({"tile_values": [3, 2, 0]}, "tile_values", "a whole number from 1"),
        ({"tile_values": 3}, "tile_values", "a list"),
        ({"cost_landing_tile": -1}, "cost_landing_tile", "a whole number from 0"),
        ({"cost_per_empty_space": 0.5}, "cost_per_empty_space", "a whole number"),
        ({"stone_blocks_stone": False}, "stone_blocks_stone", "true"),
        ({"must_end_on_tile": 1}, "must_end_on_tile", "true"),
        ({"exchange_optional": 1}, "exchange_optional", "true, false"),
        ({"exchange_equal_value": False}, "exchange_equal_value", "true"),
        ({"exchange_in_final_scoring": True}, "exchange_in_final_scoring", "false"),
        ({"tie_split": "ceil"}, "tie_split", "floor"),
        ({"end_when": ["no_reachable_tile"]}, "end_when", "all_players_unable_to_pay_in_a_row"),
        ({"final_scoring_order": "random"}, "final_scoring_order", "fossil_index"),
        ({"winner_tie": "most_tiles"}, "winner_tie", "shared"),
        ({"stones_placed_by": "first_seat"}, "stones_placed_by", "last_seat"),
        ({"game": "fossilium"}, "game", "fossil_palesch"),
        ({"start_scores": 30}, "start_scores", "no such key"),
        ({"setup.small.colums": 7}, "setup.small.colums", "no such key"),
        ({"setup.medium": {"rows": 8}}, "setup.medium", "no such key"),
        ({"setup.small": 7}, "setup.small", "a table"),
        ({"setup.large.players": [3, 4, 5, 6]}, "setup.large.players", "exactly one"),
        ({"setup.large.players": [4, 5]}, "setup.large.players", "exactly one"),
        ({"setup.small.rows": 8}, "setup.small.tiles_laid", "rows * cols = 56"),
        ({"setup.large.rows": 12, "setup.small.cols": 12}, "setup.large.rows", "at most 127"),
        ({"tile_values": [9, 1]}, "fossils", "at most 7 with tiles of value 9"),
        ({"setup.small.tiles_laid": 48}, "setup.small.tiles_laid", "rows * cols = 49"),
        ({"setup.small.tiles_unused": 6}, "setup.small.tiles_unused", "7"),
        ({"setup.large.fossils_used": 10}, "setup.large.fossils_used", "at most 9"),
        ({"setup.small.tile_values": [3, 3, 1, 1, 1, 1, 1, 1]}, "setup.small.tile_values", "3"),
        ({"setup.small.tile_values": [2, 2, 4, 1, 1, 1, 1, 1]}, "setup.small.tile_values", "3"),
        (  # 4 points on one tile or on two, and so two debts of different size
            {
                "tile_values": [4, 2, 2, 1, 1, 1, 1, 1, 1],
                "setup.large.tile_values": [4, 2, 2, 1, 1, 1, 1, 1, 1],
            },
            "setup.large.tile_values",
            "equally many tiles (5.2)",
        ),
        ({"variant.tactical.enabled": "no"}, "variant.tactical.enabled", "true, false"),
        ({"variant.tactical.multiply": "all"}, "variant.tactical.multiply", "highest"),
    ],
    "fossil_canyon": [
        ({"genus": MANY_GENERA}, "genus", "at most 62 kinds of cards"),
        ({"memory.rows": 5}, "memory.rows", "rows * cols = 24"),
        ({"memory.four": ["Triceratops"]}, "memory.four", "genera of 4 fossils"),
        ({"memory.two": ["Deinonychus"] * 4}, "memory.two", "genera that differ"),
        ({"memory.players": 3}, "memory.players", "2"),
        ({"go_dig.cards": 57}, "go_dig.cards", "all skeletal cards, 58"),
        ({"go_dig.hand": 15}, "go_dig.hand", "58 cards are enough for"),
        ({"go_dig.players.min": 4, "go_dig.players.max": 3}, "go_dig.players.max", "at least"),
        (
            {"twenty_questions.predicates": ["diet_is"] * 2},
            "twenty_questions.predicates",
            "predicates that differ",
        ),
        (
            {"twenty_questions.predicates": ["diet_is", "is_trace"]},
            "twenty_questions.predicates",
            "genus_is",
        ),
    ],
    "digging_for_dinos": [
        ({"players.max": 1}, "players.max", "from 2"),
        ({"players.min": 4, "players.max": 3}, "players.max", "at least players.min = 4"),
        ({"players.max": 6}, "board.rows", "more spaces than 6 players have tokens"),
        ({"board.rows": 2}, "board.rows", "can leave holes, 11"),
        ({"board.cols": 8}, "board.cols", "to 7"),
        (
            {"board.rows": 7, "board.cols": 7, "copies_per_tile": 1, "era_tiles": [12, 12, 12]},
            "copies_per_tile",
            "more tiles than the 49 spaces of the board, not 36",
        ),
        ({"copies_per_tile": 3}, "era_tiles", "= [36, 36, 36]"),
        ({"copies_per_tile": 0}, "copies_per_tile", "from 1"),
        ({"era_tiles": [24, 24, 25]}, "era_tiles", "= [24, 24, 24]"),
        ({"era_tiles": [24, 24]}, "era_tiles", "a list of 3 to 3"),
        ({"species.0.left": [2, 1, 1]}, "era_tiles", "= [26, 24, 24]"),
        ({"species.0.left": []}, "species.0.left", "a list"),
        ({"species.0.right": 2}, "species.0.right", "at least the sum of left = 3"),
        ({"species.0.right": 10.5}, "species.0.right", "a whole number"),
        ({"species.0.era": 4}, "species.0.era", "to 3"),
        ({"species.0.era": 2}, "species", "in the order of their eras"),
        ({"species.1.name": "Velociraptor"}, "species", "names that differ"),
        ({"species.1.ability": "fly"}, "species.1.ability", "flip_own_token"),
        (
            {"species.11.left": [1] * 8, "species.10.left": [1] * 8, "species.9.left": [1] * 8}
            | {f"species.{i}.left": [1] * 8 for i in range(9)},
            "species",
            "at most 63 positions",
        ),
        ({"eras": 4}, "eras", "3"),
        ({"tokens_per_player": 3}, "tokens_per_player", "2"),
        ({"start_sides": ["diagonal"]}, "start_sides", "a list of 2 to 2"),
        ({"start_sides": ["diagonal", "flat"]}, "start_sides", "orthogonal"),
        ({"token_sides": ["diagonal", "orthogonal"]}, "token_sides", "expected"),
        ({"dinosaurs_to_trigger_end": 0}, "dinosaurs_to_trigger_end", "from 1"),
        ({"holes_block": True}, "holes_block", "false"),
        ({"placement": "random"}, "placement", "snake_any_open_tile"),
        ({"tie_break": "shared"}, "tie_break", "completed_values_desc_lexicographic"),
        ({"ability_timing": "after_replace"}, "ability_timing", "after_collect_before_replace"),
    ],
    "fossilium": [
        # fixed, since tables rely on it
        ({"meta.rounds": 4}, "meta.rounds", "5"),
        ({"player.workers": 9}, "player.workers", "8"),
        ({"museum.rows": 7}, "museum.rows", "6"),
        ({"fossil_rules.layout.2": [[2, 1]]}, "fossil_rules.layout.2", "[[1, 2]]"),
        ({"action_board.columns": [1, 2]}, "action_board.columns", "[1, 2, 3]"),
        ({"meta.market_fill_in_rounds": [5]}, "meta.market_fill_in_rounds", "from 1 to 4"),
        ({"meta.market_fill_in_rounds": [4, 2]}, "meta.market_fill_in_rounds", "ascending"),
        # species and bags
        ({"species.1.id": "plesiosaur"}, "species.1.id", "else than species.0.id"),
        ({"species.1.id": "a.b"}, "species.1.id", "letters, digits and _"),
        ({"species.1.name": "Mixosaurus"}, "species.5.name", "than species.1.name"),
        ({"species.0.tiles": {}}, "species.0.tiles.1", "at one site at least"),
        ({"species.0.tiles.4": 6}, "species.0.tiles.4", "no such key"),
        ({"species.2.tiles.1": 13}, "species.2.tiles.1", "a multiple of 3"),
        ({"species.3.tiles.1": 7}, "species.3.tiles.1", "a multiple of 2"),
        ({"species.3.tiles.1": 10}, "supply.fossil_tiles", "the tiles of all species, 221"),
        ({"species.0.tiles.1": None}, "supply.fossil_tiles", "213"),
        (
            {f"species.{i}.size": 6 for i in range(29)}
            | {f"species.{i}.tiles": {"1": 6} for i in range(29)},
            "species.21.size",
            "at most 63 tile types",
        ),
        (
            {f"species.{i}.tiles": {"1": 60} for i in range(5)} | {"supply.fossil_tiles": 455},
            "sites.1",
            "13 to 250 tiles in all, not 333",
        ),
        (
            {"setup.hand_draw_per_site.4": 10, "setup.market_seed_per_site.4": 20}
            | {f"species.{i}.tiles.3": 6 for i in (20, 21, 22, 23, 24)}
            | {"supply.fossil_tiles": 205},
            "sites.3",
            "60 to 250 tiles in all, not 59",
        ),
        (
            {"species.7.tiles": {"1": 50, "2": 50, "3": 28}},
            "species.7.tiles.3",
            "at most 127 tiles of each kind",
        ),
        ({"supply.starting_fossil_tiles": 5}, "supply.starting_fossil_tiles", "6"),
        ({"starting_fossils.tiles.0": ["eryma", "eryma"]}, "starting_fossils.tiles", "each once"),
        ({"starting_fossils.tiles.0": ["mixosaurus", "eryma"]}, "starting_fossils.tiles", "size 1"),
        ({"sites.2": "triassic"}, "sites.2", "else than sites.1"),
        # players and set-up
        ({"job_market.split_counts": [2, 1, 2]}, "job_market.split_counts", "= 4"),
        ({"job_market.split_counts": [1, 2, 1]}, "job_market.split_counts", "equal numbers"),
        ({"player.start_pieces_kept": 9}, "player.start_pieces_kept", "player.storage_fields = 8"),
        (
            {"player.storage_student_symbols_on_fields": [4, 5, 9]},
            "player.storage_student_symbols_on_fields",
            "at most player.storage_fields = 8",
        ),
        ({"doctoral_students.spend": [1, 3]}, "doctoral_students.spend", "all numbers from 1"),
        ({"player.student_track_max": 4}, "doctoral_students.spend", "student_track_max = 4"),
        ({"setup.use_sites.1": [[1, 2]]}, "setup.use_sites.1", "two different lists"),
        ({"setup.use_sites.2": [[1, 2], [1, 2]]}, "setup.use_sites.2", "two different lists"),
        ({"setup.use_sites.2": [[1, 2], [3, 2]]}, "setup.use_sites.2", "ascending"),
        ({"setup.use_sites.3": [[1, 2]]}, "setup.use_sites.3", "all sites"),
        ({"setup.hand_draw_per_site.2": 2}, "setup.hand_draw_per_site.2", "from 2 sites"),
        ({"setup.hand_draw_per_site.4": 1}, "setup.hand_draw_per_site.4", "from 3 sites"),
        ({"setup.end_goals_drawn.1": 1}, "setup.end_goals_drawn.1", "0"),
        # museum
        ({"museum.A.shops.1": "aquatic"}, "museum.A.shops", "each once"),
        ({"museum.B.entrances.1": "stone"}, "museum.B.entrances", "a list"),
        ({"museum.B.entrances.0": ""}, "museum.B.entrances", "each once"),
        ({"museum.A.special_fields.aquatic": [3, 3]}, "museum.A.special_fields.aquatic", "[3, 2]"),
        ({"museum.A.pedestal_large.0": [2, 3]}, "museum.A.pedestal_large", "2 by 3"),
        ({"museum.A.pedestal_large.0": [3, 4]}, "museum.A.pedestal_large", "2 by 3"),
        ({"museum.A.pedestal_large.0": [0, 3]}, "museum.A.pedestal_large", "from 1 to 6"),
        ({"museum.B.pedestal_small.0": [[5, 2], [6, 3]]}, "museum.B.pedestal_small", "1 by 2"),
        ({"museum.B.pedestal_small.0": [[2, 3], [2, 2]]}, "museum.B.pedestal_small", "special"),
        ({"museum.B.pedestal_small.1": [[5, 3], [5, 4]]}, "museum.B.pedestal_small", "another"),
        # guests and prices
        ({"guest_track.max_guests": 51}, "guest_track.prestige_by_guests", "52 in all"),
        ({"guest_track.prestige_by_guests.9": 9}, "guest_track.prestige_by_guests", "do not fall"),
        ({"market.price_track": [1, 2, 4]}, "market.price_track", "rise by 1"),
        ({"market.price_start": 6}, "market.price_start", "a price of market.price_track"),
        # the board
        ({"action_board.field.1.row": "buy_sell"}, "action_board.field.1.row", "display"),
        ({"action_board.field.1.kind": "small"}, "action_board.field.1.kind", "large"),
        ({"action_board.field.0.cost": "joker"}, "action_board.field.0.cost", "a whole number"),
        ({"action_board.field.12.cost": 3}, "action_board.field.12.cost", "joker"),
        ({"action_board.field.13.cost": 1}, "action_board.field.13.cost", "0 for management"),
        ({"action_board.field.13.workers": 2}, "action_board.field.13.workers", "1 for management"),
        ({"action_board.field.12.workers": 2}, "action_board.field.12.workers", "1 for joker"),
        ({"action_board.field.13.per_column": 1}, "action_board.field.13.per_column", "unlimited"),
        (
            {"action_board.field.0.per_column": "unlimited"},
            "action_board.field.0.per_column",
            "expected 1",
        ),
        (
            {"action_board.field.0.effect.buy": 1},
            "action_board.field.0.effect.buy",
            "nothing in row display",
        ),
        (
            {"action_board.field.0.effect.build_discount_each": 1},
            "action_board.field.0.effect.build_discount_each",
            "nothing in row display",
        ),
        (
            {"action_board.field.3.effect.choose": None},
            "action_board.field.3.effect.choose",
            "a value in row build_donate",
        ),
        (
            {"action_board.field.4.effect.build": 1},
            "action_board.field.4.effect.build",
            "2 like choose",
        ),
        (
            {"action_board.field.6.effect.both": None},
            "action_board.field.6.effect.both",
            "a value in row buy_sell",
        ),
        (
            {"action_board.field.13.effect.choose_one.0": {"guests": 1}},
            "action_board.field.13.effect.choose_one",
            "in this order",
        ),
        (
            {"action_board.bonus_by_column.1.guests": 2},
            "action_board.bonus_by_column.1",
            "one gain or none",
        ),
        (
            {"action_board.bonus_by_column.3.excavate.site": 1},
            "action_board.bonus_by_column.3.excavate.site",
            "3, the column's own site",
        ),
        (
            {"neutral_workers.2.2": {"row": "display", "column": "first_used", "kind": "small"}},
            "neutral_workers.2",
            "fields that differ",
        ),
        ({"neutral_workers.3.0.column": "first_used"}, "neutral_workers.3.0.column", "1, 2, 3"),
        # panels and goals
        ({"info_panel.1.tile": 3}, "info_panel.1.tile", "2, in ascending order"),
        ({"info_panel.1.a.name": "Toilets"}, "info_panel.2.b.name", "than info_panel.1.a.name"),
        (
            {"info_panel.0.a.effects.0.gain": "prestige"},
            "info_panel.0.a.effects.0.gain",
            'with when = "income" one of dollars, students, guests',
        ),
        (
            {"info_panel.2.b.effects.0.gain": "dollars"},
            "info_panel.2.b.effects.0.gain",
            'with when = "end" one of prestige',
        ),
        (
            {"info_panel.3.a.effects.0.per": "complete_row"},
            "info_panel.3.a.effects.0.per",
            '"once" with when = "build"',
        ),
        (
            {"info_panel.0.a.effects.0.when": "build"},
            "info_panel.0.a.effects.0.gain",
            'with when = "build" one of regular_small',
        ),
        ({"info_panel.4.a.effects.0.amount": 2}, "info_panel.4.a.effects.0.amount", "1 search"),
        (
            {"info_panel.4.a.effects.1": ONE_SEARCH},
            "info_panel.4.a.effects",
            "at most one search",
        ),
        # 18 pieces in the lines of a type, a panel, and the bonus of a column
        (
            {"museum.shop_dollars_per_matching_piece": 7, "info_panel.3.b.effects.0.amount": 2},
            "museum.shop_dollars_per_matching_piece",
            "at most 127 dollars from a tour, not 128",
        ),
        (
            {"museum.entrance_guests_per_matching_piece": 7},
            "museum.entrance_guests_per_matching_piece",
            "at most 127 guests from a tour, not 129",
        ),
        (  # five round goals, and a panel that brings nine tiles
            {"supply.regular_guest_value.medium": 9, "info_panel.3.a.effects.0.amount": 9}
            | {"supply.regular_guest_value.large": 9, "supply.regular_guest_value.small": 9}
            | {"info_panel.4.a.effects.0": {**ONE_SEARCH, "gain": "regular_small"}},
            "supply.regular_guest_value.large",
            "at most 127 regular guests in all, not 135",
        ),
        ({"job_goal.1.tile": 1}, "job_goal.1.tile", "2, in ascending order"),
        ({"job_goal.1.a.id": "joker"}, "job_goal.1.a.id", "than job_goal.0.b.id"),
        ({"job_goal.0.a.at": 7}, "job_goal.0.a.at", "at most 6 with metric donate_prestige"),
        ({"job_goal.0.b.at": 2}, "job_goal.0.b.at", "at most 1 with metric joker"),
        ({"job_goal.3.a.at": 51}, "job_goal.3.a.at", "at most 50 with metric guests"),
        ({"job_goal.3.b.at": 6}, "job_goal.3.b.at", "at most 5 with metric displayed"),
        ({"round_goal.0.light.at": [2, 2, 5]}, "round_goal.0.light.at", "ascending"),
        ({"round_goal.6.dark.metric": "luck"}, "round_goal.6.dark.metric", "type_sets"),
        ({"end_goal.2.tile": 2}, "end_goal.2.tile", "3, in ascending order"),
        ({"majorities.prestige": [4, 7, 2]}, "majorities.prestige", "no more for a lower place"),
        # Pal
        ({"pal_action.1.id": "D1"}, "pal_action.1.id", "than pal_action.0.id"),
        ({"pal_action.0.guests": 1}, "pal_action.0.guests", "nothing with action display"),
        ({"pal_action.8.guests": None}, "pal_action.8.guests", "a value with action give_tour"),
        (
            {"pal_action.16.draw_per_site": None},
            "pal_action.16.draw_per_site",
            "a value with action buy_sell",
        ),
        (
            {"pal_action.17.remove_positions_each_row": [2, 1]},
            "pal_action.17.remove_positions_each_row",
            "ascending",
        ),
        (
            {"pal_action.17.remove_positions_each_row": [1, 9]},
            "pal_action.17.remove_positions_each_row",
            "at most market.slots_per_row = 8",
        ),
        ({"solo.draw_actions.donate": 5}, "solo.draw_actions.donate", "at most the 4 cards"),
        ({"solo.draw_actions.donate": 4}, "solo.pal_turns", "as many turns as cards drawn, 15"),
        ({"solo.pal_turns": [2, 2, 3, 3, 3]}, "solo.pal_turns", "cards drawn, 14"),
        ({"solo.pal_turns": [14]}, "solo.pal_turns", "a list of 5 to 5"),
        ({"difficulty.4.pal_turns": [2, 3, 3, 3, 4]}, "difficulty.4.pal_turns", "14 + 2"),
        (
            {"difficulty.4.pal_turns": [4] * 5, "difficulty.4.extra_action_cards": 6},
            "difficulty.4.extra_action_cards",
            "at most the 5 cards",
        ),
        ({"difficulty.1.min_b_cards": 11}, "difficulty.1.min_b_cards", "at most 10 of 14"),
        (
            {f"pal_action.{i}.deck": "A" for i in (4, 5, 6)},
            "difficulty.1.min_b_cards",
            "at most 7 of 14",
        ),
        ({"pal_fossil.eryma": {"site": 2, "depicted": []}}, "pal_fossil", "not 'eryma'"),
        ({"pal_fossil.wollemia": None}, "pal_fossil.wollemia", "a table with site and depicted"),
        ({"pal_fossil.wollemia": 3}, "pal_fossil.wollemia", "a table with site and depicted"),
        ({"pal_fossil.wollemia.size": 2}, "pal_fossil.wollemia", "site and depicted only"),
        ({"pal_fossil.wollemia.site": 2}, "pal_fossil.wollemia.site", "3, by the sites"),
        ({"pal_fossil.plesiosaur.site": 1}, "pal_fossil.plesiosaur.site", "0, by the sites"),
        ({"pal_fossil.plesiosaur.site": False}, "pal_fossil.plesiosaur.site", "0, by the sites"),
        ({"pal_fossil.wollemia.depicted": [1, 2]}, "pal_fossil.wollemia.depicted", "left free"),
        ({"pal_fossil.wollemia.depicted": [3]}, "pal_fossil.wollemia.depicted", "pieces of 1 to 2"),
        ({"pal_fossil.placodus.depicted": [2, 1]}, "pal_fossil.placodus.depicted", "ascending"),
        ({"pal_fossil.placodus.depicted": [True]}, "pal_fossil.placodus.depicted", "pieces of"),
        ({"solo.fossil_deck": 8}, "solo.fossil_deck", "all that are opened, 7"),
        (
            {"solo.fossil_deck": 13, "solo.fossil_open_at_start": 9},
            "solo.fossil_deck",
            "at most the 12 fossil cards with sites [1, 2]",
        ),
        ({"solo.score_bands.0.min": 90}, "solo.score_bands.0.min", "falling order"),
        ({"solo.score_bands.1.rank": 5}, "solo.score_bands.0.rank", "falling order"),
        ({"solo.score_bands.4.min": 10}, "solo.score_bands.4.min", "0"),
        ({"difficulty.2.id": "more_b"}, "difficulty.2.id", "dark_goals"),
        (
            {"difficulty.0.min_b_cards": 8},
            "difficulty.0.min_b_cards",
            "nothing for high_goals",
        ),
        (
            {"difficulty.4.extra_action_cards": None},
            "difficulty.4.extra_action_cards",
            "a value for more_turns",
        ),
        (
            {"difficulty.7.final_minus": "occupied_storage_fields"},
            "difficulty.7.final_minus",
            "empty_exhibition_fields",
        ),
        (
            {"difficulty.0.round_goal_pool": [7, 6, 5, 4, 3]},
            "difficulty.0.round_goal_pool",
            "ascending",
        ),
        ({"difficulty.0.round_goal_pool": [4, 5, 6, 7]}, "difficulty.0.round_goal_pool", "5 to 7"),
    ],
}
NONSENSE = {"a": {"b": "nonsense"}}  # right for no key of any sheet
MAY_BE_MISSING = {
    "bonus.0.diet",
    "species.0.ability",
    # of Fossilium: a bonus field may bring nothing, and of a site less the sum is wrong (see WRONG)
    "action_board.bonus_by_column.1.students",
    "action_board.bonus_by_column.2.guests",
    "action_board.bonus_by_column.3.excavate",
    "species.0.tiles.1",
    "species.0.tiles.2",
    "species.0.tiles.3",
}


def wrong_sheets(name):
    """Return changes, the key to be named, and words, for everything that can be wrong.

    For every key of the sheet, whatever game it is: the key missing, and nonsense in its place.
    """
    own = list(keys_of(sheet_of(name)))
    missing = [({key: None}, key, "expected") for key in own if key not in MAY_BE_MISSING]
    nonsense = [({key: NONSENSE}, key, "expected") for key in own]
    return missing + nonsense + WRONG.get(name, [])


@pytest.mark.parametrize("name", SHEETS.values())
def test_a_wrong_sheet_is_refused_with_file_key_and_what_was_expected(name, tmp_path):
    cases = {}
    for number, (changes, key, words) in enumerate(wrong_sheets(name)):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / file_of(name)).write_text(write_toml(edited(sheet_of(name), changes)))
        cases[str(folder)] = (changes, key, words)
    module = f"bonebed.{table.game(name).kernel}"
    found = probe("errors", module, *cases, cache=tmp_path / "cache")
    for folder, (changes, key, words) in cases.items():
        kind, text = found[folder]
        assert kind == "SheetError", f"{changes}: {kind}: {text}"
        assert str(Path(folder) / file_of(name)) in text, f"{changes}: no file in: {text}"
        # Nonsense is a table, so its first inner key may be what is named.
        assert f"'{key}" in text, f"{changes}: no key in: {text}"
        assert words in text.replace("no such key", "expected no such key"), f"{changes}: {text}"


@pytest.mark.parametrize("name", SHEETS.values())
def test_a_file_that_is_no_sheet_at_all_is_refused(name, tmp_path):
    own = (COMPONENTS / file_of(name)).read_bytes()
    files = {
        "empty": b"",
        "not_toml": b"start_score == 30\n",
        "cut_off": own[: len(own) // 2],
        "not_text": b"\xff\xfe\x00" + own,
        "twice": own + own,
    }
    for folder, data in files.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / file_of(name)).write_bytes(data)
    (tmp_path / "plain_file").write_text("")
    module = f"bonebed.{table.game(name).kernel}"
    folders = [str(tmp_path / folder) for folder in [*files, "no_such_folder", "plain_file"]]
    found = probe("errors", module, *folders, cache=tmp_path / "cache")
    for folder, (kind, text) in found.items():
        assert kind == "SheetError", f"{folder}: {kind}: {text}"
        assert folder in text
    assert "BONEBED_COMPONENTS" in found[str(tmp_path / "no_such_folder")][1]


@pytest.mark.parametrize("name", table.GAMES)
def test_a_folder_without_the_games_sheet_leaves_the_packages_own_in_use(name, tmp_path):
    (tmp_path / "components").mkdir()
    folders = {"cache": tmp_path / "cache", "components": tmp_path / "components"}
    found = probe("start", name, **folders, NUMBA_DISABLE_JIT="1")
    assert Path(found["sheet"]) == COMPONENTS / file_of(name)


# ---------------------------------------------------------------------- valid, edited sheets

EDITS = {
    "fossil": {
        "dear": {  # compiled, the others in plain Python
            "start_score": 20,
            "cost_per_empty_space": 1,
            "cost_per_tile_passed": 2,
            "exchange_optional": False,
            "penalty_full_entitlement": False,
            "variant.tactical.enabled": True,
        },
        "for nothing": {"start_score": 0, "cost_landing_tile": 0, "cost_per_tile_passed": 0},
        "small": {  # 5 fossils, on 5 x 9 and 6 x 6
            "players.max": 4,
            "fossils": ["one", "two", "three", "four", "five"],
            "setup.large.players": [4],
            "setup.large.rows": 5,
            "setup.large.cols": 9,
            "setup.large.fossils_used": 5,
            "setup.large.tiles_laid": 45,
            "setup.small.rows": 6,
            "setup.small.cols": 6,
            "setup.small.fossils_used": 5,
            "setup.small.tiles_laid": 36,
            "setup.small.tiles_unused": 4,
        },
        "grand": {  # 12 fossils of five tiles on 10 x 6 and 4 x 12, eight players
            "players.max": 8,
            "fossils": list("abcdefghijkl"),
            "tile_values": [5, 3, 1, 1, 1],
            "setup.large.players": [4, 5, 6, 7, 8],
            "setup.large.rows": 10,
            "setup.large.cols": 6,
            "setup.large.fossils_used": 12,
            "setup.large.tile_values": [5, 3, 1, 1, 1],
            "setup.large.tiles_laid": 60,
            "setup.small.rows": 4,
            "setup.small.cols": 12,
            "setup.small.fossils_used": 12,
            "setup.small.tile_values": [5, 3, 1, 1],
            "setup.small.tiles_laid": 48,
            "setup.small.tiles_unused": 0,
        },
        "few": {  # 9 fossils of values up to 7: 63 kinds, as many as there can be
            "tile_values": [7, 5, 3, 1, 1],
            "setup.large.rows": 5,
            "setup.large.tile_values": [7, 5, 3, 1, 1],
            "setup.large.tiles_laid": 45,
            "setup.small.cols": 5,
            "setup.small.fossils_used": 9,
            "setup.small.tile_values": [7, 5, 3, 1],
            "setup.small.tiles_laid": 35,
            "setup.small.tiles_unused": 1,
        },
    },
    "twenty_questions": {
        "short": {  # compiled; fewer kinds of questions, and other numbers
            "twenty_questions.players.max": 3,
            "twenty_questions.questions_each": 7,
            "twenty_questions.predicates": ["genus_is", "diet_is", "length_below_m", "is_trace"],
            "twenty_questions.length_thresholds_m": [2.5, 7, 9.5],
            "twenty_questions.mass_thresholds_kg": [],
            "genus.0.value": 9,
            "trace.5.research": 4,
        },
    },
    "digging_for_dinos": {
        "wide": {  # one row more than columns, other sides, other values, five players, no ability
            "players.max": 5,
            "board.rows": 3,
            "board.cols": 6,
            "copies_per_tile": 3,
            "era_tiles": [36, 36, 36],
            "start_sides": ["diagonal", "diagonal"],
            "dinosaurs_to_trigger_end": 3,
            "species.0.ability": None,
            "species.3.right": 31,
            "species.5.ability": "flip_own_token",
        },
        "few": {  # three species, one of a single tile, one worth no more than its tiles
            "players.max": 2,
            "board.rows": 2,
            "copies_per_tile": 4,
            "era_tiles": [8, 4, 8],
            "species": [
                {"name": "One", "era": 1, "left": [3, 2], "right": 5, "ability": "flip_own_token"},
                {"name": "Two", "era": 2, "left": [0], "right": 0},
                {"name": "Three", "era": 3, "left": [10, 9], "right": 200},
            ],
        },
        "large": {"board.rows": 6, "board.cols": 7},
    },
    "memory_game": {
        "other genera": {  # 12 cards on 3 x 4, two turns at most for each
            "memory.rows": 3,
            "memory.cols": 4,
            "memory.four": [],
            "memory.three": ["Triceratops", "Quetzalcoatlus"],
            "memory.two": ["Mosasaurus", "Dilophosaurus", "Stegosaurus"],
            "memory.turn_cap": 8,
        },
        "one skeleton": {
            "memory.rows": 1,
            "memory.cols": 3,
            "memory.four": [],
            "memory.three": ["Allosaurus"],
            "memory.two": [],
        },
    },
    "go_dig": {
        "small hands": {"go_dig.hand": 3, "go_dig.turn_cap": 20},
        "no pile": {  # 4 x 14 of 58 cards dealt, up to six players with 9
            "go_dig.players.max": 4,
            "go_dig.hand": 14,
        },
        "six players": {"go_dig.players.max": 6, "go_dig.hand": 9},
    },
    "fossil_canyon": {
        "lean": {  # two exchanges, the dearer one first; three digs, one hidden card, no bonus dig
            "players.max": 3,
            "exchange_costs": [2, 1],
            "digs_per_turn": 3,
            "hidden_limit": 1,
            "bonus_digs_max": 0,
            "stalemate_rounds": 3,
        },
        "odd": {  # two players begin without cards, and nobody can win the major award
            "players.max": 2,
            "starting_hand.2": 0,
            "discard_unseen": 0,
            "awards.major.needs": 60,
            "end_phase_min_fossils_to_exchange": 4,
            "event.0.count": 1,
            "event.3.n": 3,
            "event.4.n": 4,
            "event.7.cost": 3,
        },
    },
    "fossilium": {
        "tight": {  # small storage, short market rows, scarce supplies
            "player.storage_fields": 5,
            "player.storage_student_symbols_on_fields": [2, 3, 4, 5],
            "player.student_track_max": 4,
            "doctoral_students.spend": [1, 2, 3, 4],
            "market.slots_per_row": 3,
            "market.price_track": [2, 3, 4],
            "market.price_start": 3,
            "market.archive_surcharge": 0,
            "excavation.draw_cap": 3,
            "supply.amber": 1,
            "supply.fossil_stands": 1,
            "guest_track.max_guests": 30,
            "guest_track.prestige_by_guests": [0] * 10 + [5] * 21,
        },
        "rich": {  # much money, other fields and gains, another museum, other panels and goals
            "player.start_dollars_by_turn_order": [20, 15, 10, 5],
            "joker.cost_base": 3,
            "action_board.field.0.effect": {"display": 3},
            "action_board.field.2.cost": 0,
            "action_board.bonus_by_column.1": {"dollars": 3},
            "museum.shop_dollars_per_matching_piece": 2,
            "fossil_rules.completion_guests": {"1": 2, "2": 3, "4": 5, "6": 9},
            "fossil_rules.end_prestige": {"1": 1, "2": 3, "4": 8, "6": 20},
            "info_panel.5.a.cost": 0,
            "majorities.prestige": [10, 5, 1],
            "end_goal.0.a.metric": "type_sets",
            "market.fill_per_site.2": 5,
            "meta.market_fill_in_rounds": [1, 3],
        },
    },
    "fossilium_solo": {
        "other Pal": {  # fewer turns and cubes, other cards
            "solo.pal_cubes": 2,
            "solo.pal_turns": [1, 3, 3, 3, 4],
            "pal_action.16.remove_positions_each_row": [1, 2, 3],
            "pal_action.8.guests": 9,
            "pal_fossil.plesiosaur.depicted": [1, 2, 3, 4, 6],
            "player.start_dollars_solo": 9,
            "difficulty.6.pal_donate_floor": "none",
        },
    },
}
CASES = [(name, edit) for name in table.GAMES for edit in EDITS[name]]


@pytest.mark.parametrize(("name", "edit"), CASES)
def test_an_edited_sheet_changes_play_and_the_reference_agrees(name, edit, tmp_path):
    (tmp_path / file_of(name)).write_text(write_toml(edited(sheet_of(name), EDITS[name][edit])))
    compiled = (name, edit) == (SHEETS[file_of(name)], next(iter(EDITS[name])))
    plain = {} if compiled else {"NUMBA_DISABLE_JIT": "1"}
    cache = tmp_path / "cache"
    played = probe("twin", name, 2, components=tmp_path, cache=cache, **plain)
    assert played["games"] > 0
    if edit == "dear":
        assert played["events"]["exchange made"] > 0
        assert played["events"].get("exchange refused", 0) == 0


def test_compiled_games_follow_the_sheet_and_not_the_cache_of_another(tmp_path):
    """Three processes share one cache folder: the package's sheet, an edited one, and again."""
    changes = {"start_score": 20, "players.max": 5, "setup.large.players": [4, 5]}
    (tmp_path / "fossil.toml").write_text(write_toml(edited(sheet_of("fossil"), changes)))
    cache = tmp_path / "cache"
    usual = probe("start", "fossil", cache=cache)
    other = probe("start", "fossil", cache=cache, components=tmp_path)
    assert usual["points"] == [30, 30]
    assert usual["players"] == [2, 6]
    assert usual["max_decisions"] == 101
    assert other["points"] == [20, 20]
    assert other["players"] == [2, 5]
    assert not set(other["hashes"]) & set(usual["hashes"])
    assert other["sheet"] == str(tmp_path / "fossil.toml")
    assert probe("start", "fossil", cache=cache) == usual
