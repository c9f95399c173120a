"""What is in the box of Fossilium: its component sheet, read and checked.

A sheet that passes can be played by rules that read their numbers from it; who owns the game may
correct what is reconstructed. Fixed are the six by six museum, how fossils and tiles are cut, five
rounds, three columns, workers, and the rows of the board. `VALUES` is the sheet as written;
`parts` makes tables of it. In brackets: paragraphs of docs/games/fossilium.md, with S in front of
docs/games/fossilium_solo.md.
"""

from .. import sheet

_TYPES = ("terrestrial", "aquatic", "botanical")
_SITES = (1, 2, 3)
_SIZES = (1, 2, 4, 6)
_PLAYERS = (1, 2, 3, 4)
_ROWS = ("display", "build_donate", "buy_sell", "give_tour", "joker", "management")
_KINDS = ("small", "large", "bonus")
_GAINS = ("dollars", "students", "guests")
_REGULAR = ("regular_small", "regular_medium", "regular_large")
_GAINS_OF_WHEN = {  # 7.2: what a panel may bring at which time
    "build": (*_REGULAR, "search_to_storage"),
    "income": _GAINS,
    "tour": ("dollars", "guests"),
    "end": ("prestige",),
}
_PERS = ("once", "adjacent_complete_fossil", "complete_column", "complete_row")
_METRICS = (  # 11.3, 14.2
    "complete_fossils",
    "fossils_best_type",
    "pieces_in_largest_fossil",
    "size_of_largest_complete_fossil",
    "panels",
    "size1_fossils",
    "size2_fossils",
    "complete_size2_fossils",
    "type_sets",
    "complete_type_sets",
    "pieces_plus_panels",
    "pieces_of_3_largest_complete_fossils",
    "largest_connected_area_best_type",
)
_HIGHEST_OF_METRIC = {  # 10.4: what a job goal may ask for; guests up to the track's end
    "donate_prestige": max(_SIZES),
    "joker": 1,
    "new_column": 1,
    "new_row": 1,
    "guests": 100,
    "tour_dollars": 99,
    "tour_guests": 99,
    "displayed": 9,
}
_ACTIONS = ("display", "give_tour", "donate", "buy_sell")
_KEYS_OF_DIFFICULTY = {  # S7, in this order
    "high_goals": "round_goal_pool",
    "more_b": "min_b_cards",
    "dark_goals": "light_round_goals",
    "pal_first": "pal_takes_first_turn",
    "more_turns": "pal_turns",  # and extra_action_cards
    "must_win_majorities": "loss_unless_strictly_ahead_of_pal",
    "negative_prestige": "pal_donate_floor",
    "empty_fields": "final_minus",
    "storage_penalty": "final_minus",
    "lose_job_workers": "remove_own_job_market_workers_per_round_end",
}
_MAX_TILE_TYPES = 63  # of a set of types that is written as the bits of a number
_MAX_TILES_OF_BAG = 250
_SMALL = 127  # what a number of one byte can hold


def _each(keys, expected):
    """Describe a table that has the same for each of some keys."""
    return {str(key): expected for key in keys}


_ID = (lambda value: isinstance(value, str) and value.isidentifier(), "letters, digits and _")
_DIGIT = sheet.whole(0, 9)
_FEW = sheet.whole(0, 20)
_POINTS = sheet.whole(0, 50)
_SITE = sheet.one_of(*_SITES)
_PLACE = sheet.list_of(sheet.whole(1, 6), 2, 2)  # row and column of the museum
_LINES = sheet.list_of(sheet.one_of("", *_TYPES), 6, 6)
_SIDE = {
    "shops": _LINES,
    "entrances": _LINES,
    "special_fields": _each(_TYPES, _PLACE),
    "pedestal_large": sheet.list_of(_PLACE, 6, 6),
    "pedestal_small": sheet.list_of(sheet.list_of(_PLACE, 2, 2), 2, 2),
}
_EFFECT = {  # of a field: which keys stand in which row, see _KEYS_OF_ROW
    "display": sheet.optional(sheet.whole(1, 9)),
    "choose": sheet.optional(sheet.whole(1, 4)),
    "build": sheet.optional(sheet.whole(1, 4)),
    "donate": sheet.optional(sheet.whole(1, 4)),
    "build_discount_each": sheet.optional(_DIGIT),
    "buy": sheet.optional(_DIGIT),
    "sell": sheet.optional(_DIGIT),
    "both": sheet.optional(sheet.one_of(True, False)),
    "tour_lines": sheet.optional(sheet.whole(1, 6)),
    "copy": sheet.optional(sheet.one_of(True)),
    "choose_one": sheet.optional(
        sheet.tables({gain: sheet.optional(sheet.whole(1, 9)) for gain in _GAINS}, 3, 3)
    ),
}
_KEYS_OF_ROW = {
    "display": ("display",),
    "build_donate": ("choose", "build", "donate"),  # and build_discount_each where there is one
    "buy_sell": ("buy", "sell", "both"),
    "give_tour": ("tour_lines",),
    "joker": ("copy",),
    "management": ("choose_one",),
}
_BONUS = {gain: sheet.optional(_DIGIT) for gain in _GAINS} | {
    "excavate": sheet.optional({"site": _SITE, "draw": sheet.whole(1, 8), "keep": sheet.one_of(1)})
}


