"""Evaluation: balanced seats on paired deals, honest intervals, going on after a stop."""

import dataclasses
import io
import json
import sys
from collections import Counter

import numpy as np
import pytest
from rich.console import Console

import bonebed
from bonebed.agents import Agent, ratings, records
from bonebed.agents.evaluate import evaluate, seatings
from bonebed.envs import table

RULES = table.rules("fossil")


# --- seating -------------------------------------------------------------------------------------

SIZES = [(a, n) for a in (1, 2, 3, 4, 5, 7) for n in (2, 3, 4, 6)]


@pytest.mark.parametrize(("num_agents", "num_players"), SIZES)
def test_every_agent_has_every_seat_equally_often_in_each_deal(num_agents, num_players):
    for deal in range(20):
        seats = seatings(num_agents, num_players, 3, deal)
        assert seats.shape == (max(num_agents, num_players), num_players)
        for column in seats.T:
            assert sorted(column) == sorted(seats[:, 0])
        if num_agents >= num_players:
            assert sorted(seats[:, 0]) == list(range(num_agents)), "each of them once"
            assert all(len(set(row)) == num_players for row in seats.tolist()), "no agent twice"
        else:
            assert (seats == 0).sum(1).tolist() == [num_players if num_agents == 1 else 1] * len(
                seats
            )


def test_a_field_is_shared_equally_by_the_other_agents():
    taken = Counter(agent for deal in range(40) for agent in seatings(4, 6, 0, deal)[0].tolist())
    assert taken == {0: 40, 1: 67, 2: 67, 3: 66}  # 5 seats of 40 deals among three


def test_all_agents_meet_equally_often():
    met = Counter()
    for deal in range(3000):
        for row in seatings(5, 2, 1, deal).tolist():
            met[frozenset(row)] += 1
    # 15,000 games among 10 pairs; each deal is a cycle that holds a pair with chance 1/2
    spread = np.sqrt(3000 / 4)
    assert len(met) == 10
    assert max(abs(count - 1500) for count in met.values()) < 5 * spread


def test_who_sits_behind_whom_changes_from_deal_to_deal():
    orders = {tuple(np.roll(row, -row.index(0))) for deal in range(60)
              for row in seatings(4, 4, 0, deal).tolist()}  # fmt: skip
    assert len(orders) == 6, "all the ways to sit round a table"


# --- games ---------------------------------------------------------------------------------------


def test_the_result_is_the_same_whatever_the_batch_size():
    one, two, all_at_once = (
        evaluate("fossil", ["random", "greedy", "rollout:playouts=1"], 12, batch_games=size)
        for size in (1, 5, 512)
    )
    assert one == two == all_at_once
    assert evaluate("fossil", ["random", "greedy"], 12, seed=1) != evaluate(
        "fossil", ["random", "greedy"], 12, seed=2
    )


def test_games_of_a_deal_have_the_same_tiles_and_numbers_are_rounded_up(tmp_path):
    file = tmp_path / "matches.jsonl"
    result = evaluate("fossil", ["random", "greedy", "greedy"], games=8, record=file)
    assert (result.games, result.deals) == (9, 3)
    matches = list(records.read(file))
    seeds = {}
    for match in matches:
        seeds.setdefault(match.evaluation["deal"], set()).add(match.seed)
    assert len(matches) == 9
    assert all(len(found) == 1 for found in seeds.values())
    assert len({min(found) for found in seeds.values()}) == 3


def test_the_numbers_are_those_that_the_records_give_by_hand(tmp_path):
    file = tmp_path / "matches.jsonl"
    result = evaluate("fossil", ["greedy", "random"], 12, num_players=4, seed=4, record=file)
    wins, ranks, margins, seat_wins = [], [], [], np.zeros(4)
    for match in records.read(file):
        best = max(match.score)
        winners = [seat for seat in range(4) if match.score[seat] == best]
        for seat in winners:
            seat_wins[seat] += 1 / len(winners)
        seat = match.seats.index("greedy")
        own = match.score[seat]
        above = sum(score > own for score in match.score)
        level = sum(score == own for score in match.score)
        wins.append(1 / len(winners) if seat in winners else 0.0)
        ranks.append(1 + above + (level - 1) / 2)
        margins.append(own - (sum(match.score) - own) / 3)
    greedy, field = result.agents
    assert (greedy.games, field.games) == (12, 12)
    assert greedy.win_rate.value == pytest.approx(np.mean(wins))
    assert greedy.mean_rank.value == pytest.approx(np.mean(ranks))
    assert greedy.score_margin.value == pytest.approx(np.mean(margins))
    assert [seat.value for seat in result.seats] == pytest.approx(seat_wins / 12)
    # the field has three seats of every game: what one loses the others win
    assert field.win_rate.value == pytest.approx((1 - np.mean(wins)) / 3)
    assert field.mean_rank.value == pytest.approx((10 - np.mean(ranks)) / 3)
    assert field.score_margin.value == pytest.approx(-np.mean(margins) / 3)


