"""Measure how well visual outliers reveal wrong values and boilerplate, and how fast they are found."""
