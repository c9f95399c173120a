"""The house style as functions: each takes sources or dtypes and returns what breaks a rule.

Every finding is one line that starts with the place, so that a failing test reads as a list of
what to mend. An empty list means that all is well. `test_style.py` applies them to the package, and
to small made-up sources that break each rule.
"""

import ast
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core.dispatcher import Dispatcher

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = "bonebed"

# A folder may import itself and the folders before it.
LAYERS = ("kernels", "envs", "agents", "train", "benchmarks", "cli")
# llvmlite is the part of Numba that links compiled code.
KERNELS_MAY_IMPORT = {"numpy", "numba", "llvmlite"} | set(sys.stdlib_module_names)
COMPILERS = {"njit", "jit", "vectorize", "guvectorize", "cfunc", "stencil", "jitclass"}
JIT_FILE = "kernels/jit.py"

Sources = Mapping[str, str]  # path below the root, with forward slashes -> text


def package_sources() -> dict[str, str]:
    """Read every Python file of the package, tests and docs left out."""
    files = [ROOT / "__init__.py", ROOT / "cli.py"]
    for layer in LAYERS[:-1]:
        files += sorted((ROOT / layer).rglob("*.py"))
    return {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for file in files
        if file.exists()
    }


def _imports(path: str, tree: ast.AST) -> Iterable[tuple[int, str]]:
    """Yield (line, absolute dotted name) of each import, relative ones resolved from the root."""
    here = [PACKAGE, *Path(path).with_suffix("").parts]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level] if node.level else []
            base = base + (node.module.split(".") if node.module else [])
            for alias in node.names:
                yield node.lineno, ".".join([*base, alias.name])


def _layer_of(path: str) -> str:
    """Return the first part of a path or module below the package: `envs/aec.py` is in `envs`."""
    return Path(path).parts[0].removesuffix(".py")


def layering(sources: Sources) -> list[str]:
    """Find imports that point upwards, and anything but NumPy and Numba in the kernels.

    From the package root only `__version__` may be imported: everything else there is made of the
    layers, so it would be a circle.
    """
    found = []
    for path, text in sources.items():
        layer = _layer_of(path)
        if layer not in LAYERS:
            continue
        for line, name in _imports(path, ast.parse(text)):
            top, *rest = name.split(".")
            if top == PACKAGE:
                target = rest[0] if rest else PACKAGE
                if target in LAYERS:
                    if LAYERS.index(target) > LAYERS.index(layer):
                        found.append(f"{path}:{line}: {layer} imports {target}")
                elif target != "__version__":
                    found.append(f"{path}:{line}: {layer} imports {name} from the package root")
            elif layer == "kernels" and top not in KERNELS_MAY_IMPORT:
                found.append(f"{path}:{line}: kernels import {top}")
    return found


def compilers(sources: Sources) -> list[str]:
    """Find uses of Numba's compilers outside the one file that may call them."""
    found = []
    for path, text in sources.items():
        if path == JIT_FILE:
            continue
        for node in ast.walk(ast.parse(text)):
            names: set[str] = set()
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "numba":
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                names = {node.attr} if node.value.id in {"numba", "nb"} else set()
            found += [
                f"{path}:{node.lineno}: {name} is called in {JIT_FILE} only"
                for name in sorted(names & COMPILERS)
            ]
    return found


def _is_kernel(node: ast.FunctionDef) -> bool:
    """Tell whether a function is decorated with `@kernel`, `@kernel(...)` or `@if_has(...)`."""
    for decorator in node.decorator_list:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
        if name in ("kernel", "if_has"):
            return True
    return False


def documented_parameters(docstring: str) -> list[str]:
    """Return the names in the Parameters section of a NumPy docstring, in order."""
    section = re.search(
        r"^Parameters\n-+\n(.*?)(?=^\S[^\n]*\n-{3,}$|\Z)", docstring, re.MULTILINE | re.DOTALL
    )
    names: list[str] = []
    for line in section.group(1).splitlines() if section else []:
        if line and not line[0].isspace():
            names += [name.strip().lstrip("*") for name in line.split(" : ")[0].split(",")]
    return names


def kernel_docstrings(sources: Sources) -> list[str]:
    """Find kernels without a docstring; public ones have to name exactly their parameters."""
    found = []
    for path, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            if not (isinstance(node, ast.FunctionDef) and _is_kernel(node)):
                continue
            place = f"{path}:{node.lineno}: {node.name}"
            docstring = ast.get_docstring(node)
            if docstring is None:
                found.append(f"{place} has no docstring")
                continue
            if node.name.startswith("_"):
                continue  # a private helper has one line
            parameters = [argument.arg for argument in node.args.args]
            named = documented_parameters(docstring)
            found += [f"{place} does not document {p}" for p in parameters if p not in named]
            found += [
                f"{place} documents {p}, not a parameter" for p in named if p not in parameters
            ]
    return found


def kernels_of(modules: Mapping[str, Any]) -> dict[str, Any]:
    """Find the kernels that modules define; those behind `if_has` too.

    Parameters
    ----------
    modules : dict of str to module
        By their full names.
    """
    found = {}
    for module, contents in modules.items():
        for name, value in vars(contents).items():
            kernel = value if isinstance(value, Dispatcher) else getattr(value, "__wrapped__", None)
            if isinstance(kernel, Dispatcher) and kernel.py_func.__module__ == module:
                found[f"{module}.{name}"] = kernel
    return found


def _games_of(signature: tuple[Any, ...], games: Iterable[Any]) -> set[str]:
    """Return the games whose records a signature may hold: all, unless a record belongs to some."""
    possible = {game.name for game in games}
    for kind in signature:
        record = kind.dtype if isinstance(kind, types.Array) else kind
        owners = {
            game.name
            for game in games
            for dtype in (game.STATE, game.OBS, game.OPTIONS)
            if from_dtype(dtype) == record
        }
        possible &= owners or possible
    return possible


