"""The cards of the Fossil Canyon box, for the four games that are played with them.

A *type* is what a card shows: one fossil of one genus. Types are numbered genus by genus in the
order of the sheet, first the genera whose skeletons are collected, then the trace fossils, one type
each. With the shipped sheet:

    genus   0 Tyrannosaurus      1 Brachiosaurus     ...  12 Mosasaurus   13 Camptosaurus   ...  18
    types   0 1 2 3              4 5 6               ...  32 33           34                ...  39

Arrays over genera have an entry for the trace fossils' genera too, 0 where it means nothing there:
a trace fossil has no skeleton, a skeletal one no research value.
"""

import numpy as np

from . import sheet

_PERIODS = ("Triassic", "Jurassic", "Cretaceous")
_DIETS = ("herbivore", "carnivore")

_GENUS = {
    "name": sheet.name(),
    "period": sheet.one_of(*_PERIODS),
    "diet": sheet.one_of(*_DIETS),
    "source": sheet.name(),
    "length_m": sheet.number(0, 1000),
    "mass_kg": sheet.number(0, 10**6),
}
_PLAYERS = {"min": sheet.whole(2, 6), "max": sheet.whole(2, 6)}
_AWARD = {
    "pieces": sheet.whole(0, 6),
    "needs": sheet.whole(1, 100),
    "points": sheet.whole(0, 100),
}
_NAMES = sheet.list_of(sheet.name(), 1, 40)
SHEET = sheet.load(
    "fossil_canyon",
    {
        "game": sheet.one_of("fossil_canyon"),
        "players": _PLAYERS,
        "discard_unseen": sheet.whole(0, 40),
        "hidden_limit": sheet.whole(1, 10),
        "digs_per_turn": sheet.whole(1, 4),
        "bonus_digs_max": sheet.whole(0, 1),
        "exchange_costs": sheet.list_of(sheet.whole(1, 4), 1, 4),
        "end_phase_min_fossils_to_exchange": sheet.whole(1, 10),
        "stalemate_rounds": sheet.whole(1, 10),
        "idle_rounds": sheet.whole(1, 10),
        "event_profile": sheet.one_of("mix", "erosion_only"),
        "starting_hand": {str(n): sheet.optional(sheet.whole(0, 20)) for n in range(2, 7)},
        "variants": {
            "use_research": sheet.one_of(True, False),
            "use_bonuses": sheet.one_of(True, False),
            "hidden_limit_two_for_5_6": sheet.one_of(True, False),
            "put_back_once_when_digging": sheet.one_of(True, False),
            "no_blind_exchange": sheet.one_of(True, False),
        },
        "fossil_types": {str(n): sheet.list_of(sheet.name(), n, n) for n in (2, 3, 4)},
        "genus": sheet.tables(
            _GENUS
            | {
                "fossils": sheet.whole(2, 4),
                "skeletons": sheet.whole(1, 8),
                "value": sheet.whole(1, 100),
                "custom": sheet.optional(sheet.one_of(True)),
                "pays": sheet.optional(sheet.name()),
            },
            1,
            24,
        ),
        "trace": sheet.tables(_GENUS | {"kind": sheet.name(), "research": sheet.whole(1, 9)}, 1, 8),
        "awards": {"major": _AWARD, "minor": _AWARD},
        "bonus": sheet.tables(
            {
                "name": sheet.name(),
                "points": sheet.whole(0, 100),
                "rule": sheet.one_of("most_skeletons", "all_genera"),
                "period": sheet.optional(sheet.one_of(*_PERIODS)),
                "diet": sheet.optional(sheet.one_of(*_DIETS)),
                "genera": sheet.optional(_NAMES),
                "tie": sheet.optional(sheet.one_of("sum_of_values_in_category")),
            },
            0,
            6,
        ),
        "event": sheet.tables(
            {
                "id": sheet.name(),
                "count": sheet.whole(1, 40),
                "op": sheet.one_of(
                    "expose",
                    "bury_all_exposed",
                    "dig",
                    "pass_left",
                    "reveal_hidden",
                    "optional_exchange",
                    "none",
                ),
                "n": sheet.optional(sheet.whole(1, 4)),
                "who": sheet.optional(
                    sheet.one_of("active", "lowest_museum_total_first_clockwise_from_active")
                ),
                "choose": sheet.optional(sheet.one_of("each_player_simultaneously")),
                "lands": sheet.optional(sheet.one_of("face_up")),
                "cost": sheet.optional(sheet.whole(1, 4)),
            },
            1,
            20,
        ),
        "go_dig": {
            "players": _PLAYERS,
            "hand": sheet.whole(1, 20),
            "cards": sheet.whole(1, 127),
            "turn_cap": sheet.whole(1, 10000),
        },
        "memory": {
            "players": sheet.one_of(2),
            "rows": sheet.whole(1, 10),
            "cols": sheet.whole(1, 10),
            "four": sheet.list_of(sheet.name(), 0, 20),
            "three": sheet.list_of(sheet.name(), 0, 20),
            "two": sheet.list_of(sheet.name(), 0, 20),
            "turn_cap": sheet.whole(1, 10000),
        },
        "twenty_questions": {
            "players": _PLAYERS,
            "questions_each": sheet.whole(1, 100),
            "cards": sheet.whole(1, 127),
            "predicates": sheet.list_of(
                sheet.one_of(
                    "genus_is",
                    "period_is",
                    "diet_is",
                    "is_trace",
                    "fossils_is",
                    "skeletons_is",
                    "value_at_least",
                    "research_at_least",
                    "length_below_m",
                    "mass_below_kg",
                ),
                1,
                10,
            ),
            "value_thresholds": sheet.list_of(sheet.whole(1, 100), 0, 40),
            "research_thresholds": sheet.list_of(sheet.whole(1, 9), 0, 9),
            "length_thresholds_m": sheet.list_of(sheet.number(0, 1000), 0, 40),
            "mass_thresholds_kg": sheet.list_of(sheet.number(0, 10**6), 0, 40),
        },
        "cretaceous_creek": {
            "enabled": sheet.one_of(False),  # there is no rule text
            "players": {"min": sheet.whole(1, 6), "max": sheet.whole(1, 6)},
        },
    },
)
PARTS = SHEET.values
_SKELETAL, _TRACES = PARTS["genus"], PARTS["trace"]
_ALL = [*_SKELETAL, *_TRACES]

