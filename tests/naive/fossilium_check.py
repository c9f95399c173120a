"""What is conserved in Fossilium, asked of a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from naive.fossilium_box import MANAGEMENT, NONE, PHASES, REASONS, SITES, STRIP, Box, bits, padded


def check_museum(box: Box, state, seat: int) -> None:
    """Assert that each reserved or displayed cell of a museum belongs to exactly one fossil."""
    tile, piece, pose, displayed, panel = (
        getattr(state, name)[seat].tolist()
        for name in ("tile", "piece", "pose", "displayed", "panel")
    )
    complete: Counter[int] = Counter()
    for cell in range(box.cells):
        if tile[cell] == NONE:
            assert (piece[cell], pose[cell], displayed[cell]) == (0, 0, 0)
            continue
        assert panel[cell] == NONE
        species, _ = box.tiles[tile[cell]]
        lie = box.lie(box.size[species], piece[cell], cell, pose[cell])
        assert lie, f"seat {seat}: a fossil sticks out"
        for p, c in lie.items():
            assert (tile[c], piece[c], pose[c]) == (box.showing[species, p], p, pose[cell])
        shown = [displayed[c] for c in lie.values()]
        assert any(shown)
        complete[box.size[species]] += all(shown) and piece[cell] == 1
    built = [p for p in panel if p != NONE]
    assert len({p // 2 for p in built}) == len(built)
    cells = range(box.cells)
    assert state.shown[seat] == bits(c for c in cells if displayed[c])
    assert state.empty[seat] == bits(c for c in cells if tile[c] == panel[c] == NONE)
    assert state.stored[seat] == sum(state.storage[seat].tolist())
    rules, limits = box.sheet["fossil_rules"], box.sheet["player"]
    assert 0 <= state.amber[seat] <= complete[rules["amber_on_completing_size"]]
    assert 0 <= state.stands[seat] <= complete[rules["stand_on_completing_size"]]
    assert 0 <= state.students[seat] <= limits["student_track_max"]
    assert 0 <= state.guests[seat] <= box.sheet["guest_track"]["max_guests"]
    assert state.dollars[seat] >= 0
    if state.reason != REASONS.index("excavation") and PHASES[state.phase] != "discard":
        assert state.stored[seat] <= max(limits["storage_fields"], limits["start_pieces_kept"])


def check_workers(box: Box, state, seat: int, lost: int) -> None:
    """Assert that a player has all workers but those that have left the game."""
    player = box.sheet["player"]
    kinds = [getattr(state, name)[seat].tolist() for name in ("placed", "permanent", "on_goal")]
    assert min(map(min, kinds)) >= 0
    assert state.workers[seat] >= 0
    split = sum(kinds[2]) > 0 or state.round_number > 0
    number = player["workers"] if split else player["start_workers_on_museum"]
    assert int(state.workers[seat]) + sum(map(sum, kinds)) == number - lost
    spent = state.spent[seat].tolist()
    assert all(0 <= a <= b for a, b in zip(spent, kinds[1], strict=True))
    assert state.round_number == box.sheet["meta"]["rounds"] or not any(spent)


def missing_tiles(box: Box, state, museums: int) -> list[int]:
    """Return by type how many of the tiles of the bags in use are nowhere.

    A player's starting tile is one of two types: it is left out of the count of the displayed
    tiles.
    """
    sites = [site for site in range(SITES) if site != state.unused]
    missing = [sum(box.bags[site][t] for site in sites) for t in range(len(box.tiles))]

    def found(tiles: Iterable[int]) -> None:
        for t in tiles:
            missing[t] -= 1

    bag = iter(state.bag.tolist())
    for site in range(SITES):
        numbers = [next(bag) if number else 0 for number in box.bags[site]]
        assert sum(numbers) == state.in_bag[site]
        assert site in sites or not any(numbers)
        found(t for t, number in enumerate(numbers) for _ in range(number))
    for heap in (state.archive, *state.storage[:museums]):
        assert min(heap.tolist()) >= 0
        found(t for t, number in enumerate(heap.tolist()) for _ in range(number))
    for kind, row in enumerate(state.market.tolist()):
        tiles = [t for t in row if t != NONE]
        assert row == padded(tiles, len(row), NONE)
        assert all(box.type_of[t] == kind for t in tiles)
        found(tiles)
    drawn = [t for t in state.drawn.tolist() if t != NONE]
    assert len(drawn) == state.n_drawn
    found(drawn)
    if state.held != NONE and PHASES[state.phase] != "site":
        found([int(state.held)])
    for seat in range(museums):
        shown = zip(state.tile[seat].tolist(), state.displayed[seat].tolist(), strict=True)
        found(t for t, there in shown if there)
    for seat in range(museums):  # when all are counted: both species may be displayed there
        if state.start[seat] != NONE and not (
            PHASES[state.phase] == "start" and state.to_play == seat
        ):
            _leave_out_start(box, state, seat, missing)
    return missing


def _leave_out_start(box: Box, state, seat: int, missing: list[int]) -> None:
    """Give back to the count a starting tile, which shows one of two species."""
    special = box.sides[state.side[seat]]["special"]
    faces = [box.showing[species, 1] for species in box.starts[state.start[seat]]]
    shown = [
        t
        for t in faces
        if state.tile[seat][special[box.type_of[t]]] == t
        and state.displayed[seat][special[box.type_of[t]]]
    ]
    assert shown, f"seat {seat}: the starting fossil is not on its special field"
    missing[min(shown, key=lambda t: missing[t])] += 1


def check_board(box: Box, state) -> None:
    """Assert that workers stand on the fields that are taken, and that supplies suffice."""
    track, supply = box.sheet["market"]["price_track"], box.sheet["supply"]
    assert all(track[0] <= price <= track[-1] for price in state.price.tolist())
    assert sum(state.amber.tolist()) <= supply["amber"]
    assert sum(state.stands.tolist()) <= supply["fossil_stands"]
    assert sorted(state.starts.tolist()) == list(range(len(box.starts)))
    for column in range(SITES):
        taken = int(state.taken[column])
        need = sum(box.need[f] for f in range(STRIP + 1) if taken >> f & 1 and f != MANAGEMENT)
        there = int(
            state.neutral[column] + state.placed[:, column].sum() + state.spent[:, column].sum()
        )
        assert need <= there
        assert need == there or taken >> MANAGEMENT & 1
        assert not there or column != state.unused