def _neutral(*columns):
    """Describe the neutral groups of a number of players."""
    group = {
        "row": sheet.one_of(*_ROWS[:4]),
        "column": sheet.one_of(*columns),
        "kind": sheet.one_of(*_KINDS),
    }
    return sheet.tables(group, 0, 8)


_PANEL = {
    "name": sheet.name(),
    "cost": _DIGIT,
    "effects": sheet.tables(
        {
            "when": sheet.one_of(*_GAINS_OF_WHEN),
            "gain": sheet.one_of(*_GAINS, *_REGULAR, "search_to_storage", "prestige"),
            "amount": sheet.whole(1, 9),
            "per": sheet.one_of(*_PERS),
        },
        1,
        4,
    ),
}
_JOB = {
    "id": sheet.name(),
    "metric": sheet.one_of(*_HIGHEST_OF_METRIC),
    "at": sheet.whole(1, 100),
}
_ROUND_GOAL = {
    "metric": sheet.one_of(*_METRICS),
    "at": sheet.list_of(sheet.whole(1, 36), 3, 3),
}
_END_GOAL = {"metric": sheet.one_of(*_METRICS)}
_TURNS = sheet.list_of(sheet.whole(0, 8), 5, 5)

_SCHEMA = {
    "meta": {
        "schema": sheet.one_of(1),
        "game": sheet.one_of("Fossilium"),
        "players": sheet.one_of([*_PLAYERS]),
        "rounds": sheet.one_of(5),
        "market_fill_in_rounds": sheet.list_of(sheet.whole(1, 4), 0, 4),
    },
    "permanent_workers": {"regular_limit": sheet.one_of(4)},
    "supply": {
        "fossil_tiles": sheet.whole(1, 750),
        "starting_fossil_tiles": sheet.whole(4, 10),
        "amber": sheet.whole(1, 20),
        "fossil_stands": sheet.whole(1, 20),
        "regular_guest_value": _each(("small", "medium", "large"), _DIGIT),
    },
    "player": {
        "workers": sheet.one_of(8),
        "start_workers_on_museum": sheet.one_of(4),
        "start_workers_on_job_market": sheet.one_of(4),
        "info_panels": sheet.one_of(6),
        "large_pedestals": sheet.one_of(1),
        "small_pedestals": sheet.one_of(2),
        "start_pieces_kept": sheet.whole(1, 20),
        "start_dollars_by_turn_order": sheet.list_of(_FEW, 4, 4),
        "start_dollars_solo": _FEW,
        "storage_fields": sheet.whole(5, 20),
        "storage_student_symbols_on_fields": sheet.list_of(sheet.whole(1, 20), 0, 9),
        "student_track_max": sheet.whole(1, 9),
    },
    "setup": {
        "use_sites": _each(_PLAYERS, sheet.list_of(sheet.list_of(_SITE, 2, 3), 1, 2)),
        "market_seed_per_site": _each(_PLAYERS, _FEW),
        "hand_draw_per_site": _each(_PLAYERS, sheet.whole(1, 10)),
        "round_goals_drawn": sheet.one_of(5),
        "round_goals_light": sheet.whole(0, 5),
        "end_goals_drawn": {"1": sheet.one_of(0)} | _each(_PLAYERS[1:], sheet.whole(0, 1)),
        "job_goals_drawn": sheet.one_of(3),
    },
    "sites": _each(_SITES, sheet.name()),
    "fossil_rules": {
        "sizes": sheet.one_of([*_SIZES]),
        "layout": {
            "1": sheet.one_of([[1]]),
            "2": sheet.one_of([[1, 2]]),
            "4": sheet.one_of([[1, 2], [3, 4]]),
            "6": sheet.one_of([[1, 2, 3], [4, 5, 6]]),
        },
        "kinds": {
            "1": sheet.one_of([[1, 1]]),
            "2": sheet.one_of([[1, 2]]),
            "4": sheet.one_of([[1, 2], [3, 4]]),
            "6": sheet.one_of([[1, 2], [3, 4], [5, 6]]),
        },
        "orientations_quarter_turns": sheet.one_of([0, 1, 2, 3]),
        "completion_guests": _each(_SIZES, _DIGIT),
        "completion_type_bonus": {
            "botanical": {"students": _DIGIT},
            "aquatic": {"guests": _DIGIT},
            "terrestrial": {"dollars": _DIGIT},
        },
        "end_prestige": _each(_SIZES, _POINTS),
        "amber_on_completing_size": sheet.one_of(*_SIZES),
        "amber_prestige": _DIGIT,
        "stand_on_completing_size": sheet.one_of(*_SIZES),
        "stand_prestige": _DIGIT,
        "pedestal_prestige": {"small": _POINTS, "large": _POINTS},
    },
    "species": sheet.tables(
        {
            "id": _ID,
            "name": sheet.name(),
            "type": sheet.one_of(*_TYPES),
            "size": sheet.one_of(*_SIZES),
            "tiles": _each(_SITES, sheet.optional(sheet.whole(1, 60))),
        },
        1,
        40,
    ),
    "starting_fossils": {"tiles": sheet.list_of(sheet.list_of(sheet.name(), 2, 2), 4, 10)},
    "museum": {
        "rows": sheet.one_of(6),
        "columns": sheet.one_of(6),
        "shop_dollars_per_matching_piece": _DIGIT,
        "entrance_guests_per_matching_piece": _DIGIT,
        "A": _SIDE,
        "B": _SIDE,
    },
    "guest_track": {
        "max_guests": sheet.whole(20, 100),
        "prestige_by_guests": sheet.list_of(sheet.whole(0, 200), 21, 101),
    },
    "action_board": {
        "columns": sheet.one_of([*_SITES]),
        "rows": sheet.one_of([*_ROWS]),
        "field": sheet.tables(
            {
                "row": sheet.one_of(*_ROWS),
                "kind": sheet.one_of(*_KINDS, "joker", "open"),
                "workers": sheet.whole(1, 4),
                "cost": sheet.one_of(*range(10), "joker"),
                "per_column": sheet.one_of(1, "unlimited"),
                "effect": _EFFECT,
            },
            14,
            14,
        ),
        "bonus_by_column": _each(_SITES, _BONUS),
        "last_round_strip": {"cost": sheet.one_of(0), "workers": sheet.whole(1, 4)},
    },
    "joker": {"cost_base": _FEW},
    "doctoral_students": {"spend": sheet.list_of(sheet.whole(1, 9), 1, 9)},
    "neutral_workers": {
        "2": _neutral("first_used", "second_used"),
        "3": _neutral(*_SITES),
        "solo": _neutral("first_used", "second_used"),
    },
    "excavation": {"draw_cap": sheet.whole(1, 8)},
    "info_panel": sheet.tables({"tile": sheet.whole(1, 6), "a": _PANEL, "b": _PANEL}, 6, 6),
    "market": {
        "rows": sheet.one_of([*_TYPES]),
        "slots_per_row": sheet.whole(3, 12),
        "price_track": sheet.list_of(sheet.whole(0, 20), 1, 20),
        "price_start": _FEW,
        "archive_surcharge": _DIGIT,
        "fill_per_site": _each(_PLAYERS, _FEW),
    },
    "job_market": {"split_counts": sheet.list_of(sheet.whole(0, 4), 3, 3)},
    "job_goal": sheet.tables({"tile": sheet.whole(1, 6), "a": _JOB, "b": _JOB}, 6, 6),
    "round_goal": sheet.tables(
        {"tile": sheet.whole(1, 7), "light": _ROUND_GOAL, "dark": _ROUND_GOAL}, 7, 7
    ),
    "end_goal": sheet.tables({"tile": sheet.whole(1, 3), "a": _END_GOAL, "b": _END_GOAL}, 3, 3),
    "majorities": {"prestige": sheet.list_of(_POINTS, 3, 3)},
    "solo": {
        "pal_turns": _TURNS,
        "pal_workers": sheet.whole(1, 20),
        "pal_cubes": sheet.whole(1, 20),
        "draw_actions": _each(_ACTIONS, sheet.whole(1, 20)),
        "fossil_deck": _FEW,
        "fossil_open_at_start": _FEW,
        "fossil_open_per_round_from_2": sheet.one_of(1),
        "score_bands": sheet.tables({"min": sheet.whole(0, 999), "rank": sheet.whole(1, 9)}, 1, 9),
    },
    "pal_action": sheet.tables(
        {
            "id": sheet.name(),
            "deck": sheet.one_of("A", "B"),
            "action": sheet.one_of(*_ACTIONS),
            "arrow": sheet.one_of("right", "left"),
            "guests": sheet.optional(_FEW),
            "dollars": sheet.optional(_FEW),
            "remove_positions_each_row": sheet.optional(sheet.list_of(sheet.whole(1, 12), 0, 12)),
            "draw_per_site": sheet.optional(_DIGIT),
        },
        1,
        40,
    ),
    # Its keys are species: _check_exhibits looks at them.
    "pal_fossil": (lambda value: isinstance(value, dict), "a table of fossil cards"),
    "difficulty": sheet.tables(
        {
            "id": sheet.one_of(*_KEYS_OF_DIFFICULTY),
            "round_goal_pool": sheet.optional(sheet.list_of(sheet.whole(1, 7), 5, 7)),
            "min_b_cards": sheet.optional(sheet.whole(0, 40)),
            "light_round_goals": sheet.optional(sheet.whole(0, 5)),
            "pal_takes_first_turn": sheet.optional(sheet.one_of(True)),
            "pal_turns": sheet.optional(_TURNS),
            "extra_action_cards": sheet.optional(_FEW),
            "loss_unless_strictly_ahead_of_pal": sheet.optional(
                sheet.one_of(["guests", "dollars"])
            ),
            "pal_donate_floor": sheet.optional(sheet.one_of("none")),
            "final_minus": sheet.optional(
                sheet.one_of("empty_exhibition_fields", "occupied_storage_fields")
            ),
            "remove_own_job_market_workers_per_round_end": sheet.optional(sheet.one_of(1)),
        },
        10,
        10,
    ),
}
SHEET = sheet.load("fossilium", _SCHEMA)
VALUES = SHEET.values


