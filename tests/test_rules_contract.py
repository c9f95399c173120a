"""The contract of `kernels/rules.py`, for games of every kind: toys and the real ones."""

import dataclasses
import importlib
import itertools
import os
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core.errors import TypingError

import house
import toy
from bonebed.envs import table
from bonebed.kernels import batch, rules, search
from bonebed.kernels.jit import kernel
from bonebed.kernels.sources import code_of
from conftest import BOUNDS_CHECKS, NO_JIT
from process import TESTS, run
from toy import CAMP, NIM
from toy_shaft import HOUSE, LONE, SHAFTS

GAMES = [NIM, CAMP, SHAFTS, HOUSE, LONE, *map(table.rules, table.GAMES)]
modes = pytest.mark.rules
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


# --- drivers --------------------------------------------------------------------------------------


@kernel
def ask_reset(state, options, seed):
    """Ask in compiled code."""
    rules.reset(state, options, seed)


@kernel
def ask_legal(state, actions):
    """Ask in compiled code."""
    return rules.legal(state, actions)


@kernel
def ask_step(state, action):
    """Ask in compiled code."""
    rules.step(state, action)


@kernel
def ask_observe(state, player, obs):
    """Ask in compiled code."""
    rules.observe(state, player, obs)


@kernel
def ask_resample(state, player, seed):
    """Ask in compiled code."""
    rules.resample(state, player, seed)


@kernel
def ask_outcome(state, out):
    """Ask in compiled code."""
    rules.outcome(state, out)


@kernel
def ask_value(state, player):
    """Ask in compiled code."""
    return rules.value(state, player)


DRIVERS = {question: globals()[f"ask_{question}"] for question in rules.QUESTIONS}


