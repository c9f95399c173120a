"""The cards of the Fossil Canyon box in words, for the games that are played with them."""

from __future__ import annotations

from ..kernels import canyon_cards as cards

# What a card of each type shows: `skull`, `ribs/arms`; of the trace fossils `feather impression`.
FOSSILS = tuple(
    fossil.replace("_", "/" if kind < cards.N_SKELETAL_TYPES else " ")
    for kind, fossil in enumerate(cards.FOSSIL_OF_TYPE)
)
# The same with the genus: `Allosaurus ribs/arms`.
TYPES = tuple(
    f"{cards.GENERA[genus]} {fossil}"
    for genus, fossil in zip(cards.GENUS_OF_TYPE, FOSSILS, strict=True)
)