def _rising(numbers):
    """Say whether each number is greater than the one before."""
    return sorted(set(numbers)) == numbers


def _unlike(names):
    """Say whether all of some values differ."""
    return len(set(names)) == len(names)


def _check_unlike(keys):
    """Check that the values of some dotted keys differ."""
    first = {}
    for key, value in keys.items():
        SHEET.expect(value not in first, key, f"something else than {first.get(value)}")
        first[value] = key


def _check_sheet():
    """Check what the values of the sheet have to do with one another."""
    fill = VALUES["meta"]["market_fill_in_rounds"]
    SHEET.expect(_rising(fill), "meta.market_fill_in_rounds", "rounds in ascending order")
    _check_species()
    _check_players()
    _check_sites()
    for side in "AB":
        _check_museum(side)
    _check_board()
    _check_neutral_workers()
    _check_prices()
    _check_panels()
    _check_sums()
    _check_goals()
    _check_deck()
    _check_exhibits()
    _check_difficulties()
    _check_solo()


def _check_species():
    """Check the tiles of each species, their sum, and who is on the starting fossils."""
    species, supply = VALUES["species"], VALUES["supply"]
    types = 0
    for word in ("id", "name"):
        _check_unlike({f"species.{i}.{word}": entry[word] for i, entry in enumerate(species)})
    for i, entry in enumerate(species):
        key, kinds = f"species.{i}.tiles", (entry["size"] + 1) // 2
        SHEET.expect(entry["tiles"] != {}, f"{key}.1", "tiles at one site at least")
        for site, tiles in entry["tiles"].items():
            wanted = f"a multiple of {kinds}: as many tiles of each kind (1.4)"
            SHEET.expect(tiles % kinds == 0, f"{key}.{site}", wanted)
        wanted = f"at most {_SMALL} tiles of each kind at all sites"
        fits = sum(entry["tiles"].values()) // kinds <= _SMALL
        SHEET.expect(fits, f"{key}.{max(entry['tiles'])}", wanted)
        types += kinds
        limit = f"a size that leaves at most {_MAX_TILE_TYPES} tile types (1.3) in all"
        SHEET.expect(types <= _MAX_TILE_TYPES, f"species.{i}.size", limit)
    total = sum(_tiles_of_bag(site) for site in _SITES)
    wanted = f"the tiles of all species, {total}"
    SHEET.expect(supply["fossil_tiles"] == total, "supply.fossil_tiles", wanted)

    tiles = VALUES["starting_fossils"]["tiles"]
    wanted = f"as many as starting_fossils.tiles, {len(tiles)}"
    fits = supply["starting_fossil_tiles"] == len(tiles)
    SHEET.expect(fits, "supply.starting_fossil_tiles", wanted)
    faces = [face for tile in tiles for face in tile]
    small = {entry["id"] for entry in species if entry["size"] == 1}
    fits = small.issuperset(faces) and _unlike(faces)
    SHEET.expect(fits, "starting_fossils.tiles", "species of size 1, each once")


