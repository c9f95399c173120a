"""Compiled rules: one module per game and the drivers that run them all."""
