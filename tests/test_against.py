"""Evaluation against an automated opponent's seat: every pair on the same deals, and compared."""

import dataclasses
import io
import json

import numpy as np
import pytest
from rich.console import Console

import toy_shaft
from bonebed import cli
from bonebed.agents import Agent, playing, records
from bonebed.agents import agent as agent_of
from bonebed.agents.against import Pairs
from bonebed.agents.evaluate import evaluate
from bonebed.agents.plan import Ends
from bonebed.envs import table
from toy_shaft import BLAST, CAREFUL, DEEP, HOUSE, LONE, SHAFTS, TURNS

SOLO = "fossilium_solo"


@pytest.fixture(autouse=True)
def in_the_table(monkeypatch):
    """Put the toys into the table of games."""
    for name, row in toy_shaft.ROWS.items():
        monkeypatch.setitem(table.GAMES, name, row)


class Digger(Agent):
    """Digs in one way; a blast is followed by careful digs."""

    def __init__(self, way):
        self.name = f"digger-{way}"
        self.way = way

    def __str__(self):
        """Return the name of this one, not of all."""
        return self.name

    def act(self, view):
        """Choose it."""
        return self.way if self.way in view.actions else CAREFUL


# --- what the numbers are -------------------------------------------------------------------------


def pairs(agents=("one", "two"), against=("first", "second"), deals=2):
    """Plan an evaluation of the toy."""
    return Pairs(HOUSE, {}, agents, against, 0, deals)


def ends(plan, scores, outcomes=0.0):
    """Make up how games ended: scores of the player by deal and pair, the house's opposite."""
    made = Ends.none(plan)
    made.played[:] = True
    for array, values in ((made.score, scores), (made.outcome, outcomes)):
        array[..., 0] = values
        array[..., 1] = -array[..., 0]
    return made


def test_the_seats_are_never_turned_and_all_pairs_play_each_deal_once():
    plan = pairs(("a", "b", "c"), ("x", "y"), 3).plan
    assert plan.seats.shape == (3, 6, 2)
    for deal in range(3):
        seated = [(plan.specs[i], plan.specs[j]) for i, j in plan.seats[deal].tolist()]
        assert seated == [(one, other) for one in "abc" for other in "xy"]


def test_differences_are_taken_deal_by_deal():
    paired = pairs()
    #                                   deal 0: one-first, one-second, two-first, two-second
    found = paired.summary(ends(paired.plan, [[10, 8, 4, 4], [20, 16, 2, 4]], 0.5))
    assert [(each.agent, each.against) for each in found.pairs] == [
        ("one", "first"), ("one", "second"), ("two", "first"), ("two", "second"),
    ]  # fmt: skip
    assert [each.score.value for each in found.pairs] == [15, 12, 3, 4]
    assert [each.outcome.value for each in found.pairs] == [0.5] * 4
    # of two values x and y the standard error of the mean is |x - y| / 2
    z = 1.959964
    assert found.pairs[0].score.low == pytest.approx(15 - 5 * z)
    one, two = found.differences
    assert (one.agent, one.against, one.first) == ("one", "second", "first")
    assert (two.agent, two.against, two.first) == ("two", "second", "first")
    # -2 and -4, which is exactly a fifth less both times
    assert one.score.value == -3
    assert one.score.high == pytest.approx(-3 + z)
    assert [one.percent.value, one.percent.low, one.percent.high] == pytest.approx([-20] * 3)
    # 0 and 2: one third of 3; what is left of them is -4/3 and 4/3, for a sum of 6
    assert (two.score.value, two.score.low) == (1, pytest.approx(1 - z))
    assert two.percent.value == pytest.approx(100 / 3)
    half = z * 100 * np.sqrt(2 * ((4 / 3) ** 2 + (4 / 3) ** 2)) / 6
    assert two.percent.high - two.percent.value == pytest.approx(half)
    # the means of a deal are 7 and 6, then 11 and 10: 1 less both times, of 9
    (panel,) = found.panel
    assert panel.agent is None
    assert (panel.score.value, panel.score.low, panel.score.high) == (-1, -1, -1)
    assert panel.percent.value == pytest.approx(-100 / 9)


def test_there_is_no_percentage_of_nothing_and_no_interval_of_one_deal():
    paired = pairs(("one",), deals=1)
    found = paired.summary(ends(paired.plan, [[0, 3]]))
    told = found.differences[0].to_dict()
    assert told["score"] == {"value": 3.0, "low": None, "high": None}
    assert told["percent"] == {"value": None, "low": None, "high": None}
    str(found)
    below = paired.summary(ends(paired.plan, [[-4, -2]]))
    assert below.differences[0].to_dict()["percent"]["value"] is None


def test_with_one_opponent_nothing_is_compared():
    found = evaluate(HOUSE.name, [Digger(CAREFUL)], games=3, against=["pal"])
    assert found.differences == found.panel == ()
    assert "compared" not in str(found)
    assert found.pairs[0].score.value == 2 * TURNS