@kernel
def play(state, options, seed, actions):
    """Play one game, always the legal action in the middle; return the number of decisions."""
    rules.reset(state, options, seed)
    decisions = 0
    while not state.done:
        n = rules.legal(state, actions)
        rules.step(state, np.int64(actions[n // 2]))
        decisions += 1
    return decisions


def played(game, seed):
    """Play as `play` does, by the game's own functions; return the end and the decisions."""
    state = game.new(seed)
    decisions = 0
    while not state.done:
        legal = game.legal_actions(state)
        game.step(state, int(legal[len(legal) // 2]))
        decisions += 1
    return state, decisions


def positions(game, seed, every, **options):
    """Return positions of a random game and its end."""
    luck = np.random.default_rng(seed)
    state = game.new(seed, **options)
    found = []
    while not state.done:
        if state.ply % every == 0:
            found.append(state.copy())
        game.step(state, int(luck.choice(game.legal_actions(state))))
    return [*found, state]


# --- the seven questions --------------------------------------------------------------------------


def answer(ask, game, question, state):
    """Ask one question about a copy of a state; return all that comes of it, as bytes."""
    state = state.copy()
    player = np.int64(state.num_players - 1)
    seed = np.uint64(2**63 + 11)
    given = {
        "reset": [game.make_options(), seed],
        "legal": [np.zeros(game.n_actions, np.int32)],
        "step": [],
        "observe": [player, np.zeros(1, game.OBS)[0]],
        "resample": [player, seed],
        "outcome": [np.zeros(game.max_players, np.float32)],
        "value": [player],
    }[question]
    if question == "step":
        given = [np.int64(game.legal_actions(state)[-1])]
    returned = ask(state, *given)
    if question == "legal":
        given[0][int(returned) :] = 0
    return [returned, state.tobytes(), *(np.asarray(one).tobytes() for one in given)]


@modes
@each_game
@pytest.mark.parametrize("question", rules.QUESTIONS)
def test_an_answer_is_the_games_own_whoever_asks(game, question):
    for state in positions(game, 5, every=7, num_players=min(3, game.max_players)):
        if question in ("legal", "step") and state.done:
            continue
        own = answer(getattr(game, question), game, question, state)
        assert answer(DRIVERS[question], game, question, state) == own
        assert answer(getattr(rules, question), game, question, state) == own


@modes
def test_one_driver_plays_several_games_by_turns_in_one_process():
    for seed, game in itertools.product(range(3), GAMES):
        state = np.zeros(1, game.STATE)[0]
        actions = np.zeros(game.n_actions, np.int32)
        decisions = play(state, game.make_options(), np.uint64(seed), actions)
        end, expected = played(game, seed)
        assert decisions == expected == end.ply
        assert state.tobytes() == end.tobytes()


@modes
def test_a_record_in_an_array_is_asked_like_one_by_itself():
    for game in GAMES:
        states = np.zeros(3, game.STATE)
        ask_reset(states[1], game.make_options(), np.uint64(8))
        assert states[1].tobytes() == game.new(8).tobytes()
        assert not states[[0, 2]].view("u1").any()


@kernel
def whole_value(state, player):
    """Judge in whole points, where the question promises a float."""
    return np.int64(state.score[player])


def test_a_game_whose_answer_has_another_type_is_refused():
    # Drivers are cached under the sources of the package and count on the types: one that was
    # compiled for a float would read the bits of a whole number as one.
    wrong = rules.record([*NIM.STATE.descr[:-1], ("whole", "i1", NIM.STATE["spare"].shape)])
    bounds = {**NIM.bounds, "whole": (0, 0)}
    game = dataclasses.replace(NIM, name="toy_whole", STATE=wrong, value=whole_value, bounds=bounds)
    with pytest.raises(TypeError, match="value of toy_whole returns int64; expected float64"):
        rules.register(game)


# --- which game -----------------------------------------------------------------------------------


@modes
@each_game
def test_a_record_an_array_and_a_dtype_tell_their_game(game):
    states = np.zeros(2, game.STATE)
    assert rules.of(states) is rules.of(states[0]) is rules.of(game.STATE) is game


@modes
@pytest.mark.parametrize("question", rules.QUESTIONS)
def test_a_record_of_no_game_is_named(question):
    stranger = np.zeros(1, rules.record([("bones", "i4"), ("done", "i1")]))[0]
    given = {
        "reset": [NIM.make_options(), np.uint64(1)],
        "legal": [np.zeros(9, np.int32)],
        "step": [np.int64(0)],
        "observe": [np.int64(0), np.zeros(1, NIM.OBS)[0]],
        "resample": [np.int64(0), np.uint64(1)],
        "outcome": [np.zeros(3, np.float32)],
        "value": [np.int64(0)],
    }[question]
    with pytest.raises(TypeError, match=r"not a state of a game: .*bones.*loaded: .*toy_camp"):
        getattr(rules, question)(stranger, *given)
    kind = TypeError if NO_JIT else TypingError
    words = "" if NO_JIT else f"rules.{question}: "
    with pytest.raises(kind, match=rf"{words}not a state of a game: .*bones"):
        DRIVERS[question](stranger, *given)


@pytest.mark.parametrize("thing", [None, 5, "fossil", np.zeros(3), object()])
def test_what_is_no_record_at_all_is_refused(thing):
    with pytest.raises(TypeError, match="not a state of a game"):
        rules.of(thing)


def test_two_games_with_the_same_fields_are_refused_and_the_first_one_stays():
    twin = dataclasses.replace(NIM, name="toy_twin")
    with pytest.raises(ValueError, match="STATE of toy_twin has the same fields as that of toy_ni"):
        rules.register(twin)
    assert rules.of(NIM.STATE) is NIM


def test_a_module_is_loaded_by_its_short_or_full_name():
    for name in table.GAMES:
        module = table.game(name).kernel
        assert rules.load(f"bonebed.{module}") is table.rules(name)
    assert rules.load("fossil") is rules.load("bonebed.kernels.fossil")


# --- exceptions -----------------------------------------------------------------------------------

FRAGILE_STATE = rules.record([*NIM.STATE.descr[:-1], ("crack", "i1", NIM.STATE["spare"].shape)])
BREAKS = np.int64(1000)  # no such action
OUT_OF_RANGE = np.int64(toy.N_HEAPS * toy.MOST + 700)  # of a heap far beyond the last


@kernel(allocates=True)  # an exception takes memory
def fragile_step(state, action):
    """Play Nim, and break at one action."""
    if action == BREAKS:
        raise ValueError("the bone broke")
    toy.nim_step(state, action)


FRAGILE = rules.register(
    dataclasses.replace(
        NIM,
        name="toy_fragile",
        STATE=FRAGILE_STATE,
        step=fragile_step,
        bounds=NIM.bounds | {"crack": (-128, 127)},
    )
)


@kernel
def _step_deep_down(state, action):
    """Stand between the caller and the question."""
    rules.step(state, action)
    return state.ply


@kernel
def step_all(states, actions, seen):
    """Play one action in each game and count the games."""
    for i in range(len(states)):
        _step_deep_down(states[i], actions[i])
        seen[0] += 1


@modes
def test_an_exception_in_a_game_reaches_the_caller_from_any_depth():
    checked = [(OUT_OF_RANGE, IndexError, "out of")] if NO_JIT or BOUNDS_CHECKS else []
    for action, kind, words in [(BREAKS, ValueError, "the bone broke"), *checked]:
        states = np.zeros(3, FRAGILE.STATE)
        for state in states:
            FRAGILE.reset(state, FRAGILE.make_options(), np.uint64(1))
        seen = np.zeros(1, np.int64)
        with pytest.raises(kind, match=words):
            ask_step(states[1], action)
        with pytest.raises(kind, match=words):
            step_all(states, np.array([0, action, 0]), seen)
        assert seen[0] == 1  # what came before it is done, what comes after is not
        step_all(states[2:], np.array([0]), seen)  # and the driver goes on afterwards
        assert seen[0] == 2
        assert states["ply"].tolist()[::2] == [1, 1]


# --- actions --------------------------------------------------------------------------------------

DIG = rules.ActionTable(rest={}, dig={"row": 2, "column": 3}, swap={"tile": 4})


def test_actions_are_numbered_block_by_block_and_the_last_field_runs_fastest():
    told = [
        ("rest", {}),
        *(("dig", {"row": r, "column": c}) for r in range(2) for c in range(3)),
        *(("swap", {"tile": t}) for t in range(4)),
    ]
    assert [DIG.decode(action) for action in range(DIG.size)] == told
    assert [DIG.encode(block, **fields) for block, fields in told] == list(range(DIG.size))
    assert [DIG.offset(block) for block in ("rest", "dig", "swap")] == [0, 1, 7]
    assert [block.size for block in DIG.blocks] == [1, 6, 4]
    assert list(DIG.decode(np.int64(6))[1]) == ["row", "column"]


@pytest.mark.parametrize("game", [NIM, CAMP], ids=lambda game: game.name)
def test_every_action_of_a_toy_leads_back_to_its_number(game):
    for action in range(game.n_actions):
        block, fields = game.actions.decode(action)
        assert game.actions.encode(block, **fields) == action


@pytest.mark.parametrize(
    ("block", "fields", "message"),
    [
        ("hide", {}, "no action block 'hide'; known: rest, dig, swap"),
        ("dig", {"row": 0}, "fields of 'dig': row, column; got row"),
        ("dig", {"row": 0, "column": 0, "depth": 0}, "row, column; got row, column, depth"),
        ("dig", {"row": 0, "depth": 0}, "row, column; got row, depth"),
        ("swap", {}, "fields of 'swap': tile; got none"),
        ("rest", {"tile": 0}, "fields of 'rest': none; got tile"),
        ("dig", {"row": 2, "column": 0}, "dig: row is 2, allowed 0 to 1"),
        ("dig", {"row": 0, "column": -1}, "dig: column is -1, allowed 0 to 2"),
    ],
)
def test_an_action_that_there_is_not_is_refused_with_what_there_is(block, fields, message):
    with pytest.raises(ValueError, match=message):
        DIG.encode(block, **fields)


@pytest.mark.parametrize("action", [-1, 11, 10**9])
def test_a_number_of_no_action_is_refused(action):
    with pytest.raises(ValueError, match=f"no action {action}; actions are 0 to 10"):
        DIG.decode(action)


def test_an_unknown_block_is_refused_wherever_it_is_named():
    for ask in (DIG.offset, DIG.__getitem__):
        with pytest.raises(ValueError, match="no action block 'hide'; known: rest, dig, swap"):
            ask("hide")


# --- options --------------------------------------------------------------------------------------

WEATHER = rules.Option("weather", ("dry", "wet", "ice"), "wet", "what falls")
NIGHT = rules.Option("night", (False, True), False, "whether it is dark")
DAYS = rules.Option("days", (2, 5, 7), 5, "length")
QUARRY = dataclasses.replace(NIM, options=(toy.PLAYERS, WEATHER, NIGHT, DAYS))


def test_options_not_given_take_their_defaults():
    assert QUARRY.options_dict(QUARRY.make_options()) == {
        "num_players": 2,
        "weather": "wet",
        "night": False,
        "days": 5,
    }


def test_every_choice_of_an_option_comes_back_as_it_was_given():
    for option in (WEATHER, NIGHT, DAYS):
        for choice in option.choices:
            record = QUARRY.make_options(**{option.name: choice})
            back = QUARRY.options_dict(record)[option.name]
            assert (back, type(back)) == (choice, type(choice))


def test_numbers_and_truth_values_of_numpy_are_taken():
    record = QUARRY.make_options(days=np.int32(7), night=np.True_)
    assert record == QUARRY.make_options(days=7, night=True)


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"days": 3}, "option days is 3; allowed: 2, 5, 7"),
        ({"days": "5"}, "option days is '5'; allowed: 2, 5, 7"),
        ({"days": None}, "option days is None; allowed: 2, 5, 7"),
        ({"num_players": True}, "option num_players is True; allowed: 2, 3"),
        ({"night": 1}, "option night is 1; allowed: False, True"),
        ({"night": "yes"}, "option night is 'yes'; allowed: False, True"),
        ({"weather": "hot"}, "option weather is 'hot'; allowed: dry, wet, ice"),
        ({"weather": 0}, "option weather is 0; allowed: dry, wet, ice"),
        ({"colour": 1}, "has no option 'colour'; known: num_players, weather, night, days"),
        ({"days": 2, "size": 1}, "has no option 'size'"),
    ],
)
def test_a_wrong_option_is_named_with_its_value_and_what_is_allowed(choices, message):
    with pytest.raises(ValueError, match=message):
        QUARRY.make_options(**choices)
    with pytest.raises(ValueError, match=message):
        QUARRY.new(3, **choices)


def test_the_numbers_of_players_are_those_of_the_option():
    assert (CAMP.min_players, CAMP.max_players) == (2, 3)


def test_the_options_of_a_game_under_way_are_told_by_its_state():
    state = CAMP.new(4, num_players=3, prize=8)
    assert CAMP.options_dict(state) == {"num_players": 3, "prize": 8}


# --- options that follow others -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "num_players", "house"),
    [
        ({}, 1, "rules"),
        ({"house": "seat"}, 2, "seat"),
        ({"num_players": 2}, 2, "seat"),
        ({"num_players": np.int8(1)}, 1, "rules"),
        ({"num_players": 2, "house": "seat"}, 2, "seat"),
    ],
)
def test_an_option_follows_from_the_other_whichever_is_given(given, num_players, house):
    wanted = {"num_players": num_players, "house": house}
    record = HOUSE.make_options(**given)
    assert HOUSE.options_dict(record) == wanted
    assert HOUSE.make_options(**HOUSE.options_dict(record)) == record
    assert HOUSE.options_dict(HOUSE.new(1, **given)) == wanted


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"num_players": 1, "house": "seat"},
            "option num_players is 1 and house is seat; allowed: num_players 1 with house rules",
        ),
        (
            {"house": "rules", "num_players": 2},
            "option num_players is 2 and house is rules; allowed: num_players 2 with house seat",
        ),
        ({"num_players": 3}, "option num_players is 3; allowed: 1, 2"),
        ({"house": "closed"}, "option house is 'closed'; allowed: rules, seat"),
        ({"num_players": 2, "house": 1}, "option house is 1; allowed: rules, seat"),
    ],
)
def test_options_that_contradict_each_other_are_refused(given, message):
    with pytest.raises(ValueError, match=message):
        HOUSE.make_options(**given)