PERIODS = tuple(period for period in _PERIODS if any(g["period"] == period for g in _ALL))
DIETS = _DIETS
GENERA = tuple(genus["name"] for genus in _ALL)
N_GENERA = len(GENERA)
N_SKELETAL = len(_SKELETAL)  # the first genera; the others are those of the trace fossils
N_TRACES = len(_TRACES)
FOSSILS_OF_GENUS = np.array([genus.get("fossils", 0) for genus in _ALL])  # cards of a skeleton
SKELETONS_OF_GENUS = np.array([genus.get("skeletons", 0) for genus in _ALL])
VALUE_OF_GENUS = np.array([genus.get("value", 0) for genus in _ALL])  # thousand visitors a month
RESEARCH_OF_GENUS = np.array([genus.get("research", 0) for genus in _ALL])
PERIOD_OF_GENUS = np.array([PERIODS.index(genus["period"]) for genus in _ALL])
DIET_OF_GENUS = np.array([DIETS.index(genus["diet"]) for genus in _ALL])
LENGTH_OF_GENUS = np.array([float(genus["length_m"]) for genus in _ALL])
MASS_OF_GENUS = np.array([float(genus["mass_kg"]) for genus in _ALL])

N_TYPES_OF_GENUS = np.maximum(FOSSILS_OF_GENUS, 1)
FIRST_TYPE_OF_GENUS = np.cumsum(N_TYPES_OF_GENUS) - N_TYPES_OF_GENUS
N_TYPES = int(N_TYPES_OF_GENUS.sum())
# Fossil Canyon writes the types that can be chosen, and one action more, as the bits of a number.
SHEET.expect(N_TYPES < 63, "genus", "at most 62 kinds of cards in all")
N_SKELETAL_TYPES = int(FOSSILS_OF_GENUS.sum())  # the first types
GENUS_OF_TYPE = np.repeat(np.arange(N_GENERA), N_TYPES_OF_GENUS)
COPIES_OF_TYPE = np.maximum(SKELETONS_OF_GENUS, 1)[GENUS_OF_TYPE]  # cards of a type in the box
FOSSIL_OF_TYPE = tuple(
    fossil
    for genus in _ALL
    for fossil in (
        PARTS["fossil_types"][str(genus["fossils"])] if "fossils" in genus else [genus["kind"]]
    )
)
N_SKELETAL_CARDS = int(COPIES_OF_TYPE[:N_SKELETAL_TYPES].sum())
N_CARDS = int(COPIES_OF_TYPE.sum())


def _check_sheet():
    """Check what the values of the sheet have to do with one another."""
    SHEET.expect(len(set(GENERA)) == N_GENERA, "trace", "genera with names that differ")
    for prefix, game in (
        ("", PARTS),
        ("go_dig.", PARTS["go_dig"]),
        ("twenty_questions.", PARTS["twenty_questions"]),
    ):
        low, high = game["players"]["min"], game["players"]["max"]
        SHEET.expect(low <= high, f"{prefix}players.max", f"at least {prefix}players.min = {low}")
    for n in range(PARTS["players"]["min"], PARTS["players"]["max"] + 1):
        hand, rest = PARTS["starting_hand"].get(str(n)), N_SKELETAL_CARDS - PARTS["discard_unseen"]
        SHEET.expect(
            hand is not None and n * hand < rest,
            f"starting_hand.{n}",
            f"hands of {n} players that leave some of {rest} cards in the dig site",
        )
    _check_custom()
    _check_bonuses()
    _check_events()
    _check_side_games()