def _tiles_of_bag(site):
    """Count the tiles of a site."""
    return sum(entry["tiles"].get(str(site), 0) for entry in VALUES["species"])


def _check_players():
    """Check workers, storage and students."""
    player, split = VALUES["player"], VALUES["job_market"]["split_counts"]
    on_jobs, storage = player["start_workers_on_job_market"], player["storage_fields"]
    fits = sum(split) == on_jobs
    SHEET.expect(fits, "job_market.split_counts", f"player.start_workers_on_job_market = {on_jobs}")
    wanted = "two equal numbers at last: one goal is chosen (2.8)"
    SHEET.expect(split[1] == split[2], "job_market.split_counts", wanted)
    fits = player["start_pieces_kept"] <= storage
    wanted = f"at most player.storage_fields = {storage}"
    SHEET.expect(fits, "player.start_pieces_kept", wanted)
    symbols = player["storage_student_symbols_on_fields"]
    SHEET.expect(
        _rising(symbols) and all(field <= storage for field in symbols),
        "player.storage_student_symbols_on_fields",
        f"fields in ascending order, at most player.storage_fields = {storage}",
    )
    spend, most = VALUES["doctoral_students"]["spend"], player["student_track_max"]
    SHEET.expect(
        spend == [*range(1, most + 1)],
        "doctoral_students.spend",
        f"all numbers from 1 to player.student_track_max = {most}",
    )


