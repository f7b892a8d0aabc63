"""Measure wrappers: right sections and fields, correction steps, numbers and cost."""
