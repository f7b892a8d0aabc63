"""The nouns that pass between stages: immutable, equal by value, picklable."""