def _check_sites():
    """Check the sites in use, and that the bags hold what is dealt at set-up."""
    setup = VALUES["setup"]
    _check_unlike({f"sites.{site}": VALUES["sites"][str(site)] for site in _SITES})
    for players in _PLAYERS:
        key, choices = f"setup.use_sites.{players}", setup["use_sites"][str(players)]
        if players <= 2:
            fits = len(choices) == 2 and choices[0] != choices[1]
            fits = fits and all(len(choice) == 2 and _rising(choice) for choice in choices)
            SHEET.expect(fits, key, "two different lists of two sites in ascending order")
        else:
            SHEET.expect(choices == [[*_SITES]], key, "[[1, 2, 3]], all sites")
        each, kept = (
            setup["hand_draw_per_site"][str(players)],
            VALUES["player"]["start_pieces_kept"],
        )
        SHEET.expect(
            each * len(choices[0]) >= kept,
            f"setup.hand_draw_per_site.{players}",
            f"player.start_pieces_kept = {kept} from {len(choices[0])} sites",
        )
    dealt = max(
        setup["market_seed_per_site"][str(n)] + n * setup["hand_draw_per_site"][str(n)]
        for n in _PLAYERS
    )
    for site in _SITES:
        tiles = _tiles_of_bag(site)
        wanted = f"a site with {dealt} to {_MAX_TILES_OF_BAG} tiles in all, not {tiles}"
        SHEET.expect(dealt <= tiles <= _MAX_TILES_OF_BAG, f"sites.{site}", wanted)


def _check_museum(side):
    """Check shops, entrances, special fields and pedestals of one side of the museum."""
    museum, key = VALUES["museum"][side], f"museum.{side}"
    for lines in ("shops", "entrances"):
        once = all(museum[lines].count(kind) == 1 for kind in _TYPES)
        SHEET.expect(once, f"{key}.{lines}", f"each once: {', '.join(_TYPES)}")
    taken = []
    for kind, place in museum["special_fields"].items():
        crossing = [museum["shops"].index(kind) + 1, museum["entrances"].index(kind) + 1]
        wanted = f"{crossing}, where its shop and its entrance cross"
        SHEET.expect(place == crossing, f"{key}.special_fields.{kind}", wanted)
        taken.append(tuple(place))
    for name, pedestals, sides in (
        ("pedestal_large", [museum["pedestal_large"]], [2, 3]),
        ("pedestal_small", museum["pedestal_small"], [1, 2]),
    ):
        for pedestal in pedestals:
            rows, columns = zip(*pedestal, strict=True)
            lengths = [max(rows) - min(rows) + 1, max(columns) - min(columns) + 1]
            fits = sorted(lengths) == sides and _unlike([tuple(place) for place in pedestal])
            wanted = f"the fields of a rectangle of {sides[0]} by {sides[1]}"
            SHEET.expect(fits, f"{key}.{name}", wanted)
            taken += map(tuple, pedestal)
            wanted = "fields that are neither special nor of another pedestal"
            SHEET.expect(_unlike(taken), f"{key}.{name}", wanted)


