"""Fossil Canyon: resample (stub)."""

from ..jit import kernel


@kernel
def resample(state, player, seed):
    """Re-seed.

    Parameters
    ----------
    state : STATE record, in and out
    player : int
    seed : uint64
    """
    state.seed = seed
