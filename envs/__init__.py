"""The Python face of the games: PettingZoo, Gymnasium and vector environments."""