def _check_board():
    """Check which fields there are, that each has the effects of its row, and the bonus fields."""
    order = [(row, kind) for row in _ROWS[:4] for kind in _KINDS]
    order += [("joker", "joker"), ("management", "open")]
    for i, (row, kind) in enumerate(order):
        field, key = VALUES["action_board"]["field"][i], f"action_board.field.{i}"
        SHEET.expect(field["row"] == row, f"{key}.row", row)
        SHEET.expect(field["kind"] == kind, f"{key}.kind", kind)
        SHEET.expect(
            (field["cost"] == "joker") == (row == "joker"),
            f"{key}.cost",
            '"joker"' if row == "joker" else "a whole number from 0 to 9",
        )
        shared = row == "management"
        wanted = '"unlimited"' if shared else "1"
        SHEET.expect((field["per_column"] != 1) == shared, f"{key}.per_column", wanted)
        if row in ("joker", "management"):  # 4.1 holds because management is for everybody
            SHEET.expect(field["workers"] == 1, f"{key}.workers", f"1 for {row}")
        if shared:
            SHEET.expect(field["cost"] == 0, f"{key}.cost", "0 for management")
        _check_effect(f"{key}.effect", row, field["effect"])
    for column in _SITES:
        key = f"action_board.bonus_by_column.{column}"
        bonus = VALUES["action_board"]["bonus_by_column"][str(column)]
        SHEET.expect(len(bonus) <= 1, key, "one gain or none")
        if "excavate" in bonus:  # another site might not be in use
            site = bonus["excavate"]["site"]
            SHEET.expect(site == column, f"{key}.excavate.site", f"{column}, the column's own site")


def _check_effect(key, row, effect):
    """Check that a field has the effects of its row, and no others."""
    wanted = _KEYS_OF_ROW[row]
    for word in (*wanted, *effect):
        text = f"a value in row {row}" if word in wanted else f"nothing in row {row}"
        allowed = word in wanted or (row == "build_donate" and word == "build_discount_each")
        SHEET.expect(allowed and word in effect, f"{key}.{word}", text)
    if row == "build_donate":
        for word in ("build", "donate"):
            text = f"{effect['choose']} like choose: in any mix (8.1)"
            SHEET.expect(effect[word] == effect["choose"], f"{key}.{word}", text)
    if row == "management":
        gains = [[*entry] for entry in effect["choose_one"]]
        text = "dollars, students and guests, one each in this order (4.9)"
        SHEET.expect(gains == [[gain] for gain in _GAINS], f"{key}.choose_one", text)


def _check_neutral_workers():
    """Check that no two neutral groups stand on one field."""
    for players, groups in VALUES["neutral_workers"].items():
        fields = [(group["row"], group["column"], group["kind"]) for group in groups]
        SHEET.expect(_unlike(fields), f"neutral_workers.{players}", "fields that differ")


def _check_prices():
    """Check the market's prices and what guests are worth."""
    track, start = VALUES["market"]["price_track"], VALUES["market"]["price_start"]
    fits = track == [*range(track[0], track[0] + len(track))]
    SHEET.expect(fits, "market.price_track", "prices that rise by 1 (9.2)")
    SHEET.expect(start in track, "market.price_start", "a price of market.price_track")
    most, worth = VALUES["guest_track"]["max_guests"], VALUES["guest_track"]["prestige_by_guests"]
    SHEET.expect(
        len(worth) == most + 1 and worth == sorted(worth),
        "guest_track.prestige_by_guests",
        f"values that do not fall for 0 to max_guests = {most} guests, {most + 1} in all",
    )


def _check_tiles(key):
    """Check that two-sided tiles are numbered as they stand."""
    for i, entry in enumerate(VALUES[key]):
        SHEET.expect(entry["tile"] == i + 1, f"{key}.{i}.tile", f"{i + 1}, in ascending order")


def _of_both_sides(key, word):
    """Collect one value of each side of some tiles, by dotted key."""
    return {
        f"{key}.{i}.{side}.{word}": tile[side][word]
        for i, tile in enumerate(VALUES[key])
        for side in "ab"
    }


def _check_panels():
    """Check that each panel brings what it can bring at that time."""
    _check_tiles("info_panel")
    _check_unlike(_of_both_sides("info_panel", "name"))
    for i, panel in enumerate(VALUES["info_panel"]):
        for side in "ab":
            effects = panel[side]["effects"]
            for j, effect in enumerate(effects):
                key, when = f"info_panel.{i}.{side}.effects.{j}", effect["when"]
                gains = _GAINS_OF_WHEN[when]
                wanted = f'with when = "{when}" one of {", ".join(gains)}'
                SHEET.expect(effect["gain"] in gains, f"{key}.gain", wanted)
                if when in ("build", "tour"):
                    once = effect["per"] == "once"
                    SHEET.expect(once, f"{key}.per", f'"once" with when = "{when}"')
                if effect["gain"] == "search_to_storage":
                    SHEET.expect(effect["amount"] == 1, f"{key}.amount", "1 search")
            searches = [effect["gain"] for effect in effects].count("search_to_storage")
            SHEET.expect(searches <= 1, f"info_panel.{i}.{side}.effects", "at most one search")