def test_an_agent_against_itself_wins_exactly_its_share():
    result = evaluate("fossil", ["greedy", "greedy"], games=20)
    for agent in result.agents:
        assert agent.win_rate.value == 0.5
        assert agent.score_margin.value == 0.0
        assert agent.mean_rank.value == 1.5
    alone = evaluate("fossil", ["random"], games=6, num_players=3)
    assert alone.games == 6
    assert alone.agents[0].win_rate.value == pytest.approx(1 / 3)
    assert alone.agents[0].rating is None


def test_a_result_is_told_in_json_and_as_a_table():
    result = evaluate("fossil", ["greedy", "random"], games=6, seed=5, tactical=True)
    told = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert told["game"] == "fossil"
    assert told["options"] == {"num_players": 2, "tactical": True, "setup": "auto"}
    assert (told["seed"], told["games"], told["deals"]) == (5, 6, 3)
    assert told["rules_hash"] == RULES.rules_hash
    assert told["sheet_hash"] == RULES.sheet.hash
    assert told["version"] == bonebed.__version__
    assert [agent["spec"] for agent in told["agents"]] == ["greedy", "random"]
    assert set(told["agents"][0]["win_rate"]) == {"value", "low", "high"}
    assert set(told["agents"][0]["rating"]) == {"mu", "sigma"}
    assert len(told["seats"]) == 2
    console = Console(width=120, file=io.StringIO())
    console.print(result.table())
    shown = console.file.getvalue()
    assert "greedy" in shown
    assert "wins by seat" in shown


def test_one_deal_gives_no_interval_of_the_margin():
    told = evaluate("fossil", ["greedy", "random"], games=2).to_dict()["agents"][0]
    assert told["score_margin"]["low"] is None
    assert told["win_rate"]["low"] >= 0.0


@pytest.mark.parametrize(
    ("agents", "options", "told"),
    [
        ([], {}, "no agents"),
        (["human", "greedy"], {}, "human waits for a person"),
        (["greedy"], {"num_players": 9}, "num_players is 9; allowed: 2, 3, 4, 5, 6"),
        (["greedy"], {"tactical": 3}, "tactical is 3"),
        (["greedy"], {"colour": 3}, "no option 'colour'"),
        (["greedy"], {"games": 0}, "games is 0"),
        (["greedy"], {"seed": -1}, "seed is -1"),
        (["greedy"], {"batch_games": 0}, "batch_games is 0"),
        (["nobody"], {}, "no agent 'nobody'"),
    ],
)
def test_what_is_not_allowed_is_told(agents, options, told):
    with pytest.raises(ValueError, match=told):
        evaluate("fossil", agents, **options)
    with pytest.raises(ValueError, match="no game 'chess'"):
        evaluate("chess", agents)


def test_the_number_of_players_follows_the_agents_where_it_can():
    assert evaluate("fossil", ["random"] * 3, games=1).options["num_players"] == 3
    default = RULES.options_dict(RULES.make_options())["num_players"]
    assert evaluate("fossil", ["random"] * 7, games=1).options["num_players"] == default
    assert evaluate("fossil", ["random"], games=1).options["num_players"] == default


def test_progress_is_shown_when_asked_for(capsys):
    evaluate("fossil", ["random", "random"], games=6, batch_games=4, progress=True)
    assert "6 of 6 games" in capsys.readouterr().err


# --- going on ------------------------------------------------------------------------------------


class Interrupted(Agent):
    """Plays at random, until the patience of whoever watches is at its end."""

    def __init__(self, patience):
        self.patience = patience

    def act(self, view):
        """Choose by the view's luck."""
        self.patience -= 1
        if self.patience < 0:
            raise KeyboardInterrupt
        return int(view.actions[int(view.seed) % len(view.actions)])


