"""What can be done in Go Dig: ask a player for a genus (3.1)."""

import numpy as np

from .. import rules
from ..jit import kernel
from .parts import MAX_PLAYERS, N_GENERA

ACTIONS = rules.ActionTable(
    # ask a player, 0 for the next seat, for a genus of the own hand (3.1)
    ask={"opponent": MAX_PLAYERS - 1, "genus": N_GENERA},
)


@kernel
def legal(state, actions):
    """List the questions that can be asked.

    Rules 3.1.

    Parameters
    ----------
    state : STATE record
    actions : int32 array (n_actions,), out

    Returns
    -------
    int
        Number of actions written.
    """
    n = 0
    if not state.done:
        genera = np.int64(state.genera[state.to_play])
        for opponent in range(np.int64(state.num_players) - 1):
            for genus in range(N_GENERA):
                if genera >> genus & 1:
                    actions[n] = opponent * N_GENERA + genus
                    n += 1
    return n