# --- the games ------------------------------------------------------------------------------------


def test_who_digs_surely_has_the_same_points_against_anybody():
    agents = [Digger(CAREFUL), Digger(BLAST)]
    found = evaluate(HOUSE.name, agents, games=20, seed=3, against=["random", "pal", "greedy"])
    assert (found.games, found.deals, found.options["house"]) == (120, 20, "seat")
    assert [pair.score.value for pair in found.pairs] == [8.0] * 3 + [9.0] * 3
    for each in (*found.differences, *found.panel):
        assert (each.score.value, each.score.low, each.score.high) == (0.0, 0.0, 0.0)
        assert each.percent.value == 0.0


def test_an_agent_against_the_same_opponent_twice_differs_by_nothing():
    found = evaluate(HOUSE.name, ["random", "greedy"], games=20, against=["pal", "random", "pal"])
    for each in (*found.differences[1::2], found.panel[1]):
        assert each.against == "pal"
        assert (each.score.value, each.score.low, each.score.high) == (0.0, 0.0, 0.0)
    spread = found.differences[0].score
    assert spread.high > spread.low, "the dice fall otherwise where the house digs otherwise"


def test_the_numbers_are_those_that_the_records_give_by_hand(tmp_path):
    file = tmp_path / "matches.jsonl"
    agents, others = [Digger(DEEP), "random"], ["pal", Digger(DEEP)]
    found = evaluate(HOUSE.name, agents, games=30, seed=5, record=file, against=others)
    score, outcome = np.full((30, 2, 2), np.nan), np.full((30, 2, 2), np.nan)
    seeds = [set() for _ in range(30)]
    for match in records.read(file):
        for _ in records.positions(match):  # replays
            pass
        told = match.evaluation
        assert (told["agents"], told["against"]) == (["digger-1", "random"], ["pal", "digger-1"])
        i, j = told["agents"].index(match.seats[0]), told["against"].index(match.seats[1])
        score[told["deal"], i, j] = match.score[0]
        outcome[told["deal"], i, j] = match.outcome[0]
        seeds[told["deal"]].add(match.seed)
    assert len(set().union(*seeds)) == 30
    assert all(len(same) == 1 for same in seeds), "all pairs have the same deals"
    for pair, (i, j) in zip(found.pairs, np.ndindex(2, 2), strict=True):
        assert pair.score.value == pytest.approx(score[:, i, j].mean())
        assert pair.outcome.value == pytest.approx(outcome[:, i, j].mean())
    for i, each in enumerate(found.differences):
        apart = score[:, i, 1] - score[:, i, 0]
        assert each.score.value == pytest.approx(apart.mean())
        half = 1.96 * apart.std(ddof=1) / np.sqrt(30)
        assert each.score.high - each.score.value == pytest.approx(half, rel=1e-3)
        assert each.percent.value == pytest.approx(100 * apart.sum() / score[:, i, 0].sum())


