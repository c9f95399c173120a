"""Fossilium: what things are worth, for the judgement."""

import numpy as np

# What things are worth in prestige at the end, found by playing the greedy agent. Where there are
# five numbers, they are by rounds to come, from the last round on.
GUEST = 0.42  # on the track, at the opening (11.1)
INCOME_GUEST = 0.56  # in each income to come
INCOME_DOLLAR = 0.53  # in each income to come
DOLLAR = np.array([0.13, 0.19, 0.25, 0.31, 0.4])  # at hand
STUDENT = 0.6
NEXT_STUDENTS = 0.5  # share of what the storage brings now that it will bring (3.2)
RESERVED = 0.5  # of a piece, for lines: a field reserved for one
TOURS = 0.66  # times in a round that the best line of the museum pays again
RARE = np.array([6.14, 6.01, 4.27, 2.99, 3.99])  # tiles of a type in reach that make an even chance
ON_SALE = 2.0  # tiles in a bag that are as easy to come by as one in the market
SHOW = np.array([0.83, 0.85, 0.87, 0.83, 0.31])  # chance that a tile of the storage is displayed
SHARE_OF_WORKER = 0.4  # of these chances in the last round, for each worker that can still act
BUYING = 0.6  # chance that a tile in the market is bought and displayed, while buying
BEGIN = 0.67  # share of the hope for a fossil that is not begun
CROWD = 0.43  # share of all such hopes but the best
TILE = 0.35  # in the storage
LINE = 0.25  # of a full row or column, for what goals may bring
GIFT = 0.34  # share of the prestige for donating a stored tile
NEAR = 0.34  # complete fossils beside a panel to come, for each field without one
WORKER = 1.46  # that can still act in this round
DUG = 0.54  # that a worker keeps at the next excavation
PICK = 0.15  # for each further tile that is drawn to choose from
# by Job: what each worker on the job goal may bring, for each round to come and this one
JOB = np.array([0.59, 0.62, 0.29, 0.33, 0.25, 0.62, 0.25, 0.24])
# of what an action still allows, the parts that the rest of the estimate does not see
DISPLAY_USE = 0.86  # a piece
PANEL_USE = 2.77  # a panel
SELL_USE = 0.2
TOUR_USE = 0.21  # a guest or dollar
SEARCH_USE = 1.63  # a tile of one's choice
# share of a majority for each guest or dollar that one is ahead
MAJORITY = np.array([0.5, 0.3, 0.2, 0.15, 0.12])
SAVED = 0.5  # share of the dollars of incomes to come that is not spent
BESIDE = 2  # complete fossils that a panel being built may have beside it
PAL_GROWS = 0.15  # share that Pal adds in each round to come
