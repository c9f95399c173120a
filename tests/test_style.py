"""The house style holds, and each of its checks finds what it is there to find."""

import ast
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import bonebed
import house
import toy
from bonebed.envs import table
from bonebed.kernels import records
from bonebed.kernels.jit import kernel
from process import run

SOURCES = house.package_sources()
GAMES = tuple(bonebed.games())


def report(found: list[str]) -> str:
    """Show findings one a line under pytest's own message."""
    return "\n" + "\n".join(found)


def test_imports_point_one_way():
    found = house.layering(SOURCES)
    assert not found, report(found)


@pytest.mark.parametrize(
    ("path", "line", "finding"),
    [
        ("kernels/batch.py", "from ..envs import table", "kernels imports envs"),
        ("kernels/batch.py", "from bonebed.agents import agent", "kernels imports agents"),
        ("kernels/fossil.py", "import gymnasium", "kernels import gymnasium"),
        ("envs/aec.py", "from ..agents.seats import seats", "envs imports agents"),
        ("envs/aec.py", "def f():\n    from .. import agents", "envs imports agents"),
        ("agents/greedy.py", "import bonebed.train.ppo", "agents imports train"),
        ("train/ppo.py", "from ..cli import main", "train imports cli"),
        ("agents/greedy.py", "from .. import batch", "from the package root"),
        ("kernels/fossil/state.py", "from ...envs import table", "kernels imports envs"),
    ],
)
def test_an_import_that_points_upwards_is_found(path, line, finding):
    (found,) = house.layering({path: line})
    assert finding in found


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("kernels/batch.py", "from .jit import kernel\nfrom . import rules\nimport numpy as np"),
        ("kernels/jit.py", "import numba, hashlib\nfrom numba.extending import overload"),
        ("envs/aec.py", "from ..kernels import rules\nimport gymnasium"),
        ("train/ppo.py", "from ..agents.network import Network\nfrom .. import __version__"),
        (
            "cli.py",
            "from .envs import table\nfrom .train import ppo\nfrom .benchmarks import speed",
        ),
        ("kernels/fossil/state.py", "from ..jit import kernel\nfrom .actions import MOVE"),
    ],
)
def test_an_import_that_points_downwards_is_fine(path, line):
    assert house.layering({path: line}) == []


def test_one_file_calls_the_compiler():
    found = house.compilers(SOURCES)
    assert not found, report(found)
    assert any(house.compilers({"elsewhere.py": SOURCES[house.JIT_FILE]})), "jit.py calls it"


@pytest.mark.parametrize(
    "text",
    [
        "from numba import njit",
        "import numba\nstep = numba.njit",
        "import numba as nb\nf = nb.vectorize(g)",
        "from numba.experimental import jitclass",
    ],
)
def test_a_second_caller_of_the_compiler_is_found(text):
    (found,) = house.compilers({"kernels/fossil.py": text})
    assert "kernels/jit.py only" in found


def private_names_of_kernels(sources: dict[str, str]) -> list[str]:
    """Find names that begin with an underscore, of modules of the kernels, used outside them."""
    found = []
    for path, text in sources.items():
        if path.startswith("kernels/"):
            continue
        nodes = list(ast.walk(ast.parse(text)))
        imports = [
            (node.lineno, alias)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and "kernels" in (node.module or "").split(".")
            for alias in node.names
        ]
        modules = {alias.asname or alias.name for _, alias in imports}
        used = [(line, alias.name) for line, alias in imports]
        for node in nodes:
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used += [(node.lineno, node.attr)] if node.value.id in modules else []
        found += [f"{path}:{line}: {name} is private" for line, name in used if name[0] == "_"]
    return found


def test_what_is_private_in_the_kernels_is_used_there_only():
    found = private_names_of_kernels(SOURCES)
    assert not found, report(found)


@pytest.mark.parametrize(
    "text",
    [
        "from ..kernels.seats import _deal",
        "from ..kernels import seats as kernel\nkernel._deal(state)",
        "from bonebed.kernels import seats\ndeal = seats._deal",
    ],
)
def test_a_private_kernel_that_is_used_elsewhere_is_found(text):
    assert private_names_of_kernels({"kernels/batch.py": text}) == []
    (found,) = private_names_of_kernels({"envs/aec.py": text})
    assert "_deal is private" in found


def test_every_kernel_names_its_parameters():
    found = house.kernel_docstrings(SOURCES)
    assert not found, report(found)
    kernels = [text for path, text in SOURCES.items() if path.startswith("kernels/")]
    assert sum(text.count("@kernel") for text in kernels) > 20, "the check saw the kernels"


