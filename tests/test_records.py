"""Match records: they re-play, and whatever is wrong with a file is told with its line."""

import dataclasses
import json

import numpy as np
import pytest

from bonebed.agents import records
from bonebed.agents.evaluate import evaluate
from bonebed.envs import table

RULES = table.rules("fossil")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """A file of matches."""
    file = tmp_path_factory.mktemp("records") / "matches.jsonl"
    evaluate("fossil", ["greedy", "random", "random"], games=6, record=file, tactical=True)
    return file


@pytest.fixture
def match(recorded):
    """The first of them."""
    return next(records.read(recorded))


def test_every_recorded_match_re_plays_to_its_end(recorded):
    matches = list(records.read(recorded))
    assert len(matches) == 6
    for match in matches:
        positions = [(states[0].copy(), action) for states, action in records.positions(match)]
        assert [action for _, action in positions] == [*match.actions, None]
        end = positions[-1][0]
        assert end.done
        assert tuple(end.score[:3].tolist()) == match.score
        assert match.options == {"num_players": 3, "tactical": True, "setup": "auto"}


def test_a_line_stands_for_itself(match):
    data = json.loads(match.line())
    assert data["game"] == "fossil"
    assert data["rules_hash"] == RULES.rules_hash
    assert sorted(data["seats"]) == ["greedy", "random", "random"]
    assert records.parse(match.line(), "here") == match
    unfinished = dataclasses.replace(match, score=None, outcome=None, actions=match.actions[:3])
    assert records.parse(unfinished.line(), "here") == unfinished
    assert not unfinished.done
    assert [action for _, action in records.positions(unfinished)][-1] is None


def changed(match, **values):
    """Return the line of a match with some values replaced, or taken away by None."""
    data = {**json.loads(match.line()), **values}
    return json.dumps({key: value for key, value in data.items() if value is not None})


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"game": None}, "'game' is missing"),
        ({"game": 3}, "'game' is wrong: 3"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"seed": True}, "'seed' is wrong"),
        ({"seed": 2**64}, r"seed \d+ is not in"),
        ({"seed": 1.5}, "'seed' is wrong"),
        ({"actions": [1, "2"]}, "'actions' is wrong"),
        ({"actions": None}, "'actions' is missing"),
        ({"seats": ["greedy", 3, "random"]}, "'seats' is wrong"),
        ({"seats": ["greedy"]}, "1 seats for 3 players"),
        ({"score": [1, 2]}, "2 score for 3 players"),
        ({"score": [1.5, 2, 3]}, "'score' is wrong"),
        ({"options": {"tactical": 7}}, "option tactical is 7"),
        ({"options": {"colour": 7}}, "no option 'colour'"),
        ({"options": []}, "'options' is wrong"),
        ({"evaluation": 7}, "'evaluation' is wrong"),
    ],
)
def test_a_broken_line_is_told_with_its_number(match, tmp_path, values, told):
    file = tmp_path / "matches.jsonl"
    file.write_text(match.line() + "\n\n" + changed(match, **values) + "\n")
    with pytest.raises(records.RecordError, match=rf"matches.jsonl, line 3: .*{told}"):
        list(records.read(file))


@pytest.mark.parametrize(
    "foreign", [b"\x89PNG\r\n\x1a\n\x00\x00", b"hello\n", b"[1, 2]\n", b'{"a": 1}\n', b"[" * 10**5]
)
def test_a_foreign_file_is_refused(tmp_path, foreign):
    file = tmp_path / "foreign"
    file.write_bytes(foreign)
    with pytest.raises(records.RecordError, match="foreign, line 1: not a match record"):
        list(records.read(file))


def test_an_empty_or_missing_file_is_told(tmp_path):
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(records.RecordError, match="empty: there is no match"):
        list(records.read(tmp_path / "empty"))
    with pytest.raises(FileNotFoundError):
        list(records.read(tmp_path / "missing"))


def replayed(match):
    """Re-play a match from its line."""
    for _ in records.positions(records.parse(match.line(), "FILE, line 7")):
        pass


def test_a_match_that_does_not_re_play_is_told(match):
    wrong = [
        ({"score": (1, 2, 3)}, r"recorded score \(1, 2, 3\), re-played"),
        ({"outcome": (0.0, 0.0, 0.0)}, "recorded outcome"),
        ({"actions": match.actions[:-1]}, "not over after its"),
        ({"actions": (*match.actions, 0)}, "the match is over"),
        ({"actions": (217, *match.actions[1:])}, r"decision 0 is 217, legal: \[0, 1"),
        ({"actions": (-1, *match.actions[1:])}, "decision 0 is -1"),
        ({"actions": (10**30, *match.actions[1:])}, "decision 0 is 1000"),
    ]
    for values, told in wrong:
        with pytest.raises(records.RecordError, match=f"FILE, line 7: does not re-play: .*{told}"):
            replayed(dataclasses.replace(match, **values))
    with pytest.raises(records.RecordError, match="played under other rules: their hash is abc"):
        replayed(dataclasses.replace(match, score=(1, 2, 3), rules_hash="abc"))
    replayed(dataclasses.replace(match, rules_hash="abc"))


def test_a_file_is_written_whole_or_not_at_all(match, tmp_path, monkeypatch):
    file = tmp_path / "save.json"
    records.write(file, match)
    monkeypatch.setattr(records.os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        records.write(file, dataclasses.replace(match, actions=()))
    assert next(records.read(file)) == match


def test_a_line_that_was_not_written_to_its_end_is_cut_off(match, tmp_path):
    file = tmp_path / "matches.jsonl"
    records.append(file, [match, match])
    whole = file.read_bytes()
    for torn in (b"", whole[:50], whole[:1], b"\x00\x00"):
        file.write_bytes(whole + torn)
        assert np.all([found == match for found in records.read(file, unfinished=True)])
        records.mend(file, '{"game":')
        assert file.read_bytes() == whole
    file.write_bytes(whole[:50])  # the first line is torn already
    assert list(records.read(file, unfinished=True)) == []
    records.mend(file, '{"game":')
    assert file.read_bytes() == b""


def test_a_line_of_which_only_the_break_is_missing_is_kept(match, tmp_path):
    file = tmp_path / "matches.jsonl"
    records.append(file, [match, match])
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert len(list(records.read(file, unfinished=True))) == 2
    records.mend(file, '{"game":')
    assert file.read_bytes() == whole


@pytest.mark.parametrize("foreign", [b"hello", b"\n\nhello", b'{"ga', b"\x89PNG"])
def test_mending_refuses_a_file_of_something_else(tmp_path, foreign):
    file = tmp_path / "foreign"
    file.write_bytes(foreign)
    with pytest.raises(records.RecordError, match="foreign: not a match record"):
        records.mend(file, '{"game":"fossil"' if foreign != b'{"ga' else '{"kind":')
    assert file.read_bytes() == foreign


def test_a_file_that_cannot_be_written_is_named(match, tmp_path):
    missing, folder = tmp_path / "nowhere" / "x.json", tmp_path
    for use in (records.check_writable, lambda file: records.write(file, match)):
        with pytest.raises(FileNotFoundError) as error:
            use(missing)
        assert error.value.filename == str(missing)
        with pytest.raises(IsADirectoryError):
            use(folder)


def test_asking_whether_a_file_can_be_written_leaves_it_as_it_is(tmp_path):
    file = tmp_path / "x.json"
    records.check_writable(file)
    assert not file.exists()
    file.write_text("kept")
    records.check_writable(file)
    assert file.read_text() == "kept"
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "later.json")
    records.check_writable(link)
    assert link.is_symlink()
    assert not link.exists()