@pytest.mark.parametrize(
    "seats",
    [
        rules.Option("num_players", (1, 2), 2, "seats", follows="house"),  # default for another
        rules.Option("num_players", (1, 2, 3), 1, "seats", follows="house"),  # one too many
        rules.Option("num_players", (2, 2), 2, "seats", follows="house"),  # which of the two?
    ],
)
def test_an_option_that_cannot_follow_is_refused(seats):
    with pytest.raises(ValueError, match="num_players has to have one choice for each of house"):
        dataclasses.replace(HOUSE, options=(seats, HOUSE.options[1]), agent_names=())


def test_an_option_has_to_follow_one_that_there_is():
    seats = rules.Option("num_players", (1, 2), 1, "seats", follows="garden")
    with pytest.raises(ValueError, match="toy_house has no option 'garden'"):
        dataclasses.replace(HOUSE, options=(seats, HOUSE.options[1]))


# --- names, modules, hashes -----------------------------------------------------------------------


def test_the_agents_of_a_game_have_names():
    assert CAMP.agent_names == ("player_0", "player_1", "player_2")
    assert HOUSE.agent_names == ("player_0", "house_0")
    for wrong in (("a",), ("a", "b", "c"), ("a", "a")):
        with pytest.raises(
            ValueError, match=r"toy_house has agent_names \('a'.*wanted: 2 different"
        ):
            dataclasses.replace(HOUSE, agent_names=wrong)


