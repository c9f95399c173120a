"""The ids of the games appear in Gymnasium and PettingZoo, whichever is imported first."""

import subprocess
import sys
import warnings
from types import SimpleNamespace

import gymnasium
import pettingzoo
import pytest

from bonebed.envs import registration, table

ROWS = tuple(table.GAMES.values())


def run(*lines: str) -> str:
    """Run code in a fresh process, warnings as errors, and return what it prints."""
    command = [sys.executable, "-W", "error", "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
@pytest.mark.parametrize(
    "imports",
    [
        "import bonebed, gymnasium, pettingzoo",
        "import bonebed, pettingzoo, gymnasium",
        "import gymnasium, bonebed, pettingzoo",
        "import gymnasium, pettingzoo, bonebed",
        "import bonebed\nimport gymnasium.spaces\nimport pettingzoo.utils",
        "import bonebed, importlib.util\nimportlib.util.find_spec('gymnasium')\n"
        "import gymnasium, pettingzoo",
    ],
)
def test_the_ids_are_there_in_whatever_order_things_are_imported(imports, row):
    run(
        imports,
        f"assert gymnasium.spec({row.gym_id!r}).kwargs == {{'game': {row.name!r}}}",
        f"assert pettingzoo.spec('aec', {row.aec_id!r}).entry_point == 'bonebed.{row.env}:env'",
        "import sys",
        "assert not [f for f in sys.meta_path if type(f).__module__.startswith('bonebed')]",
    )


def test_importing_the_package_imports_neither_library():
    loaded = run("import bonebed, sys", "print(*sys.modules)").split()
    assert not {"gymnasium", "pettingzoo", "numpy", "numba"} & set(loaded)


def test_a_second_installation_changes_nothing_and_does_not_warn():
    before = dict(gymnasium.registry), dict(pettingzoo.aec_registry), list(sys.meta_path)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registration.install()
        registration.install()
    assert (gymnasium.registry, pettingzoo.aec_registry, sys.meta_path) == before


def test_two_copies_of_the_package_wait_side_by_side():
    # Pytest imports the package's root once more, by the checkout's name.
    run(
        "import importlib.util, sys, bonebed.envs.registration as first",
        "spec = importlib.util.spec_from_file_location('bonebed.envs.copy', first.__file__)",
        "second = importlib.util.module_from_spec(spec)",
        "spec.loader.exec_module(second)",
        "first.install(), second.install()",
        "import pettingzoo",
        *(f"pettingzoo.spec('aec', {row.aec_id!r})" for row in ROWS),
        "import gymnasium",
        *(f"gymnasium.spec({row.gym_id!r})" for row in ROWS),
    )


def test_a_pettingzoo_without_a_registry_is_left_alone():
    registration._register_pettingzoo(SimpleNamespace())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_pettingzoo_makes_the_environment_with_its_options(row):
    env = pettingzoo.make("aec", row.aec_id, num_players=2, reward="points")
    assert isinstance(env, table.face(row.name).raw_env)
    assert env.num_players == 2
    assert env.reward_mode == "points"


def test_an_unknown_game_is_refused_with_the_known_ones():
    for find in (table.game, table.rules, table.face):
        with pytest.raises(ValueError, match="no game 'chess'; known: fossil"):
            find("chess")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_row_names_what_is_there(row):
    assert table.rules(row.name).name == row.name
    assert table.rules(row.name).title == row.title
    assert table.face(row.name).raw_env.game == row.name
    assert row.env.endswith(table.face(row.name).raw_env.metadata["name"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_reference_page_has_the_numbers_of_the_rules(row):
    rules = table.rules(row.name)
    page = " ".join(table.face(row.name).raw_env.__doc__.split())
    assert f"Discrete({rules.n_actions})" in page
    assert f" {rules.max_decisions:,} decisions" in page
    several = rules.max_players > rules.min_players
    assert f"{rules.min_players}" + f" to {rules.max_players}" * several in page