def test_an_interrupted_evaluation_goes_on_where_it_stopped(tmp_path):
    file = tmp_path / "matches.jsonl"
    undisturbed = evaluate("fossil", [Interrupted(10**9), "greedy"], games=10)
    with pytest.raises(KeyboardInterrupt):
        evaluate("fossil", [Interrupted(150), "greedy"], 10, record=file, batch_games=2)
    kept = file.read_text()
    assert 0 < kept.count("\n") < 10
    with file.open("a") as opened:
        opened.write(kept.splitlines()[0][:100])  # killed while writing
    again = evaluate("fossil", [Interrupted(10**9), "greedy"], 10, record=file, batch_games=3)
    assert again == undisturbed
    assert file.read_text().startswith(kept)
    assert file.read_text().count("\n") == 10
    # nothing is played any more, and nothing is written twice
    assert evaluate("fossil", [Interrupted(0), "greedy"], games=10, record=file) == undisturbed
    assert file.read_text().count("\n") == 10
    # fewer games read less of the file, more games go on with it
    fewer = evaluate("fossil", [Interrupted(0), "greedy"], games=4, record=file)
    assert fewer == evaluate("fossil", [Interrupted(10**9), "greedy"], games=4)
    more = evaluate("fossil", [Interrupted(10**9), "greedy"], games=12, record=file)
    assert more == evaluate("fossil", [Interrupted(10**9), "greedy"], games=12)


def test_a_record_of_something_else_is_refused(tmp_path):
    file = tmp_path / "matches.jsonl"
    evaluate("fossil", ["greedy", "random"], games=2, record=file)
    for agents, options in (
        (["random", "greedy"], {}),
        (["greedy", "random"], {"seed": 1}),
        (["greedy", "random"], {"tactical": True}),
    ):
        with pytest.raises(ValueError, match=r"line 1: the record is of something else") as error:
            evaluate("fossil", agents, games=2, record=file, **options)
        assert "choose another file" in str(error.value)
    other = dataclasses.replace(next(records.read(file)), rules_hash="0" * 16)
    records.write(file, other)
    with pytest.raises(ValueError, match="rules 0000000000000000, here"):
        evaluate("fossil", ["greedy", "random"], games=2, record=file)


@pytest.mark.parametrize(
    "foreign",
    [
        "nonsense\n",
        "no final newline",
        "two lines,\nthe last one unfinished",
        '{"a": 1}',
        '{"a": 1}\n',
        '{\n "a": 1\n}',
        "\n\n",
        "\n\nx",
        '{"game":"fossil","player":"me',
        "a match of another evaluation",
    ],
)
def test_a_file_that_is_no_record_is_refused_untouched(foreign, tmp_path):
    file = tmp_path / "matches.jsonl"
    if foreign == "a match of another evaluation":
        evaluate("fossil", ["random", "greedy"], games=1, record=file)
        foreign = file.read_text().splitlines()[0]
    file.write_text(foreign)
    with pytest.raises(ValueError, match=r"not a match record|no match in this|something else"):
        evaluate("fossil", ["greedy", "random"], games=2, record=file)
    assert file.read_text() == foreign


def test_a_torn_line_after_other_records_is_kept_when_those_are_of_something_else(tmp_path):
    file = tmp_path / "matches.jsonl"
    evaluate("fossil", ["random", "greedy"], games=2, record=file)
    torn = file.read_text() + file.read_text()[:80]
    file.write_text(torn)
    with pytest.raises(ValueError, match="something else"):
        evaluate("fossil", ["greedy", "random"], games=2, record=file)
    assert file.read_text() == torn


@pytest.mark.parametrize("kept", [5, 200, -1])
def test_an_evaluation_goes_on_from_a_first_line_that_was_cut_short(kept, tmp_path):
    file = tmp_path / "matches.jsonl"
    whole = evaluate("fossil", ["greedy", "random"], games=2, record=file)
    file.write_text(file.read_text().splitlines()[0][:kept])
    assert evaluate("fossil", ["greedy", "random"], games=2, record=file) == whole
    assert len(list(records.read(file))) == 2


def test_a_record_that_cannot_be_written_is_refused_before_a_game_is_played(tmp_path):
    file = tmp_path / "nowhere" / "matches.jsonl"
    with pytest.raises(FileNotFoundError) as error:
        evaluate("fossil", [Interrupted(0), "random"], games=2, record=file)
    assert error.value.filename == str(file)


@pytest.mark.parametrize("agents", ["greedy", Interrupted(0), None, 3, Agent])
def test_agents_have_to_be_a_list(agents):
    with pytest.raises(TypeError, match=r"agents is .*; allowed: a list of agents"):
        evaluate("fossil", agents)


# --- statistics ----------------------------------------------------------------------------------


