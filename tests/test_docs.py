"""What the README and the docs show is true: every snippet runs, every link leads somewhere.

A page's Python blocks are one script, run from top to bottom in an empty folder. Each line of a
`console` block that starts with `$ ` is a command; `bonebed` commands run in one such folder per
page, after its Python.
"""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import house
from bonebed.envs import table

PAGES = sorted([*house.ROOT.glob("*.md"), *house.ROOT.glob("docs/**/*.md")])
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Commands that go on until somebody stops them are answered here, long ones get a smaller size.
TYPED = {"bonebed play": "quit\n"}
SMALLER = {
    "bonebed train ppo --game": "--minutes 0.02 --num-envs 16 --evaluations 0",
    "bonebed train ppo --folder": "--minutes 0.04",
    "bonebed train expert": "--minutes 0.02 --num-envs 4 --simulations 4 --evaluations 0",
    "bonebed train sb3": "--minutes 0.02 --num-envs 16",
}
# What a fresh machine runs and this one must not: it would install, or run these tests again.
NOT_RUN = ("pip install ", ". .venv/bin/activate", "pytest ", "NUMBA_", "tensorboard ")


def blocks(page: Path, language: str) -> list[str]:
    """Return the text of a page's blocks in a language."""
    return [text for name, text in BLOCK.findall(page.read_text("utf-8")) if name == language]


def commands(page: Path) -> list[str]:
    """Return the commands of a page's console blocks, comments cut off."""
    lines = [line for text in blocks(page, "console") for line in text.splitlines()]
    return [line[2:].split("  #")[0].strip() for line in lines if line.startswith("$ ")]


def page_id(page: Path) -> str:
    """Name a page in the test's id."""
    return page.relative_to(house.ROOT).as_posix()


GUIDE = house.ROOT / "docs" / "adding_a_game.md"  # its blocks are files of a game

with_python = pytest.mark.parametrize(
    "page", [page for page in PAGES if page != GUIDE and blocks(page, "python")], ids=page_id
)
with_commands = pytest.mark.parametrize(
    "page", [page for page in PAGES if commands(page)], ids=page_id
)
every_page = pytest.mark.parametrize("page", PAGES, ids=page_id)


def run(
    arguments: list[str], folder: Path, typed: str = "", environment: dict[str, str] | None = None
) -> None:
    """Run a command in a folder; a failure shows what it printed."""
    scripts = Path(sys.executable).parent
    path = {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        arguments,
        cwd=folder,
        env={**os.environ, **path, **(environment or {})},
        input=typed,
        capture_output=True,
        text=True,
    )
    told = f"{shlex.join(arguments)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    assert done.returncode == 0, told


@with_python
def test_the_python_of_a_page_runs(page, tmp_path):
    script = tmp_path / "snippets.py"
    script.write_text("\n".join(blocks(page, "python")), encoding="utf-8")
    run([sys.executable, "-W", "error", str(script)], tmp_path)


@with_commands
def test_the_commands_of_a_page_run(page, tmp_path):
    for command in commands(page):
        words = shlex.split(command)
        if words[0] == "bonebed":
            typed = next((t for c, t in TYPED.items() if command.startswith(c)), "")
            smaller = next((s for c, s in SMALLER.items() if command.startswith(c)), "")
            run([*words, *shlex.split(smaller)], tmp_path, typed)
        elif words[0] == "make":
            run(["make", "--dry-run", *words[1:]], house.ROOT)
        else:
            assert command.startswith(NOT_RUN), f"nothing runs this command: {command}"


PLAY_PIT = """
import importlib.util
import sys

import house
import lockstep
from naive import pit as naive

spec = importlib.util.spec_from_file_location("bonebed.kernels.pit", "kernels/pit.py")
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
spec.loader.exec_module(module)

from bonebed.kernels.batch import Batch, random_games

rules = module.RULES
for players in (2, 3, 4):
    events = lockstep.play_seeds(rules, naive, range(100), "at_random", num_players=players)
    assert all(events[event] >= times for event, times in naive.RARE_EVENTS.items()), events
    games = random_games(rules, rules.make_options(num_players=players), 100)
    assert games.decisions.max() <= rules.max_decisions
    naive.check_conservation(rules.new(players), {"num_players": players})
batch = Batch(rules, rules.make_options(num_players=3), 8)
batch.play_random(100)
assert house.padding(rules.STATE) == house.padding(rules.OBS) == []
"""


