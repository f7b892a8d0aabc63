"""Wrapping: how the pages of a source are structured, learnt from a few of them, corrected, and read."""