def test_the_interval_of_single_games_is_that_of_agresti_and_coull():
    # 18 of 20: with 1.9207 successes and failures added p = 19.9207 / 23.8415 = 0.83555,
    # half-width 1.95996 * sqrt(0.83555 * 0.16445 / 23.8415) = 0.14879
    won = np.array([1.0] * 18 + [0.0] * 2)
    estimate = ratings.bounded_mean(won, np.ones(20), 0.0, 1.0)
    assert estimate.value == pytest.approx(0.9)
    assert estimate.low == pytest.approx(0.83555 - 0.14879, abs=2e-4)
    assert estimate.high == pytest.approx(0.83555 + 0.14879, abs=2e-4)


@pytest.mark.parametrize("deals", [1, 2, 10, 500])
def test_an_interval_never_leaves_the_bounds_nor_vanishes(deals):
    counts = np.full(deals, 2.0)
    for value in (0.0, 0.25, 0.5, 1.0):
        estimate = ratings.bounded_mean(value * counts, counts, 0.0, 1.0)
        assert 0.0 <= estimate.low <= value <= estimate.high <= 1.0
        assert estimate.high - estimate.low > 1.0 / (deals + 20)
    lost = ratings.bounded_mean(0.0 * counts, counts, 0.0, 1.0)
    won = ratings.bounded_mean(counts, counts, 0.0, 1.0)
    assert lost.high == pytest.approx(1.0 - won.low)
    assert (lost.low, won.high) == (0.0, 1.0)


@pytest.mark.parametrize("chance", [0.5, 0.75, 0.97])
@pytest.mark.parametrize("together", [0.0, 0.8])
def test_intervals_hold_the_truth_as_often_as_they_say(chance, together):
    # A deal is two games; with chance `together` both go the same way, as on a lopsided deal.
    rng = np.random.default_rng(1)
    deals, trials, held = 60, 2000, 0
    for _ in range(trials):
        won = rng.random((deals, 2)) < chance
        same = rng.random(deals) < together
        won[same, 1] = won[same, 0]
        estimate = ratings.bounded_mean(won.sum(1), np.full(deals, 2), 0.0, 1.0)
        held += estimate.low <= chance <= estimate.high
    assert 0.93 < held / trials < 0.985


def test_pairing_makes_intervals_narrower_and_repetition_makes_them_wider():
    single = np.array([1.0, 0.0] * 100)
    paired = ratings.bounded_mean(np.ones(100), np.full(100, 2.0), 0.0, 1.0)
    free = ratings.bounded_mean(single, np.ones(200), 0.0, 1.0)
    doubled = ratings.bounded_mean(2 * single[:100], np.full(100, 2.0), 0.0, 1.0)
    assert paired.high - paired.low < free.high - free.low < doubled.high - doubled.low


def test_the_interval_of_a_mean_is_that_of_a_ratio():
    # mean 2, deviations -1 and 1 of two deals: standard error sqrt(2 * 2) / 2 = 1
    estimate = ratings.mean([1.0, 3.0], [1.0, 1.0])
    assert estimate.value == 2.0
    assert estimate.high - estimate.value == pytest.approx(1.959964)
    doubled = ratings.mean([2.0, 6.0], [2.0, 2.0])
    assert (doubled.low, doubled.high) == pytest.approx((estimate.low, estimate.high))


def test_ratings_order_agents_by_strength_and_come_from_openskill():
    from openskill.models import PlackettLuce

    games = [(np.array([0, 1, 2]), np.array([1.0, 2.0, 3.0]))] * 20
    first, second, third = ratings.openskill(3, games)
    assert first.mu > second.mu > third.mu
    model = PlackettLuce(tau=0.0)
    one_game = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 3])
    ours = ratings.openskill(3, games[:1])
    assert [rating.mu for rating in ours] == pytest.approx([team[0].mu for team in one_game])
    assert [rating.sigma for rating in ours] == pytest.approx([team[0].sigma for team in one_game])


def test_an_agent_with_several_seats_is_rated_by_its_mean_rank():
    games = [(np.array([1, 0, 1]), np.array([1.0, 2.0, 3.0]))]
    first, second = ratings.openskill(2, games)
    assert first.mu == pytest.approx(second.mu), "the second's mean rank is 2, too"


def test_without_openskill_there_are_no_ratings(monkeypatch):
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    result = evaluate("fossil", ["random", "random"], games=2)
    assert [agent.rating for agent in result.agents] == [None, None]
    assert result.to_dict()["agents"][0]["rating"] is None
    result.table()