def test_the_result_is_the_same_whatever_the_batch_size_and_goes_on_where_it_stopped(tmp_path):
    file = tmp_path / "matches.jsonl"
    agents, others = ["random", "greedy"], ["pal", "random"]
    whole = evaluate(HOUSE.name, agents, games=12, against=others, record=file)
    for size in (1, 5):
        assert evaluate(HOUSE.name, agents, 12, against=others, batch_games=size) == whole
    text = file.read_text()
    file.write_text(text[: 2 * len(text) // 3])
    assert evaluate(HOUSE.name, agents, games=12, against=others, record=file) == whole
    assert file.read_text() == text
    fewer = evaluate(HOUSE.name, agents, games=4, against=others, record=file)
    assert fewer == evaluate(HOUSE.name, agents, games=4, against=others)
    assert file.read_text() == text
    with pytest.raises(ValueError, match="the record is of something else"):
        evaluate(HOUSE.name, agents, games=12, against=["pal", "greedy"], record=file)
    with pytest.raises(ValueError, match="the record is of something else"):
        evaluate(HOUSE.name, agents, games=12, record=file)


def test_pal_at_the_table_is_the_game_that_her_cards_play():
    # 8.3 of the page. Only of who decides alike: what others think of may depend on who Pal is.
    rules = table.rules(SOLO)

    class Last(Agent):
        """Plays the legal action with the highest number."""

        def act(self, view):
            """Choose it."""
            return int(view.actions[-1])

    found = evaluate(SOLO, [Last()], games=6, seed=2, against=["pal", "random", "pal"])
    alone = evaluate(SOLO, [Last()], games=6, seed=2)
    assert found.options["pal"] == "agent"
    assert alone.options["pal"] == "cards"
    assert found.seat == "pal"
    first = found.pairs[0]
    assert first.score == alone.agents[0].alone.score
    assert first.outcome == alone.agents[0].alone.outcome
    zero = found.differences[1].score
    assert (zero.value, zero.low, zero.high) == (0.0, 0.0, 0.0)
    # and every result is of prestige / 100 - 1, as 6.3 says
    options = rules.make_options(num_players=2)
    seats = np.tile([0, 1], (6, 1))
    played = playing.play(rules, options, [Last(), agent_of("pal", SOLO)], seats, _seeds(found))
    assert first.score.value == played.score[:, 0].mean()
    prestige = played.score[:, 0] / 100 - 1
    assert first.outcome.value == pytest.approx(prestige.clip(-1, 1).mean())


def _seeds(found):
    """Return the seeds of an evaluation's deals."""
    rules = table.rules(found.game)
    plan = Pairs(rules, {}, found.agents, found.against, found.seed, found.deals).plan
    return np.array([plan.deal_seed(deal) for deal in range(found.deals)], np.uint64)


# --- how it is told -------------------------------------------------------------------------------


def test_a_result_is_told_in_json_and_as_tables():
    found = evaluate(HOUSE.name, ["greedy", "random"], games=5, seed=5, against=["pal", "random"])
    told = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert told["options"] == {"num_players": 2, "house": "seat"}
    assert (told["seed"], told["games"], told["deals"], told["seat"]) == (5, 20, 5, "house_0")
    assert told["rules_hash"] == HOUSE.rules_hash
    assert [(each["agent"], each["against"], each["games"]) for each in told["pairs"]] == [
        ("greedy", "pal", 5), ("greedy", "random", 5), ("random", "pal", 5), ("random", "random", 5)
    ]  # fmt: skip
    assert set(told["pairs"][0]["score"]) == {"value", "low", "high"}
    assert told["differences"][1]["first"] == "pal"
    assert told["panel"][0]["agent"] is None
    console = Console(width=120, file=io.StringIO())
    console.print(found)
    shown = console.file.getvalue()
    assert "who plays house_0: 20 games on 5 deals" in shown
    assert "the score compared with that against pal" in shown
    assert "mean of all" in shown
    assert str(found).count("random") == shown.count("random")


@pytest.mark.parametrize(
    ("game", "agents", "against", "options", "told"),
    [
        (SHAFTS.name, ["greedy"], ["random"], {}, "automated opponent's seat; toy_shafts has none"),
        (LONE.name, ["greedy"], ["random"], {}, "automated opponent's seat; toy_lone has none"),
        (HOUSE.name, ["greedy"], [], {}, "no agents were given as against"),
        (HOUSE.name, ["greedy"], ["nobody"], {}, "there is no agent 'nobody'"),
        (HOUSE.name, ["greedy"], ["human"], {}, "human waits for a person"),
        (HOUSE.name, ["greedy"], ["pal"], {"num_players": 1}, "which the rules play with num_play"),
        (
            HOUSE.name,
            ["greedy"],
            ["pal"],
            {"house": "rules"},
            "house=rules; allowed: num_players=2",
        ),
        (HOUSE.name, ["greedy"], ["pal"], {"colour": 1}, "no option 'colour'"),
        (HOUSE.name, ["pal"], ["pal"], {}, "pal plays the seat house_0; asked for player_0"),
    ],
)
def test_what_is_not_allowed_is_told(game, agents, against, options, told):
    with pytest.raises(ValueError, match=told):
        evaluate(game, agents, games=2, against=against, **options)


@pytest.mark.parametrize("against", ["pal", 3, Digger(DEEP)])
def test_opponents_have_to_be_a_list(against):
    with pytest.raises(TypeError, match=r"against is .*; allowed: a list of agents"):
        evaluate(HOUSE.name, ["greedy"], games=2, against=against)


def test_agents_do_not_take_turns_in_seats_that_are_not_alike():
    for options in ({"num_players": 2}, {"pal": "agent"}):
        with pytest.raises(ValueError, match=r"the seat pal is not like .* --against pal,random"):
            evaluate(SOLO, ["greedy", "random"], games=2, **options)


def test_the_command_evaluates_against_an_automated_opponent(capsys, tmp_path):
    output, file = tmp_path / "result.json", tmp_path / "matches.jsonl"
    command = ["evaluate", HOUSE.name, "--agents", "greedy,rollout:playouts=2", "--games", "4",
               "--against", "pal,rollout:playouts=2,random", "--record", str(file), "--output",
               str(output)]  # fmt: skip
    assert cli.main(command) == 0
    told = capsys.readouterr()
    assert "24 games on 4 deals" in told.out
    assert "6 pairs" in told.err
    assert "24 of 24 games" in told.err
    assert json.loads(output.read_text())["against"] == ["pal", "rollout:playouts=2", "random"]
    assert cli.main(["replay", str(file)]) == 0
    assert "24 matches re-played, every end as recorded" in capsys.readouterr().out
    assert cli.main(["evaluate", LONE.name, "--against", "pal"]) == 2
    assert "toy_lone has none" in capsys.readouterr().err


def test_a_pairing_keeps_what_it_was_made_of():
    found = evaluate(HOUSE.name, ["random"], games=2, against=["pal"])
    assert dataclasses.replace(found) == found
    assert found.options == HOUSE.options_dict(HOUSE.make_options(house="seat"))
