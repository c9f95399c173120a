"""Every game plays as its golden file tells: tests/golden/<game>.txt.

If a difference is meant, regenerate with `python tests/golden/playthrough.py` and read the diff.
"""

import pytest

from bonebed.envs import table
from golden import playthrough

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("name", table.GAMES)
def test_the_told_game_goes_as_it_went(name):
    header, _, lines = playthrough.read(name)
    assert playthrough.tell(name, header) == lines


@pytest.mark.parametrize("name", table.GAMES)
def test_random_games_have_their_signature(name, n_games):
    _, golden, _ = playthrough.read(name)
    assert len(golden) == playthrough.GAMES // playthrough.EVERY
    games = max(playthrough.EVERY, n_games(playthrough.GAMES))
    assert playthrough.signatures(name, games) == golden[: games // playthrough.EVERY]
