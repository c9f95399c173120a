"""The package as it is installed: its parts, its public names, its version."""

import importlib
import sys
import tomllib

import pytest

import bonebed
import house

PROJECT = tomllib.loads((house.ROOT / "pyproject.toml").read_text("utf-8"))
SETTINGS = PROJECT["tool"]["setuptools"]


def test_every_folder_with_code_is_in_the_distribution():
    inits = [file for layer in house.LAYERS for file in house.ROOT.glob(f"{layer}/**/__init__.py")]
    folders = {".".join(file.parent.relative_to(house.ROOT).parts) for file in inits}
    assert set(SETTINGS["packages"]) == {"bonebed"} | {f"bonebed.{folder}" for folder in folders}


def test_every_file_of_data_is_in_the_distribution():
    listed = {
        file
        for package, patterns in SETTINGS["package-data"].items()
        for pattern in patterns
        for file in house.ROOT.joinpath(*package.split(".")[1:]).glob(pattern)
    }
    files = {file for layer in house.LAYERS for file in house.ROOT.glob(f"{layer}/**/*.*")}
    data = {f for f in files if f.suffix not in {".py", ".pyc"} and "__pycache__" not in f.parts}
    assert data | {house.ROOT / "py.typed"} <= listed


def test_the_version_is_the_distribution_s():
    assert bonebed.__version__ == PROJECT["project"]["version"]


def test_every_public_name_can_be_had_and_is_listed():
    for name in bonebed.__all__:
        assert getattr(bonebed, name) is not None
        assert name in dir(bonebed)
    with pytest.raises(AttributeError, match="'bonebed' has no attribute 'dinosaur'"):
        _ = bonebed.dinosaur


def test_a_game_that_there_is_not_and_an_option_that_it_has_not_are_named():
    with pytest.raises(ValueError, match=r"chess.*fossil"):
        bonebed.batch("chess")
    with pytest.raises(ValueError, match=r"fossil has no option 'colour'.*num_players"):
        bonebed.random_games("fossil", games=1, colour="red")
    with pytest.raises(ValueError, match="num_players is 7; allowed: 2, 3, 4, 5, 6"):
        bonebed.batch("fossil", num_players=7)


def test_the_default_number_of_players_is_the_game_s():
    batch = bonebed.batch("fossil")
    assert batch.gain.shape == (1, 2)
    assert bonebed.random_games("fossil", games=2).score.shape == (2, 2)


def test_a_second_import_of_the_root_under_another_name_changes_nothing():
    import gymnasium

    before = dict(gymnasium.registry)
    spec = importlib.util.spec_from_file_location(
        "checkout", house.ROOT / "__init__.py", submodule_search_locations=[str(house.ROOT)]
    )
    module = importlib.util.module_from_spec(spec)
    sys.modules["checkout"] = module
    try:
        spec.loader.exec_module(module)
        assert module.games() == bonebed.games()
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "checkout"]:
            del sys.modules[name]
    assert dict(gymnasium.registry) == before
