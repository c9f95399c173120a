"""What the sheet of the box says for Go Dig: players, hands, and the cards with skeletons."""

from .. import canyon_cards

PARTS = canyon_cards.PARTS["go_dig"]
MIN_PLAYERS = PARTS["players"]["min"]
MAX_PLAYERS = PARTS["players"]["max"]
HAND = PARTS["hand"]  # 2.1
TURN_CAP = PARTS["turn_cap"]  # 6.3

N_GENERA = canyon_cards.N_SKELETAL
N_TYPES = canyon_cards.N_SKELETAL_TYPES
N_CARDS = canyon_cards.N_SKELETAL_CARDS
GENERA = canyon_cards.GENERA[:N_GENERA]
FOSSILS_OF_GENUS = canyon_cards.FOSSILS_OF_GENUS[:N_GENERA]
SKELETONS_OF_GENUS = canyon_cards.SKELETONS_OF_GENUS[:N_GENERA]
VALUE_OF_GENUS = canyon_cards.VALUE_OF_GENUS[:N_GENERA]
CARDS_OF_GENUS = FOSSILS_OF_GENUS * SKELETONS_OF_GENUS
FIRST_OF_GENUS = canyon_cards.FIRST_TYPE_OF_GENUS[:N_GENERA]
END_OF_GENUS = FIRST_OF_GENUS + FOSSILS_OF_GENUS
GENUS_OF_TYPE = canyon_cards.GENUS_OF_TYPE[:N_TYPES]
COPIES_OF_TYPE = canyon_cards.COPIES_OF_TYPE[:N_TYPES]
MOST_POINTS = int((SKELETONS_OF_GENUS * VALUE_OF_GENUS).sum())
MOST_FOSSILS = int(FOSSILS_OF_GENUS.max())
MOST_COPIES = int(SKELETONS_OF_GENUS.max())