KERNEL = '''
@kernel
def step(state, action):
    """Move a stone.

    Parameters
    ----------
    state : STATE record, in and out
    action : int
        Must be legal: one of

    Notes
    -----
    Draws nothing.
    """
'''


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (KERNEL.replace("    action : int\n", ""), "step does not document action"),
        (KERNEL.replace("state, action)", "state)"), "step documents action, not a parameter"),
        (KERNEL.replace("@kernel", "@kernel(wraps=True)").replace("state : ", "stat : "), "state"),
        ("@kernel\ndef step(state):\n    state.done = 1", "step has no docstring"),
        ("@jit.kernel\ndef _step(state):\n    state.done = 1", "_step has no docstring"),
        ("@kernel\ndef step(state):\n    '''Move a stone.'''", "step does not document state"),
    ],
)
def test_a_kernel_that_does_not_name_its_parameters_is_found(text, finding):
    found = house.kernel_docstrings({"kernels/fossil.py": text})
    assert finding in report(found)


def test_a_kernel_that_names_its_parameters_is_fine():
    both = KERNEL.replace(
        "    state : STATE record, in and out\n    action : int", "    state, action : x"
    )
    for text in (KERNEL, both, "@kernel\ndef _step(state):\n    '''Move a stone.'''"):
        assert house.kernel_docstrings({"kernels/fossil.py": text}) == []


PLAY_EVERYTHING = """
import sys

import gymnasium
import house
import bonebed
import numpy as np
from bonebed.envs import table
from bonebed.kernels import guided, rules

batch = bonebed.batch(name, num_envs=4)
batch.step(batch.mask.argmax(axis=1))
batch.play_random(10)
batch.observe_all()
batch.load(batch.save())
bonebed.random_games(name, games=2)
agents = ["greedy", "random", "rollout:playouts=1", "ismcts:simulations=2"]
bonebed.evaluate(name, agents, games=6)
unlike = {"against": ["pal", "greedy"]} if table.rules(name).automatic else {}
bonebed.evaluate(name, agents, games=6, num_players=2, **unlike)
for size in (3, 5):
    states = bonebed.batch(name, num_envs=size).states
    guided.GuidedSearch(table.rules(name), size).run(
        states,
        np.arange(size, dtype=np.uint64),
        lambda obs, mask: (0.0 * mask, np.zeros((len(mask), table.rules(name).max_players))),
        forced=size == 3,
    )
env = table.face(name).env()
env.reset(seed=1)
env.step(int(env.last()[0]["action_mask"].argmax()))
env = gymnasium.make(table.GAMES[name].gym_id, opponents="greedy")
_, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
envs = gymnasium.make_vec(
    table.GAMES[name].gym_id, num_envs=3, vectorization_mode="vector_entry_point"
)
_, infos = envs.reset(seed=1)
envs.step(infos["action_mask"].argmax(axis=1))
modules = {
    module: contents
    for module, contents in list(sys.modules.items())
    if module.startswith("bonebed.kernels.") and module != "bonebed.kernels.rng"
}
kernels = house.kernels_of(modules)
assert sum(len(kernel.signatures) > 0 for kernel in kernels.values()) > 20, len(kernels)
print("\\n".join(house.several_signatures(kernels, [*rules._BY_DTYPE.values()])))
"""


@pytest.mark.parametrize("game", GAMES)
def test_every_kernel_is_compiled_for_one_signature_of_each_game(game, tmp_path):
    # Not those of rng: they take numbers of any width. Without the cache, so that all is compiled.
    printed = run(f"name = {game!r}\n{PLAY_EVERYTHING}", tmp_path, BONEBED_CACHE="0")
    assert printed.strip() == "", printed


def test_a_kernel_with_two_signatures_is_found():
    @kernel
    def twice(x):
        """Double a number."""
        return 2 * x

    twice(np.int64(1))
    assert house.several_signatures({"twice": twice}) == []
    twice(np.int8(1))
    assert "twice: 2 signatures: int64; int8" in report(house.several_signatures({"twice": twice}))


def test_a_kernel_of_two_games_may_have_one_signature_for_each():
    @kernel
    def turn(state, n):
        """Tell who is to move, and a number."""
        return state.to_play + n

    nim, camp = toy.NIM.new(), toy.CAMP.new()
    games = [toy.NIM, toy.CAMP]
    turn(nim, np.int64(1))
    turn(camp, np.int64(1))
    assert house.several_signatures({"turn": turn}, games) == []
    assert "2 signatures" in report(house.several_signatures({"turn": turn}, [toy.NIM]))
    turn(camp, np.int8(1))
    (found,) = house.several_signatures({"turn": turn}, games)
    assert found.startswith("turn: 2 signatures")
    assert "int8" in found


def test_the_kernel_behind_a_choice_by_field_is_found():
    module = SimpleNamespace(shown=records.if_has("heap")(toy.nim_resample), other=len)
    assert house.kernels_of({"toy": module}) == {"toy.shown": toy.nim_resample}


@pytest.mark.parametrize("game", GAMES)
def test_the_records_of_a_game_have_no_padding(game):
    rules = table.rules(game)
    for name in ("STATE", "OBS", "OPTIONS"):
        found = house.padding(getattr(rules, name), f"{game} {name}")
        assert not found, report(found)
    assert rules.STATE.names[-1] == "spare"
    assert {rules.OBS[name].base for name in rules.OBS.names} == {np.dtype("f4")}


