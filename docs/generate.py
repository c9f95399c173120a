"""Rewrite the generated tables of README and docs from the schemas that the kernels use.

A table's place is between `<!-- generated: NAME -->` and `<!-- end -->`: `games` in the README,
`agents` in the quickstart, `ppo` and `expert` in the page on training, and `options`, `actions`
and `observation` on the page of each game.
Everything outside is written by hand and stays as it is. The words in a game's tables are the
comments beside the entries in its kernel.

    python docs/generate.py            rewrite the pages
    python docs/generate.py --check    change nothing, exit with 1 if a page is stale
"""

import ast
import math
import re
import sys
import tokenize
from dataclasses import MISSING
from importlib import import_module
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

from bonebed.agents import AGENTS
from bonebed.agents.base import parameters
from bonebed.envs import table

README = Path(__file__).parents[1] / "README.md"
QUICKSTART = Path(__file__).parent / "quickstart.md"
TRAINING = Path(__file__).parent / "training.md"
PAGES = Path(__file__).parent / "games"


def options_table(rules: Any) -> list[str]:
    """Return the table of a game's options: choices, default and meaning."""
    rows = ["| option | choices | default | meaning |", "|---|---|---|---|"]
    for option in rules.options:
        choices = ", ".join(f"`{choice}`" for choice in option.choices)
        rows.append(f"| `{option.name}` | {choices} | `{option.default}` | {option.doc} |")
    return rows


def actions_table(rules: Any, meanings: dict[str, str]) -> list[str]:
    """Return the table of a game's action blocks: numbers, fields and meaning."""
    rows = ["| actions | block | fields, each from 0 | meaning |", "|---|---|---|---|"]
    for block in rules.actions.blocks:
        span = f"{block.offset}" + (f"-{block.offset + block.size - 1}" if block.size > 1 else "")
        fields = ", ".join(f"{name}: {size}" for name, size in block.fields.items()) or "-"
        rows.append(f"| {span} | `{block.name}` | {fields} | {meanings[block.name]} |")
    last = f"{rules.n_actions} actions. Within a block the last field varies fastest."
    return [*rows, "", last]


def observation_table(rules: Any, meanings: dict[str, str]) -> list[str]:
    """Return the table of a game's observation: where each field lies in the flat vector."""
    rows = ["| numbers | field | shape | meaning |", "|---|---|---|---|"]
    start = 0
    for name in rules.OBS.names:
        shape = rules.OBS[name].shape
        stop = start + math.prod(shape)
        span = f"{start}" + (f"-{stop - 1}" if stop - start > 1 else "")
        lengths = " x ".join(map(str, shape)) or "1"
        rows.append(f"| {span} | `{name}` | {lengths} | {meanings[name]} |")
        start = stop
    return [*rows, "", f"{rules.obs_size} numbers, float32."]