def _most_of_panels(when, worth):
    """Return the most that all panel tiles can bring at a time, given the worth of each gain."""
    return sum(
        max(
            sum(
                effect["amount"] * worth.get(effect["gain"], 0)
                for effect in panel[side]["effects"]
                if effect["when"] == when
            )
            for side in "ab"
        )
        for panel in VALUES["info_panel"]
    )


def _check_sums():
    """Check that what a tour brings, and all regular guest tiles together, are small numbers."""
    board, worth = VALUES["action_board"], VALUES["supply"]["regular_guest_value"]
    for gain, word in (
        ("dollars", "shop_dollars_per_matching_piece"),
        ("guests", "entrance_guests_per_matching_piece"),
    ):
        most = len(_TYPES) * VALUES["museum"]["columns"] * VALUES["museum"][word]
        most += _most_of_panels("tour", {gain: 1})
        most += max(bonus.get(gain, 0) for bonus in board["bonus_by_column"].values())
        wanted = f"at most {_SMALL} {gain} from a tour, not {most}"
        SHEET.expect(most <= _SMALL, f"museum.{word}", wanted)
    most = VALUES["meta"]["rounds"] * max(worth.values())
    most += _most_of_panels("build", {f"regular_{size}": value for size, value in worth.items()})
    wanted = f"at most {_SMALL} regular guests in all, not {most}"
    SHEET.expect(most <= _SMALL, "supply.regular_guest_value.large", wanted)


def _check_goals():
    """Check the thresholds of job and round goals, and the majorities."""
    for key in ("job_goal", "round_goal", "end_goal"):
        _check_tiles(key)
    _check_unlike(_of_both_sides("job_goal", "id"))
    fields = VALUES["action_board"]["field"]
    highest = _HIGHEST_OF_METRIC | {
        "guests": VALUES["guest_track"]["max_guests"],
        "displayed": max(field["effect"].get("display", 0) for field in fields),
    }
    for i, goal in enumerate(VALUES["job_goal"]):
        for side in "ab":
            metric, at = goal[side]["metric"], goal[side]["at"]
            wanted = f"at most {highest[metric]} with metric {metric}"
            SHEET.expect(at <= highest[metric], f"job_goal.{i}.{side}.at", wanted)
    for i, goal in enumerate(VALUES["round_goal"]):
        for side in ("light", "dark"):
            wanted = "thresholds in ascending order that differ"
            SHEET.expect(_rising(goal[side]["at"]), f"round_goal.{i}.{side}.at", wanted)
    prizes = VALUES["majorities"]["prestige"]
    falling = prizes == sorted(prizes, reverse=True)
    SHEET.expect(falling, "majorities.prestige", "no more for a lower place")


_KEYS_OF_ACTION = {
    "display": (),
    "give_tour": ("guests", "dollars"),
    "donate": (),
    "buy_sell": ("remove_positions_each_row", "draw_per_site"),
}


def _check_deck():
    """Check what is on Pal's action cards."""
    cards, slots = VALUES["pal_action"], VALUES["market"]["slots_per_row"]
    _check_unlike({f"pal_action.{i}.id": card["id"] for i, card in enumerate(cards)})
    for i, card in enumerate(cards):
        for action, keys in _KEYS_OF_ACTION.items():
            for word in keys:
                needed = card["action"] == action
                text = "a value" if needed else "nothing"
                text += f" with action {card['action']}"
                SHEET.expect((word in card) == needed, f"pal_action.{i}.{word}", text)
        places = card.get("remove_positions_each_row", [])
        SHEET.expect(
            _rising(places) and all(place <= slots for place in places),
            f"pal_action.{i}.remove_positions_each_row",
            f"positions in ascending order, at most market.slots_per_row = {slots}",
        )
    for action, drawn in VALUES["solo"]["draw_actions"].items():
        there = sum(card["action"] == action for card in cards)
        wanted = f"at most the {there} cards of this action"
        SHEET.expect(drawn <= there, f"solo.draw_actions.{action}", wanted)