@pytest.mark.parametrize(
    ("fields", "finding"),
    [
        (
            [("done", "i1", 8), ("ply", "i4"), ("seed", "u8")],
            "seed: at byte 12",
        ),
        ([("seed", "u8"), ("done", "i1")], "9 bytes are not a multiple of 8"),
        ([("seed", "u8"), ("stone", "i1", 3), ("ply", "i4")], "ply: at byte 11"),
    ],
)
def test_a_record_with_fields_out_of_line_is_found(fields, finding):
    assert finding in report(house.padding(np.dtype(fields)))


def test_a_record_with_padding_is_found():
    fields = [("seed", "u8"), ("done", "i1")]
    assert "7 bytes of padding" in report(house.padding(np.dtype(fields, align=True)))
    assert house.padding(np.dtype([*fields, ("spare", "i1", 7)])) == []


def test_every_game_has_its_files_and_every_file_its_game():
    found = house.file_set(house.ROOT, GAMES)
    assert not found, report(found)


def _made_up_game(root: Path, game: str) -> None:
    """Write the empty files of a game below a root."""
    for first, *_ in house.FILES_OF_A_GAME:
        file = root / first.format(game=game).replace("*", "0")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()


def test_a_missing_file_of_a_game_is_found(tmp_path):
    _made_up_game(tmp_path, "pit")
    assert house.file_set(tmp_path, ["pit"]) == []
    for gone in sorted(file for file in tmp_path.rglob("*") if file.is_file()):
        gone.unlink()
        (found,) = house.file_set(tmp_path, ["pit"])
        assert "pit lacks it" in found
        gone.touch()


def test_a_kernel_may_be_a_folder(tmp_path):
    _made_up_game(tmp_path, "pit")
    (tmp_path / "kernels/pit.py").unlink()
    (tmp_path / "kernels/pit").mkdir()
    (tmp_path / "kernels/pit/__init__.py").touch()
    assert house.file_set(tmp_path, ["pit"]) == []


def test_a_file_of_no_game_is_found(tmp_path):
    _made_up_game(tmp_path, "pit")
    found = house.file_set(tmp_path, [])
    assert len(found) == len(house.FOLDERS_OF_GAMES)
    assert all("no such game" in line for line in found)


def test_shared_code_does_not_branch_on_a_game():
    found = house.branches_on_games(SOURCES, GAMES)
    assert not found, report(found)


@pytest.mark.parametrize(
    "text",
    [
        "if name == 'pit':\n    pass",
        "x = 1 if rules.name in ('pit', 'quarry') else 2",
        "match name:\n    case 'pit':\n        pass",
    ],
)
def test_a_branch_on_a_game_is_found(text):
    (found,) = house.branches_on_games({"envs/aec.py": text}, ["pit"])
    assert "branches on the game 'pit'" in found


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_hash_covers_all_that_a_game_is_made_of(game):
    shares = [module.__name__.rpartition(".")[2] for module in table.rules(game).shares]
    found = house.unhashed_sources(SOURCES, game, shares)
    assert not found, report(found)


def test_a_source_that_the_rules_hash_does_not_cover_is_found():
    text = "from .. import canyon_cards, rng\nfrom ..jit import kernel\n"
    (found,) = house.unhashed_sources({"kernels/pit/state.py": text}, "pit", [])
    assert found.startswith("kernels/pit/state.py:1: canyon_cards")
    assert house.unhashed_sources({"kernels/pit/state.py": text}, "pit", ["canyon_cards"]) == []
    shared = {"kernels/pit_solo.py": "from .pit import turn", "kernels/pit/turn.py": text}
    (found,) = house.unhashed_sources(shared, "pit_solo", ["pit"])
    assert found.startswith("kernels/pit/turn.py:1: canyon_cards")


def test_the_references_import_nothing_of_the_package():
    files = sorted((house.ROOT / "tests/naive").glob("*.py"))
    sources = {f"tests/naive/{file.name}": file.read_text(encoding="utf-8") for file in files}
    assert len(sources) >= len(GAMES)
    found = house.imports_of_references(sources)
    assert not found, report(found)
    assert house.imports_of_references({"tests/naive/pit.py": "from bonebed.kernels import rng"})
    assert house.imports_of_references({"tests/naive/pit.py": "import bonebed"})


def loaded_after(code: str) -> set[str]:
    """Return the top-level modules that a fresh process has loaded after running some code."""
    script = f"{code}\nimport sys\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_the_package_loads_none_of_its_dependencies():
    heavy = {"numpy", "numba", "torch", "gymnasium", "pettingzoo", "rich", "tyro"}
    assert not heavy & loaded_after("import bonebed; bonebed.games()")


@pytest.mark.parametrize("game", GAMES)
def test_the_kernels_load_numpy_and_numba_only(game):
    heavy = {"torch", "gymnasium", "pettingzoo", "rich", "tyro"}
    code = f"from bonebed.envs import table; table.rules({game!r}).new()"
    assert not heavy & loaded_after(code)
