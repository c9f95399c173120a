"""Players of Fossilium that steer games to what is rare, and positions late in a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from naive.fossilium_box import (
    JOKER,
    MANAGEMENT,
    NONE,
    ROWS,
    SITES,
    STARTS,
    STOP,
    STRIP,
    TYPES,
    Choice,
)

if TYPE_CHECKING:
    from naive.fossilium import Game

Policy = Callable[["Game", random.Random], Choice]


def at_random(game: Game, luck: random.Random) -> Choice:
    """Choose any choice, each as likely as the others."""
    return luck.choice(game.choices)


def steering(value: Callable[[Game, Choice], float]) -> Policy:
    """Build a player who makes the choices that are worth most, and one in ten at random."""

    def policy(game: Game, luck: random.Random) -> Choice:
        if luck.random() < 0.1:
            return luck.choice(game.choices)
        return max(game.choices, key=lambda choice: (value(game, choice), luck.random()))

    return policy


def _row(choice: Choice) -> str:
    """Return the row of a field."""
    return {JOKER: "joker", MANAGEMENT: "management", STRIP: "strip"}.get(
        choice[2], ROWS[min(choice[2], JOKER - 1) // 3]
    )


def _sought(game: Game, seat: int, tile: int) -> float:
    """Return how much a museum waits for a tile: those that complete something most."""
    museum = game.museums[seat]
    cells = museum.reserved.get(tile, [])
    near = [1 / (museum.at[cell][0].size - len(museum.at[cell][0].shown)) for cell in cells]
    return 10 * max(near, default=0)


def _collect(game: Game, choice: Choice) -> float:
    """Display as much as possible, what is begun first."""
    seat, name = game.seat, choice[0]
    if name == "field":
        wanted = {"display": 3.0, "strip": 4.0, "management": 1.0}.get(_row(choice), 0.0)
        return wanted + (choice[2] % 3 == 1)
    if name == "dig":
        return 2 + choice[2] / 9
    if name in ("tile", "slot", "archive"):
        tile = game.market[choice[1]][choice[2]] if name == "slot" else choice[1]
        value = 1 + _sought(game, seat, tile)
        return -value if game.phase in ("discard", "trade") else value
    if name == "cell":
        return float(choice[1] in game.museums[seat].at)
    return float(name == "gain" and choice[1] == 1)


def _needed(game: Game, seat: int, tile: int) -> float:
    """Return how much others wait for a tile."""
    others = [other for other in game.others(seat) if other < game.museum_count]
    if not others:  # the solo game
        return 10.0 * game.wanted(seat, tile)
    return max(_sought(game, other, tile) for other in others)


def _donate(game: Game, choice: Choice) -> float:
    """Begin large fossils, never go on, and donate to others."""
    seat, name = game.seat, choice[0]
    if name == "field":
        wanted = {"build_donate": 3.0, "display": 1.5}.get(_row(choice), 0.0)
        return wanted + (choice[2] % 3 == 1)
    if name == "tile" and game.phase == "build":
        return 2 + _needed(game, seat, choice[1])
    if name == "tile" and game.phase == "keep":
        return _needed(game, seat, choice[1])
    if name == "tile" and game.phase == "display":
        return game.box.size[game.box.tiles[choice[1]][0]] - _sought(game, seat, choice[1])
    if name == "cell" and game.phase == "target":
        return float(len(game.museums[game.owner].at[choice[1]][0].shown))
    if name == "cell":
        return -float(choice[1] in game.museums[seat].at)
    return 0.0


def _trade(game: Game, choice: Choice) -> float:
    """Sell what there is, then buy what lies in the archive."""
    name = choice[0]
    if name == "field":
        return {"buy_sell": 3.0, "management": 1.0}.get(_row(choice), 0.0)
    if game.phase == "trade":
        sold = 3.0 if game.sells > 2 or game.buys == 0 else 1.0
        return {"archive": 4.0, "slot": 2.0, "tile": sold}.get(name, 0.0)
    return float(name == "gain" and choice[1] == 0)


def _fulfil(game: Game, choice: Choice) -> float:
    """Do what the job goals ask for."""
    metrics = {
        game.box.job_goals[number]["metric"]
        for place, number in enumerate(game.job_goals)
        if game.on_goal[game.seat][place]
    }
    if choice[0] == "field":
        row, large = _row(choice), choice[2] % 3 == 1
        value = 5.0 * (row == "joker" and "joker" in metrics)
        value += 3 * (row == "display") * (large + ("displayed" in metrics))
        value += 3 * (row == "build_donate" and "donate_prestige" in metrics)
        return value + (row == "give_tour") * (
            1 + large + 2 * bool(metrics & {"tour_dollars", "tour_guests", "guests"})
        )
    if choice[0] == "cell" and game.phase == "cell":
        columns = game.box.columns
        row, column = divmod(choice[1], columns)
        filled = game.museums[game.seat].filled
        in_row = sum(row * columns + c in filled for c in range(columns))
        in_column = sum(r * columns + column in filled for r in range(game.box.rows))
        return float(max(in_row * ("new_column" not in metrics), in_column))
    if choice[0] == "tile" and game.phase in ("build", "display", "keep"):
        return _collect(game, choice)
    if choice[0] == "line":
        return 1.0 + game.museums[game.seat].line(choice[1])
    return float(choice != STOP) + 2 * (choice == ("gain", 2))


def _dig(game: Game, choice: Choice) -> float:
    """Dig with students, with a full storage."""
    if choice[0] == "field":
        return {"management": 3.0, "build_donate": 1.0}.get(_row(choice), 0.0)
    if choice[0] == "gain":
        return float(choice[1] == 1)
    return float(choice[0] == "dig")


def _build(game: Game, choice: Choice) -> float:
    """Build panels, beside each other in lines, and guide many guests."""
    if choice[0] == "field":
        wanted = {"build_donate": 3.0, "give_tour": 2.0, "display": 1.0}.get(_row(choice), 0.0)
        return wanted + (choice[2] % 3 == 2)
    return {"panel": 2.0, "line": 1.0, "tile": 1.0}.get(choice[0], 0.0)


collector = steering(_collect)
donor = steering(_donate)
trader = steering(_trade)
worker = steering(_fulfil)
digger = steering(_dig)
builder = steering(_build)


def mixed(game: Game, luck: random.Random) -> Choice:
    """Let every seat be another kind of player in every round."""
    kinds = (collector, donor, worker, builder, trader, digger)
    return kinds[(game.seat + game.round) % len(kinds)](game, luck)


POLICIES: dict[str, Policy] = {
    "at_random": at_random,
    "collector": collector,
    "donor": donor,
    "trader": trader,
    "worker": worker,
    "digger": digger,
    "builder": builder,
    "mixed": mixed,
}


# ---------------------------------------------------------------------- late positions


def scatter(game: Game, luck: random.Random) -> int:
    """Put everything somewhere, as it may lie at the beginning of a late round."""
    box, sheet = game.box, game.sheet
    begin = luck.choice((sheet["meta"]["rounds"] - 1, sheet["meta"]["rounds"]))
    game.draw_goals()
    used = [[s - 1 for s in sites] for sites in sheet["setup"]["use_sites"][game.key]]
    game.columns = luck.choice(used)
    for site in set(range(SITES)) - set(game.columns):
        game.unused, game.bags[site] = site, [0] * len(box.tiles)
    game.place_neutral()
    for bag in game.bags:  # what the museums did not get
        for _ in range(luck.choice((0, 10, 20, sum(bag) // 2)) if any(bag) else 0):
            game.to_market(take_blindly(bag, luck))
    game.price = [luck.choice(sheet["market"]["price_track"]) for _ in TYPES]
    game.draw_to_front(game.starts, game.museum_count, STARTS)
    for seat in range(game.museum_count):
        fill_museum(game, seat, luck)
        give_things(game, seat, luck)
    empty = luck.choice((False, False, True))
    for site in game.columns:  # bags that are nearly empty
        while empty and sum(game.bags[site]) > luck.randrange(4):
            game.archive[take_blindly(game.bags[site], luck)] += 1
    game.first = (begin - 1) % game.museum_count
    return begin


def take_blindly(bag: list[int], luck: random.Random) -> int:
    """Take a tile out of a bag."""
    tile = luck.choices(range(len(bag)), bag)[0]
    bag[tile] -= 1
    return tile


def fill_museum(game: Game, seat: int, luck: random.Random) -> None:
    """Put fossils and panels into a museum."""
    box, museum = game.box, game.museums[seat]
    museum.side = luck.randrange(2)
    game.start[seat] = game.starts[seat]
    species = luck.choice(box.starts[game.start[seat]])
    cell = box.sides[museum.side]["special"][box.type[species]]
    museum.begin(box.showing[species, 1], cell, (0, 0))
    museum.show(cell)
    for tile_number in luck.sample(range(len(box.panels) // 2), luck.randrange(5)):
        museum.panels[luck.choice(museum.empty_cells())] = 2 * tile_number + luck.randrange(2)
        museum.refresh()
    eager = luck.choice((0.8, 0.97))  # to go on with what is begun
    sizes = luck.choice((set(box.size), {4}, {6}))  # to begin
    for _ in range(luck.randrange(60)):
        bag = game.bags[luck.choice(game.columns)]
        sought = [tile for tile in museum.reserved if bag[tile]]
        tile = luck.choice(sought) if sought and luck.random() < eager else NONE
        if tile == NONE:
            fitting = [n * (box.size[box.tiles[t][0]] in sizes) for t, n in enumerate(bag)]
            tile = luck.choices(range(len(bag)), fitting)[0] if any(fitting) else NONE
        if tile == NONE or not museum.can_take(tile):
            continue
        bag[tile] -= 1
        cell = luck.choice(museum.reserved.get(tile, []) or museum.cells_for(tile))
        if cell not in museum.at:
            museum.begin(tile, cell, luck.choice(museum.poses(tile, cell)))
        museum.show(cell)


def give_things(game: Game, seat: int, luck: random.Random) -> None:
    """Give a player workers, tiles, money, guests and what belongs to the museum."""
    sheet, museum = game.sheet, game.museums[seat]
    player, rules = sheet["player"], sheet["fossil_rules"]
    for _ in range(player["start_workers_on_job_market"]):
        if luck.random() < 0.5:
            game.permanent[seat][luck.choice(game.columns)] += 1
        else:
            game.on_goal[seat][luck.randrange(len(game.on_goal[seat]))] += 1
    for _ in range(luck.randrange(player["storage_fields"] + 1)):
        bag = game.bags[luck.choice(game.columns)]
        if any(bag):
            game.storage[seat][take_blindly(bag, luck)] += 1
    sizes = [fossil.size for fossil in museum.fossils if fossil.complete]
    amber, stands = rules["amber_on_completing_size"], rules["stand_on_completing_size"]
    left = sheet["supply"]["amber"] - sum(game.amber)
    game.amber[seat] = min(left, sizes.count(amber))
    left = sheet["supply"]["fossil_stands"] - sum(game.stands)
    game.stands[seat] = min(left, sizes.count(stands))
    game.dollars[seat] = luck.randrange(20)
    game.guests[seat] = luck.randrange(sheet["guest_track"]["max_guests"] + 1)
    game.regular[seat] = luck.randrange(13)
    game.students[seat] = luck.randrange(player["student_track_max"] + 1)
    game.points[seat] = luck.randrange(60)