def several_signatures(kernels: Mapping[str, Any], games: Sequence[Any] = ()) -> list[str]:
    """Find kernels that were compiled for more than one list of types: each costs its time anew.

    Parameters
    ----------
    kernels : dict of str to Numba dispatcher
    games : sequence of Rules
        One signature for the records of each of them is fine.
    """
    found = []
    for name, kernel in kernels.items():
        # Numba keeps a signature of its own for a constant argument; it is one type all the same.
        signatures = {tuple(map(types.unliteral, signature)) for signature in kernel.signatures}
        by_game = [[s for s in signatures if game.name in _games_of(s, games)] for game in games]
        of_none = [s for s in signatures if not _games_of(s, games)]
        most = max([*by_game, of_none], key=len)
        if len(most) > 1:
            shown = [", ".join(str(kind)[:40] for kind in signature) for signature in most]
            listed = "; ".join(sorted(shown))
            found.append(f"{name}: {len(most)} signatures: {listed}")
    return found


def padding(dtype: np.dtype, name: str = "dtype") -> list[str]:
    """Find bytes of a record that belong to no field, and numbers that are not aligned."""
    assert dtype.fields is not None, f"{name} is not a record"
    # A field of a few numbers counts by the size of one number: that is what alignment is about.
    widths = {field: dtype[field].base.itemsize for field in dtype.names or ()}
    used = sum(dtype[field].itemsize for field in widths)
    found = []
    if used != dtype.itemsize:
        found.append(f"{name}: {dtype.itemsize - used} bytes of padding")
    for field, width in widths.items():
        offset = dtype.fields[field][1]
        if offset % width:
            found.append(f"{name}.{field}: at byte {offset}, not a multiple of {width}")
    largest = max(widths.values(), default=1)
    if dtype.itemsize % largest:
        found.append(f"{name}: {dtype.itemsize} bytes are not a multiple of {largest}")
    return found


# What one game consists of. A kernel may be a folder where one file would pass 900 lines.
FILES_OF_A_GAME = (
    ("kernels/{game}.py", "kernels/{game}/__init__.py"),
    ("envs/{game}_v*.py",),
    ("tests/naive/{game}.py",),
    ("tests/test_{game}_rules.py",),
    ("docs/games/{game}.md",),
)
# Folders in which every file belongs to a game of the table.
FOLDERS_OF_GAMES = {
    "envs/*_v[0-9]*.py": r"(.+)_v\d+\.py",
    "tests/naive/*.py": r"(?!__init__)(.+)\.py",
    "tests/test_*_rules.py": r"test_(.+)_rules\.py",
    "docs/games/*.md": r"(.+)\.md",
}


def file_set(root: Path, games: Iterable[str]) -> list[str]:
    """Find files that a game lacks, and files of games that are not in the table."""
    games = list(games)
    found = []
    for game in games:
        for choices in FILES_OF_A_GAME:
            patterns = [choice.format(game=game) for choice in choices]
            if not any(any(root.glob(pattern)) for pattern in patterns):
                found.append(f"{patterns[0]}: {game} lacks it")
    for pattern, name in FOLDERS_OF_GAMES.items():
        for file in sorted(root.glob(pattern)):
            match = re.fullmatch(name, file.name)
            if match and match.group(1) not in games and not _is_part(pattern, file, games):
                found.append(f"{file.relative_to(root).as_posix()}: no such game in the table")
    return found


def _is_part(pattern: str, file: Path, games: list[str]) -> bool:
    """Say whether a file is one of several of a game's reference: its name begins with the game."""
    return "naive" in pattern and any(file.stem.startswith(f"{game}_") for game in games)


def branches_on_games(sources: Sources, games: Iterable[str]) -> list[str]:
    """Find comparisons with a game's name: games differ in tables and kernels, not in branches."""
    games = set(games)
    found = []
    for path, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Compare):
                parts: list[ast.AST] = [node.left, *node.comparators]
            elif isinstance(node, ast.MatchValue):
                parts = [node.value]
            else:
                continue
            constants = [c for part in parts for c in ast.walk(part) if isinstance(c, ast.Constant)]
            for name in sorted({c.value for c in constants if isinstance(c.value, str)} & games):
                found.append(f"{path}:{node.lineno}: branches on the game {name!r}")
    return found


# Modules of the kernels that say nothing of a game; `rules` and `rng` are in every rules hash.
NO_RULES = {"bits", "jit", "records", "rng", "rules", "sheet", "vectors"}


def unhashed_sources(sources: Sources, game: str, shares: Iterable[str]) -> list[str]:
    """Find modules that a game's rules import but its rules hash does not cover.

    Parameters
    ----------
    sources : dict of str to str
    game : str
    shares : iterable of str
        Names of the modules and packages in the game's `Rules.shares`, below the kernels.
    """
    own = {*shares, game}
    covered = {*NO_RULES, *own}
    found = []
    for path, text in sources.items():
        layer, *inside = Path(path).parts
        if layer == "kernels" and inside[0].removesuffix(".py") in own:
            for line, name in _imports(path, ast.parse(text)):
                parts = name.split(".")
                if parts[:2] == [PACKAGE, "kernels"] and parts[2] not in covered:
                    found.append(f"{path}:{line}: {parts[2]} is not in shares")
    return found


def imports_of_references(sources: Sources) -> list[str]:
    """Find imports of the package in the slow references, which have to be independent of it."""
    return [
        f"{path}:{line}: the reference imports {name}"
        for path, text in sources.items()
        for line, name in _imports(path, ast.parse(text))
        if name.split(".")[0] == PACKAGE
    ]