def _check_exhibits():
    """Check Pal's fossil cards: one for each species of more than one piece (S2.3, S2.4)."""
    cards = VALUES["pal_fossil"]
    large = {entry["id"]: entry for entry in VALUES["species"] if entry["size"] > 1}
    for name in cards:
        SHEET.expect(name in large, "pal_fossil", f"species of more than one piece, not {name!r}")
    for name, entry in large.items():
        card, key = cards.get(name), f"pal_fossil.{name}"
        SHEET.expect(isinstance(card, dict), key, "a table with site and depicted")
        for word in ("site", "depicted"):
            SHEET.expect(word in card, f"{key}.{word}", "a value")
        SHEET.expect(len(card) == 2, key, "a table with site and depicted only")
        site = int(*entry["tiles"]) if len(entry["tiles"]) == 1 else 0
        fits = type(card["site"]) is int and card["site"] == site
        SHEET.expect(fits, f"{key}.site", f"{site}, by the sites of its tiles (0: several)")
        shown, size = card["depicted"], entry["size"]
        fits = isinstance(shown, list) and all(type(piece) is int for piece in shown)
        fits = fits and _rising(shown) and {*shown} < {*range(1, size + 1)}
        wanted = f"pieces of 1 to {size} in ascending order, and one left free at least"
        SHEET.expect(fits, f"{key}.depicted", wanted)


def _check_difficulties():
    """Check that each difficulty is there, with its parameters."""
    for i, (name, own) in enumerate(_KEYS_OF_DIFFICULTY.items()):
        entry, key = VALUES["difficulty"][i], f"difficulty.{i}"
        SHEET.expect(entry["id"] == name, f"{key}.id", name)
        keys = ("id", own, "extra_action_cards") if name == "more_turns" else ("id", own)
        for word in (*keys, *entry):
            text = f"a value for {name}" if word in keys else f"nothing for {name}"
            SHEET.expect(word in keys and word in entry, f"{key}.{word}", text)
        if own == "final_minus":
            noun = "empty_exhibition" if name == "empty_fields" else "occupied_storage"
            SHEET.expect(entry[own] == f"{noun}_fields", f"{key}.{own}", f'"{noun}_fields"')
        if own == "round_goal_pool":
            SHEET.expect(_rising(entry[own]), f"{key}.{own}", "tiles in ascending order")


def _check_solo():
    """Check Pal's turns against her cards, the cards left with two sites, and the ranks."""
    solo, cards = VALUES["solo"], VALUES["pal_action"]
    more_b, more_turns = VALUES["difficulty"][1], VALUES["difficulty"][4]
    drawn, extra = sum(solo["draw_actions"].values()), more_turns["extra_action_cards"]
    wanted = f"as many turns as cards drawn, {drawn}"
    SHEET.expect(sum(solo["pal_turns"]) == drawn, "solo.pal_turns", wanted)
    fits = sum(more_turns["pal_turns"]) == drawn + extra
    SHEET.expect(fits, "difficulty.4.pal_turns", f"as many turns as cards, {drawn} + {extra}")
    wanted = f"at most the {len(cards) - drawn} cards that are left over"
    SHEET.expect(drawn + extra <= len(cards), "difficulty.4.extra_action_cards", wanted)

    b_cards = {a: sum(c["action"] == a and c["deck"] == "B" for c in cards) for a in _ACTIONS}
    most = sum(min(count, b_cards[a]) for a, count in solo["draw_actions"].items())
    with_extra = most + min(extra, sum(b_cards.values()) - most)
    least = more_b["min_b_cards"]
    fits = max(least, drawn // 2 + 1) <= most
    fits = fits and max(least, (drawn + extra) // 2 + 1) <= with_extra
    wanted = f"more than half of the cards, and at most {most} of {drawn}, can be B cards (S7.2)"
    SHEET.expect(fits, "difficulty.1.min_b_cards", wanted)

    opened = solo["fossil_open_at_start"] + VALUES["meta"]["rounds"] - 1
    wanted = f"all that are opened, {opened} (S2.3)"
    SHEET.expect(solo["fossil_deck"] == opened, "solo.fossil_deck", wanted)
    for used in VALUES["setup"]["use_sites"]["1"]:
        left = sum(card["site"] in (0, *used) for card in VALUES["pal_fossil"].values())
        wanted = f"at most the {left} fossil cards with sites {used}"
        SHEET.expect(solo["fossil_deck"] <= left, "solo.fossil_deck", wanted)
    bands = solo["score_bands"]
    for word in ("min", "rank"):
        column = [band[word] for band in bands]
        SHEET.expect(_rising(column[::-1]), f"solo.score_bands.0.{word}", "bands in falling order")
    SHEET.expect(bands[-1]["min"] == 0, f"solo.score_bands.{len(bands) - 1}.min", "0 at last")


_check_sheet()