def test_the_game_of_the_guide_is_complete(tmp_path):
    sources = {}
    for text in blocks(GUIDE, "python") + blocks(GUIDE, "toml"):
        path = text.splitlines()[0].removeprefix("# ")
        sources[path] = text
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    (tmp_path / "tests/naive/__init__.py").touch()
    kernel = {"kernels/pit.py": sources["kernels/pit.py"]}
    for path in house.FILES_OF_A_GAME:
        assert path[0].format(game="<game>").replace("*", "0") in GUIDE.read_text("utf-8")
    assert not house.kernel_docstrings(kernel)
    assert not house.layering(kernel)
    assert not house.imports_of_references({"pit.py": sources["tests/naive/pit.py"]})
    assert set(generator().comments_of(sources["kernels/pit.py"])) == {"ACTIONS", "OBS"}
    environment = {
        "BONEBED_COMPONENTS": str(tmp_path / "kernels/components"),
        "BONEBED_CACHE": "0",
        "PYTHONPATH": f"{tmp_path / 'tests'}{os.pathsep}{house.ROOT / 'tests'}",
    }
    run([sys.executable, "-c", PLAY_PIT], tmp_path, environment=environment)


@every_page
def test_blocks_are_in_a_language_that_is_checked(page):
    languages = {name for name, _ in BLOCK.findall(page.read_text("utf-8"))}
    assert languages <= {"python", "console", "toml", ""}


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's heads, as GitHub makes them."""
    heads = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@every_page
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), f"{link}: no such file"
        assert not anchor or anchor in anchors(target), f"{link}: no such head"


def generator():
    """Load docs/generate.py, which is a script outside the package."""
    spec = importlib.util.spec_from_file_location("generate", house.ROOT / "docs" / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_generated_tables_are_what_the_schemas_say(capsys):
    status = generator().main(["--check"])
    assert status == 0, f"run `make docs`: {capsys.readouterr().out}"


@pytest.mark.parametrize("game", table.GAMES)
def test_a_page_that_differs_from_the_schema_is_rewritten(game):
    docs = generator()
    text = (docs.PAGES / f"{game}.md").read_text("utf-8")
    wrong = text.replace(f"| `{table.rules(game).OBS.names[0]}` |", "| `other` |")
    assert wrong != text
    assert docs.fill(wrong, docs.tables_of(game)) == text


def test_a_page_has_to_have_the_place_of_each_of_its_tables():
    fill, text = generator().fill, "<!-- generated: games -->\nold\n<!-- end -->\n"
    assert "\nnew\n" in fill(text, {"games": ["new"]})
    for wrong in ({}, {"actions": []}, {"games": [], "actions": []}):
        with pytest.raises(ValueError, match="generated tables"):
            fill(text, wrong)


def test_an_entry_without_a_comment_is_an_error():
    docs = generator()
    with pytest.raises(ValueError, match="'seat' of OBS needs a comment"):
        docs.comments_of('OBS = record([("turn", "f4"),  # whose\n    ("seat", "f4")])\n')


def test_comments_stand_beside_an_entry_or_above_it():
    source = (
        "OBS = rules.record([\n"
        '    ("turn", "f4", (6,)),  # whose decision\n'
        "    # a long one\n"
        "    # on two lines\n"
        '    ("seat", "f4", (6,)),\n'
        "])\n"
        "ACTIONS = Table(\n"
        "    dig={},  # dig\n"
        ")\n"
    )
    assert generator().comments_of(source) == {
        "OBS": {"turn": "whose decision", "seat": "a long one on two lines"},
        "ACTIONS": {"dig": "dig"},
    }
