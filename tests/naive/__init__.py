"""Slow references: each game told a second time, in plain Python, from its rules page alone."""