def _check_custom():
    """Check the genus on the blank cards: three cards at most, worth what its bonus was."""
    custom = [i for i, genus in enumerate(_SKELETAL) if genus.get("custom")]
    SHEET.expect(len(custom) <= 1, "genus", "at most one custom genus")
    points = {bonus["name"]: bonus["points"] for bonus in PARTS["bonus"]}
    for i, genus in enumerate(_SKELETAL):
        key = f"genus.{i}."
        if i not in custom:
            SHEET.expect("pays" not in genus, f"{key}pays", "nothing: the genus is not custom")
            continue
        cards = genus["fossils"] * genus["skeletons"]
        SHEET.expect(cards <= 3, f"{key}skeletons", "at most three blank cards in all")
        SHEET.expect(
            genus.get("pays") in points, f"{key}pays", f"the name of a bonus: {', '.join(points)}"
        )
        worth = points[genus["pays"]]
        SHEET.expect(genus["value"] == worth, f"{key}value", f"{worth}, as the bonus that it pays")


def _check_bonuses():
    """Check that every bonus has what its rule needs."""
    names = [bonus["name"] for bonus in PARTS["bonus"]]
    SHEET.expect(len(set(names)) == len(names), "bonus", "bonuses with names that differ")
    skeletal = GENERA[:N_SKELETAL]
    for i, bonus in enumerate(PARTS["bonus"]):
        for genus in bonus.get("genera", ()):
            SHEET.expect(
                genus in skeletal, f"bonus.{i}.genera", f"genera with skeletons, not {genus!r}"
            )
        if bonus["rule"] == "all_genera":
            SHEET.expect("genera" in bonus, f"bonus.{i}.genera", "the genera to be complete")
            for key in ("period", "diet", "tie"):
                SHEET.expect(key not in bonus, f"bonus.{i}.{key}", "nothing with rule all_genera")
        else:
            SHEET.expect("tie" in bonus, f"bonus.{i}.tie", '"sum_of_values_in_category"')


_KEYS_OF_OP = {
    "expose": {"n"},
    "bury_all_exposed": set(),
    "dig": {"n", "who"},
    "pass_left": {"n", "choose", "lands"},
    "reveal_hidden": {"n", "choose"},
    "optional_exchange": {"cost"},
    "none": set(),
}


def _check_events():
    """Check that every event has what its effect needs, and nothing else."""
    names = [event["id"] for event in PARTS["event"]]
    SHEET.expect(len(set(names)) == len(names), "event", "events with ids that differ")
    for i, event in enumerate(PARTS["event"]):
        needs = _KEYS_OF_OP[event["op"]]
        for key in ("n", "who", "choose", "lands", "cost"):
            wanted = f"a value with op {event['op']}" if key in needs else "nothing with this op"
            SHEET.expect((key in event) == (key in needs), f"event.{i}.{key}", wanted)
        if event["op"] in ("pass_left", "reveal_hidden"):
            SHEET.expect(event["n"] == 1, f"event.{i}.n", "1: each player chooses one card")


def _check_side_games():
    """Check that the side games have the cards that they deal and name."""
    dig, memory, questions = PARTS["go_dig"], PARTS["memory"], PARTS["twenty_questions"]
    SHEET.expect(
        dig["cards"] == N_SKELETAL_CARDS, "go_dig.cards", f"all skeletal cards, {N_SKELETAL_CARDS}"
    )
    SHEET.expect(
        dig["players"]["max"] * dig["hand"] <= N_SKELETAL_CARDS,
        "go_dig.hand",
        f"hands that {N_SKELETAL_CARDS} cards are enough for",
    )
    SHEET.expect(questions["cards"] == N_CARDS, "twenty_questions.cards", f"all cards, {N_CARDS}")
    chosen = []
    for key, fossils in (("four", 4), ("three", 3), ("two", 2)):
        fitting = [genus["name"] for genus in _SKELETAL if genus["fossils"] == fossils]
        SHEET.expect(
            set(memory[key]) <= set(fitting), f"memory.{key}", f"genera of {fossils} fossils"
        )
        SHEET.expect(
            len(set(memory[key])) == len(memory[key]), f"memory.{key}", "genera that differ"
        )
        chosen += [fossils] * len(memory[key])
    SHEET.expect(
        memory["rows"] * memory["cols"] == sum(chosen),
        "memory.rows",
        f"rows * cols = {sum(chosen)}, the cards of the chosen genera",
    )
    for key, entries in questions.items():
        if key.endswith(("_thresholds", "_thresholds_m", "_thresholds_kg")):
            SHEET.expect(
                sorted(set(entries)) == entries,
                f"twenty_questions.{key}",
                "numbers in ascending order that differ",
            )
    predicates = questions["predicates"]
    SHEET.expect(
        len(set(predicates)) == len(predicates),
        "twenty_questions.predicates",
        "predicates that differ",
    )
    SHEET.expect("genus_is" in predicates, "twenty_questions.predicates", 'a list with "genus_is"')


_check_sheet()