def comments_of(source: str) -> dict[str, dict[str, str]]:
    """Collect what the comments beside the entries of ACTIONS and OBS say.

    Parameters
    ----------
    source : str
        Text of a kernel file. An entry's comment stands on its line, or on the lines above it. A
        dict of blocks that several tables of actions take in is named `..._ACTIONS`.

    Returns
    -------
    dict of str to dict of str to str
        For `ACTIONS` and `OBS` the comment of each entry.

    Raises
    ------
    ValueError
        For an entry without a comment.
    """
    lines = source.splitlines()
    notes = {
        token.start[0]: token.string.lstrip("# ").strip()
        for token in tokenize.generate_tokens(StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(source).body:
        if not (isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)):
            continue
        table_name = node.targets[0].id
        of_blocks = table_name.endswith("_ACTIONS") and isinstance(node.value, ast.Dict)
        if table_name in {"ACTIONS", "OBS"} or of_blocks:
            table_name = "ACTIONS" if of_blocks else table_name
            found.setdefault(table_name, {})
            for name, first, last in _entries(node.value):
                note = _note(lines, notes, first, last)
                if not note:
                    raise ValueError(
                        f"line {first}: the entry {name!r} of {table_name} needs a comment"
                    )
                found[table_name][name] = note
    return found


def _entries(value: ast.expr) -> list[tuple[str, int, int]]:
    """Return name, first and last line of a table's entries: keywords, keys, tuples in a list."""
    if isinstance(value, ast.Dict):
        return [
            (str(ast.literal_eval(key)), key.lineno, entry.end_lineno or key.lineno)
            for key, entry in zip(value.keys, value.values, strict=True)
            if key is not None
        ]
    assert isinstance(value, ast.Call)
    if value.keywords:
        return [(k.arg, k.lineno, k.value.end_lineno or k.lineno) for k in value.keywords if k.arg]
    (entries,) = value.args
    assert isinstance(entries, ast.List)
    return [
        (entry.elts[0].value, entry.lineno, entry.end_lineno or entry.lineno)
        for entry in entries.elts
        if isinstance(entry, ast.Tuple) and isinstance(entry.elts[0], ast.Constant)
    ]


def _note(lines: list[str], notes: dict[int, str], first: int, last: int) -> str:
    """Return the comment on an entry's lines, else the block of comment lines just above it."""
    own = [notes[line] for line in range(first, last + 1) if line in notes]
    if own:
        return " ".join(own)
    above: list[str] = []
    line = first - 1
    while line in notes and lines[line - 1].lstrip().startswith("#"):
        above.insert(0, notes[line])
        line -= 1
    return " ".join(above)


def games_table() -> list[str]:
    """Return the table of all games."""
    rows = [
        "| game | name in code | players | information | actions | observation | decisions |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in table.GAMES:
        rules = table.rules(name)
        information = "perfect" if rules.perfect_information else "hidden"
        players = "-".join(map(str, sorted({rules.min_players, rules.max_players})))
        sizes = f"{rules.n_actions} | {rules.obs_size} | {rules.max_decisions}"
        link = f"[{rules.title}](docs/games/{name}.md)"
        rows.append(f"| {link} | `{name}` | {players} | {information} | {sizes} |")
    return rows


def agents_table() -> list[str]:
    """Return the table of all agents with the parameters of their specs."""
    rows = ["| agent | what it does | parameters |", "|---|---|---|"]
    for row in AGENTS.values():
        listed = [
            f"`{p.name}`"
            + ("" if p.default is MISSING else f" = {p.default}")
            + f": {p.metadata['doc']}"
            for p in parameters(row.load())
        ]
        rows.append(f"| `{row.name}` | {row.doc} | {'; '.join(listed) or '-'} |")
    return rows


def metrics_table(trainer: str) -> list[str]:
    """Return the table of what a trainer logs, from the table in its module's docstring."""
    told = import_module(f"bonebed.train.{trainer}").__doc__ or ""
    _, inside, _ = re.split(r"^=+ +=+$", told, flags=re.MULTILINE)
    rows: list[list[str]] = []
    for line in inside.strip("\n").splitlines():
        if line[0] != " ":
            rows.append(line.split(maxsplit=1))
        else:
            rows[-1][1] += " " + line.strip()
    table = [f"| `{name}` | {meaning} |" for name, meaning in rows]
    return ["| metric | meaning |", "|---|---|", *table]


def fill(text: str, tables: dict[str, list[str]]) -> str:
    """Put fresh tables into a page.

    Parameters
    ----------
    text : str
        The page as it is.
    tables : dict of str to list of str
        Name and lines of each table that the page has to have.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If the place of a table is missing, is there twice, or has an unknown name.
    """
    place = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
    names = [match.group(2) for match in place.finditer(text)]
    if sorted(names) != sorted(tables):
        raise ValueError(f"the page's generated tables are {names}; expected {list(tables)}")

    def lines(match: re.Match[str]) -> str:
        return match.group(1) + "\n".join(["", *tables[match.group(2)], "", ""]) + match.group(3)

    return place.sub(lines, text)


def tables_of(game: str) -> dict[str, list[str]]:
    """Return the tables on a game's page."""
    rules = table.rules(game)
    comments: dict[str, dict[str, str]] = {"ACTIONS": {}, "OBS": {}}
    own = import_module(f"bonebed.{table.GAMES[game].kernel}")
    for module in (*rules.shares, own):
        for file in files_of(module):
            for name, notes in comments_of(file.read_text(encoding="utf-8")).items():
                comments[name] |= notes
    return {
        "options": options_table(rules),
        "actions": actions_table(rules, comments["ACTIONS"]),
        "observation": observation_table(rules, comments["OBS"]),
    }


def files_of(kernel: ModuleType) -> list[Path]:
    """Return the source files of a game's kernel: one, or those of its folder."""
    file = Path(str(kernel.__file__))
    return sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]


def main(arguments: list[str]) -> int:
    """Rewrite the pages, or with `--check` only compare; return the exit status."""
    stale = []
    tables = {PAGES / f"{game}.md": tables_of(game) for game in table.GAMES}
    tables[README] = {"games": games_table()}
    tables[QUICKSTART] = {"agents": agents_table()}
    tables[TRAINING] = {trainer: metrics_table(trainer) for trainer in ("ppo", "expert")}
    for file, its_tables in tables.items():
        text = file.read_text(encoding="utf-8")
        fresh = fill(text, its_tables)
        if fresh != text:
            stale.append(file.name)
            if "--check" not in arguments:
                file.write_text(fresh, encoding="utf-8")
    changed = "stale" if "--check" in arguments else "rewritten"
    print(f"{changed}: {', '.join(stale)}" if stale else "All generated tables are up to date.")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
