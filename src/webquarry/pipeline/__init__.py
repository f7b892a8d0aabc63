"""The order of the stages, written once; implementations are chosen by name from plain tables."""