SECOND = """
import dataclasses
import toy
from bonebed.kernels import rules

fields = [*toy.NIM.STATE.descr[:-1], ("second", "i1", toy.NIM.STATE["spare"].shape)]
RULES = rules.register(dataclasses.replace(
    toy.NIM, name="toy_second", STATE=rules.record(fields), module=__name__,
    bounds=toy.NIM.bounds | {"second": (0, 0)}, shares=SHARES,
))
"""
UNPICKLE = """
import pickle
rules = pickle.loads(BYTES)
print(rules.name, rules.module, rules.new(3).num_players)
"""


def test_a_game_of_shared_kernels_comes_back_from_its_own_module(tmp_path, monkeypatch):
    (tmp_path / "second.py").write_text(SECOND.replace("SHARES", "()"), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    second = importlib.import_module("second").RULES
    assert NIM.module == "toy"
    assert second.module == "second"
    assert pickle.loads(pickle.dumps(second)) is second
    script = UNPICKLE.replace("BYTES", repr(pickle.dumps(second)))
    told = run(script, tmp_path, PYTHONPATH=os.pathsep.join([str(tmp_path), str(TESTS)]))
    assert told.split() == ["toy_second", "second", "2"]


def test_the_hash_of_the_rules_covers_the_module_that_registers_and_all_of_a_shared_package(
    tmp_path, monkeypatch
):
    folder = tmp_path / "shared_rules"
    (folder / "deep").mkdir(parents=True)
    for file in ("__init__.py", "turn.py", "deep/__init__.py", "deep/pal.py"):
        (folder / file).write_text("A = 1\n")
    (tmp_path / "own.py").write_text("B = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    shared, own = importlib.import_module("shared_rules"), importlib.import_module("own")

    def found():
        return dataclasses.replace(NIM, shares=(shared,), module=own.__name__).rules_hash

    hashes = {NIM.rules_hash, found()}
    for number, file in enumerate(sorted(tmp_path.rglob("*.py"))):
        assert found() in hashes
        file.write_text("A = 2\n")
        hashes.add(found())
        assert len(hashes) == number + 3, file


TOLD = '''"""What the file is for."""

A = "# no comment"  # a comment

def double(x):
    """Return
    twice as much.
    """
    # in words
    return 2 * x  # and so on
'''
BARE = """A = "# no comment"
def double(x):
    return 2 * x"""


def test_the_hash_of_the_rules_leaves_out_what_only_readers_see():
    assert code_of(TOLD) == code_of(BARE) == BARE
    for changed in (BARE.replace("no", "a"), BARE.replace("2", "3"), BARE + "\nB = 1"):
        assert code_of(changed) != BARE


# --- records and results --------------------------------------------------------------------------


@pytest.mark.parametrize("n_bytes", range(17))
def test_spare_bytes_fill_up_to_a_multiple_of_eight_and_are_never_none(n_bytes):
    fields = [("a", "i1", (n_bytes,)), ("b", "i4"), ("c", "u8")]
    dtype = rules.record(rules.spare(fields))
    assert dtype.names == ("c", "b", "a", "spare")
    assert dtype.itemsize % 8 == 0
    assert 1 <= dtype.itemsize - (8 + 4 + n_bytes) <= 8
    assert house.padding(dtype) == []


@modes
@pytest.mark.parametrize(
    ("keys", "results"),
    [
        ([3, 9], [-1, 1]),
        ([4, 4], [0, 0]),
        ([5, 7, 6], [-1, 1, 0]),
        ([5, 3, 3], [1, -0.5, -0.5]),  # places 2 and 3, worth 0 and -1
        ([8, 8, 3], [0.5, 0.5, -1]),
        ([1, 1, 1], [0, 0, 0]),
        ([0, -2, 9, 9], [-1 / 3, -1, 2 / 3, 2 / 3]),  # places worth 1, 1/3, -1/3, -1
    ],
)
def test_results_are_spaced_evenly_by_rank_and_shared_places_are_averaged(keys, results):
    out = np.full(len(keys) + 1, 7, np.float32)
    rules.rank_outcome(np.array([*keys, 99], np.int32), np.int8(len(keys)), out)
    np.testing.assert_allclose(out, [*results, 7], rtol=1e-6)


# --- compiled and plain ---------------------------------------------------------------------------


def searches():
    """Search a few positions of each game; return visits and values bit by bit."""
    found = []
    for game, seed, simulations in [(NIM, 1, 60), (CAMP, 2, 60), (table.rules("fossil"), 3, 4)]:
        *_, one, two, _ = positions(game, seed, every=1)
        states = np.zeros(2, game.STATE)
        states[0], states[1] = one, two
        seeds = np.array([5, 2**64 - 1], np.uint64)
        for depth in (1, 10):
            result = search.ismcts_search(states, seeds, simulations, depth=depth)
            found += [result.visits.tobytes().hex(), result.values.tobytes().hex()]
        choices = np.zeros(2, np.int64)
        search.rollout_actions(states, seeds, choices, 3)
        found.append(str(choices))
    return found


def test_compiled_and_plain_code_search_alike_bit_for_bit(tmp_path):
    script = "import test_rules_contract\nprint(*test_rules_contract.searches(), sep='\\n')"
    other = run(script, tmp_path, NUMBA_DISABLE_JIT="0" if NO_JIT else "1")
    assert other.splitlines() == searches()


# --- the compile cache ----------------------------------------------------------------------------

PLAY = """
import toy
from bonebed.kernels import batch

state = toy.CAMP.new(3)
toy.CAMP.step(state, int(toy.CAMP.legal_actions(state)[0]))  # show
batch.random_games(toy.CAMP, toy.CAMP.make_options(), games=2)
misses = sum(batch.play_games.stats.cache_misses.values())
print(state.score[0] - state.find[0], misses)
"""


APART = """
from bonebed.kernels.jit import kernel

@kernel(apart=True)
def _square(n):
    return n * n

@kernel
def _twice(n):
    return 2 * _square(n)

@kernel(apart=True)
def _more(n):
    return _twice(n) + 1

@kernel
def answer(n):
    return _more(n)
"""
ASK = """
import apart

kernels = [apart.answer, apart._more, apart._twice, apart._square]
print(apart.answer(3), sum(sum(kernel.stats.cache_misses.values()) for kernel in kernels))
"""


def contents(folder):
    """Return names, times and sizes of all files below a folder."""
    files = [file for file in Path(folder).rglob("*") if file.is_file()]
    return {file: (file.stat().st_mtime_ns, file.stat().st_size) for file in files}


def test_what_was_compiled_is_used_by_other_processes_until_a_game_is_edited(tmp_path):
    # The cache folder is named after the sources of the package; a game outside goes by its file.
    shown = "points = action - SHOW + 1"
    text = Path(toy.__file__).read_text("utf-8")
    assert text.count(shown) == 1
    (tmp_path / "toy.py").write_text(text, "utf-8")
    cache = tmp_path / "cache"
    settings = {
        "PYTHONPATH": str(tmp_path),
        "BONEBED_CACHE": str(cache),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    assert run(PLAY, tmp_path, **settings).split() == ["1", "1"]  # points of kind 0, compiled
    before = contents(cache)
    assert len(before) > len(rules.QUESTIONS)
    assert run(PLAY, tmp_path, **settings).split() == ["1", "0"]
    assert contents(cache) == before
    (tmp_path / "toy.py").write_text(text.replace(shown, f"{shown[:-1]}5"), "utf-8")
    assert run(PLAY, tmp_path, **settings).split() == ["5", "0"]


def test_a_kernel_from_the_cache_finds_those_that_it_calls_by_name(tmp_path):
    (tmp_path / "apart.py").write_text(APART, "utf-8")
    settings = {"PYTHONPATH": str(tmp_path), "BONEBED_CACHE": str(tmp_path / "cache")}
    assert run(ASK, tmp_path, **settings).split() == ["19", "4"]  # 2 * 3 * 3 + 1
    assert run(ASK, tmp_path, **settings).split() == ["19", "0"]


def test_without_a_cache_nothing_is_written(tmp_path):
    before = sorted(house.ROOT.rglob("*.nb[ci]"))  # what Numba writes beside sources by default
    homes = {name: str(tmp_path) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    run(PLAY, tmp_path, BONEBED_CACHE="0", PYTHONDONTWRITEBYTECODE="1", **homes)
    assert contents(tmp_path) == {}
    assert sorted(house.ROOT.rglob("*.nb[ci]")) == before


def test_toy_games_are_played_whole_by_the_packages_drivers(n_games):
    for game in (NIM, CAMP, SHAFTS, HOUSE, LONE):
        for players in game.option("num_players").choices:
            options = game.make_options(num_players=players)
            games = batch.random_games(game, options, n_games(50), seed=3)
            if players > 1:
                np.testing.assert_allclose(games.outcome.sum(1), 0, atol=1e-6)
            assert (abs(games.outcome) <= 1).all()
            assert games.decisions.max() <= game.max_decisions


def test_the_hash_of_the_rules_covers_what_a_game_shares_with_others(tmp_path):
    cards = SimpleNamespace(__file__=tmp_path / "cards.py")
    hashes = {NIM.rules_hash}
    for text in ("VALUE = 1\n", "VALUE = 2\n"):
        cards.__file__.write_text(text)
        hashes.add(dataclasses.replace(NIM, shares=(cards,)).rules_hash)
    assert len(hashes) == 3
